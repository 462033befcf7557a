import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { ClosingLine } from './support/closing-line.js'

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/bench/**', 'test/fixtures/**', '**/node_modules/**'],
    globalSetup: 'test/support/global-setup.ts',
    reporters: ['default', new ClosingLine()],
    // A process per file: signals, environment and exit are part of what is tested.
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    retry: 0,
  },
})
