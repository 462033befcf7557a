import { modelsSuite } from './models.suite.js'
import { world } from './world.js'

modelsSuite(world)
