import { mergeConfig } from 'vitest/config'
import { suite } from '../vitest.config.js'

const folder = process.env.STELE_COVERAGE as string

/** All tests, and which lines of the kernel they reach: in their own processes, and in those that they start. */
export default mergeConfig(suite({ NODE_V8_COVERAGE: `${folder}/started` }), {
  test: {
    coverage: {
      enabled: true,
      provider: 'v8',
      include: ['core/**'],
      exclude: ['core/tools/cli/**'],
      reporter: ['json'],
      reportsDirectory: `${folder}/own`,
      reportOnFailure: true,
    },
  },
})
