import { lifecyclesSuite } from './lifecycles.suite.js'
import { world } from './world.js'

lifecyclesSuite(world)
