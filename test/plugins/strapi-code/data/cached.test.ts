import { cachedSuite } from './cached.suite.js'
import { world } from './world.js'

cachedSuite(world)
