import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * Makes what is published, in dist/: types by the compiler, the bundle of the server and its packages (bundle.mjs), and the
 * pages that plugins serve. Without development dependencies, the dist/ of an earlier build is used as it is. `npm ci` runs
 * it as `preprepare`, which npm runs in this folder only: with a script named `prepare`, npm would list the packed server
 * among the packages whose install scripts need approval.
 *
 *   --clean     deletes dist/ first and requires the compiler: what is published contains no leftovers
 *   --compiler  requires the compiler
 *   --outdated  builds only what is older than its sources, and fails when there is nothing to run
 *   --external  leaves packages out of the bundle
 */
const inFolder = name => fileURLToPath(new URL(`../${name}`, import.meta.url))
const compiler = inFolder('node_modules/typescript/bin/tsc')
const program = inFolder('dist/bundle/core/tools/cli/run.js')
/** The moment when the last complete build began. */
const stamp = inFolder('dist/.tsbuildinfo-complete')
const options = process.argv.slice(2)
const isClean = options.includes('--clean')
const isOutdatedOnly = options.includes('--outdated')

/** The time of the last change below a place; a folder changes when a file in it is deleted. Pages of text are no sources. */
function lastChange(place) {
  const found = statSync(place, { throwIfNoEntry: false })
  if (!found?.isDirectory()) return found?.mtimeMs ?? 0
  const inside = readdirSync(place).filter(name => !name.endsWith('.md'))
  return Math.max(found.mtimeMs, ...inside.map(name => lastChange(`${place}/${name}`)))
}

/** True if dist/ is older than its sources. */
function isOutdated() {
  const built = statSync(stamp, { throwIfNoEntry: false })?.mtimeMs
  if (built === undefined || !existsSync(program)) return true
  const sources = ['core', 'plugins', '.ci', 'package.json', 'package-lock.json', 'tsconfig.json']
  return sources.some(name => lastChange(inFolder(name)) > built)
}

function build() {
  const begun = new Date()
  rmSync(isClean ? inFolder('dist') : stamp, { recursive: true, force: true })
  const run = (...args) => spawnSync(process.execPath, args, { cwd: inFolder('.'), stdio: 'inherit' }).status ?? 1
  const status =
    run(compiler) ||
    run(inFolder('.ci/bundle.mjs'), ...options.filter(option => option === '--external')) ||
    run(inFolder('.ci/pages.mjs'))
  if (status !== 0) return status
  writeFileSync(stamp, '')
  utimesSync(stamp, begun, begun)
  return 0
}

if (existsSync(compiler)) {
  if (!isOutdatedOnly || isOutdated()) process.exitCode = build()
} else if (isClean || options.includes('--compiler') || !existsSync(program)) {
  console.error(
    existsSync(program)
      ? 'the compiler is not installed: run `npm ci` (with development dependencies) first'
      : 'stele is not built: dist/ is missing and the compiler is not installed. Run `npm ci` (with development dependencies) once; `npm prune --omit=dev` removes them afterwards',
  )
  process.exitCode = options.length === 0 ? 0 : 1
}
