import { transactionSuites } from './transactions.suite.js'
import { world } from './world.js'

transactionSuites(world)
