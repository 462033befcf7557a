import { onEveryServer } from '../../../support/every-engine.js'
import { cachedSuite } from './cached.suite.js'
import { entityServiceSuite } from './entity-service.suite.js'
import { fuzzSuite } from './fuzz.suite.js'
import { hooksSuite } from './hooks.suite.js'
import { lifecyclesSuite } from './lifecycles.suite.js'
import { modelsSuite } from './models.suite.js'
import { querySuite } from './query.suite.js'
import { transactionSuites } from './transactions.suite.js'
import { type WorldOptions, world } from './world.js'

onEveryServer('the database layer of code', engine => {
  const fresh = async (options: WorldOptions = {}) => {
    const { database, drop } = await engine.fresh()
    const opened = await world({ ...options, database: database as unknown as WorldOptions['database'] })
    return {
      ...opened,
      close: async () => {
        await opened.close()
        await drop()
      },
    }
  }
  querySuite(fresh)
  entityServiceSuite(fresh)
  lifecyclesSuite(fresh)
  transactionSuites(fresh)
  hooksSuite(fresh)
  modelsSuite(fresh)
  cachedSuite(fresh)
  fuzzSuite(fresh, { reads: 60, writes: 50, seeds: [3] })
})
