// Checks beyond the tests: `npm run verify -- PART [options]`. Without a part it lists them.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const build = '.ci/build.mjs --outdated'

/** The parts: their purpose, their programs one after the other, and their environment; only the last program takes options. */
const parts = {
  rest: { says: 'what npm test leaves out of npm run test:all', runs: ['test/run.mjs rest'] },
  nightly: {
    says: 'all tests, and those that depend on kills, on seconds and on the speed of the machine',
    runs: ['test/run.mjs all'],
    env: { STELE_TEST_NIGHTLY: '1' },
  },
  long: {
    says: 'the same, and suites of many processes on every engine',
    runs: ['test/run.mjs all'],
    env: { STELE_TEST_NIGHTLY: '1', STELE_TEST_LONG: '1' },
  },
  mysql: {
    says: 'the tests of the engine mysql on MySQL itself, in place of MariaDB',
    runs: ['test/run.mjs all'],
    env: { STELE_TEST_MYSQL: 'mysql', STELE_TEST_ENGINES: 'mysql' },
  },
  install: {
    says: 'a clone, a tarball and an app of stele init are installed and started',
    runs: ['test/install/run.mjs'],
  },
  operations: {
    says: 'every command of the page In production, in an empty Debian (root, debootstrap)',
    runs: ['test/install/operations.mjs'],
  },
  clients: {
    says: 'generated API clients, that of Strapi 5, and those of GraphQL are answered as plain fetch is',
    runs: [
      build,
      'test/openapi/generators/run.mjs',
      'test/plugins/v5-format/strapi-client/run.mjs',
      'test/plugins/graphql/clients/run.mjs',
    ],
  },
  graphql17: {
    says: 'the tests of GraphQL with version 17 of its package (Node.js 22 or later)',
    runs: ['test/plugins/graphql/version17.mjs'],
  },
  security: { says: 'all attacks, on every engine', runs: ['test/security/run.mjs'] },
  faults: { says: 'what is killed, cut and filled loses nothing', runs: ['test/faults/run.mjs'] },
  coverage: { says: 'the long tests, and which lines of core/ none of them reached', runs: ['test/coverage/run.mjs'] },
  soak: { says: 'saturation, overload, and a stop', runs: [build, 'test/soak/soak.mjs'] },
  fuzz: { says: 'random input, guided by coverage: --minutes 30', runs: [build, 'test/security/fuzz/fuzz.mjs'] },
}

const [name, ...options] = process.argv.slice(2)
const part = parts[name]
if (part) process.exitCode = await runAll(part)
else {
  for (const [each, { says }] of Object.entries(parts)) console.log(`npm run verify -- ${each.padEnd(12)}${says}`)
  process.exitCode = name === undefined ? 0 : 2
}

async function runAll({ runs, env = {} }) {
  for (const [index, program] of runs.entries()) {
    const args = [...program.split(' '), ...(index === runs.length - 1 ? options : [])]
    const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } })
    const pass = signal => child.kill(signal)
    for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, pass)
    const [status] = await once(child, 'exit')
    for (const signal of ['SIGINT', 'SIGTERM']) process.off(signal, pass)
    if (status !== 0) return status ?? 1
  }
  return 0
}
