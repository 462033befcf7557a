import { entityServiceSuite } from './entity-service.suite.js'
import { world } from './world.js'

entityServiceSuite(world)
