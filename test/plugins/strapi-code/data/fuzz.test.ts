import { fuzzSuite } from './fuzz.suite.js'
import { world } from './world.js'

const isLong = process.env.STELE_TEST_LONG === '1'

fuzzSuite(world, {
  reads: isLong ? 400 : 25,
  writes: isLong ? 300 : 40,
  seeds: isLong ? Array.from({ length: 20 }, (_, at) => at + 1) : [1, 2],
})
