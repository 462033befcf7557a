// The tiers of the tests. The end of a file's name says which it belongs to:
//
//   *.test.ts          quick: starts no process, needs no build, no browser and no database server   *.slow.test.ts
// needs one of these, or takes long   *.nightly.test.ts  its verdict depends on processes that are killed, on seconds
// that pass or on the speed of the machine
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('..', import.meta.url))

/** Every test file, by its path below `test/`. */
export const testFiles = () =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.test.ts') && !/^(bench|fixtures)\//.test(file))
    .sort()

export const tierOf = file => /\.(slow|nightly)\.test\.ts$/.exec(file)?.[1] ?? 'quick'

/** The first argument of `test/run.mjs`. */
export const runs = ['quick', 'rest', 'all']

/** The tests that a quick run leaves out: the last lines of `npm test`. */
export function whatWasNotRun() {
  const count = tier => testFiles().filter(file => tierOf(file) === tier).length
  return [
    '',
    `Not run: ${count('slow')} files that need processes, a build, a browser or database servers, or take long; the files`,
    `above on MySQL and PostgreSQL; ${count('nightly')} files that need a machine to themselves.`,
    '  npm run test:all            everything that any machine can judge, on every engine it has',
    '  npm run verify              lists the rest: faults, attacks, clients, installation and more',
  ]
}
