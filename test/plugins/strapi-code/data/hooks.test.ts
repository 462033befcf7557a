import { hooksSuite } from './hooks.suite.js'
import { world } from './world.js'

hooksSuite(world)
