import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { built } from './support/built.js'
import { ClosingLine } from './support/closing-line.js'

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  plugins: [built],
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/bench/**', 'test/fixtures/**', '**/node_modules/**'],
    server: { deps: { external: [/\/dist\/(core|plugins)\//] } },
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
