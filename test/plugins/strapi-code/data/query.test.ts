import { querySuite } from './query.suite.js'
import { world } from './world.js'

querySuite(world)
