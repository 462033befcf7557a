import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * Compiles into dist/ where the compiler is installed, makes one file of the packages that every start needs and one of
 * the server itself, and builds the pages that plugins serve. Without development dependencies, the dist/ of an earlier
 * build is used as it is. `npm ci` runs it as `preprepare`, which npm runs in this folder only: with a script named
 * `prepare`, npm would list the packed server among the packages whose install scripts need approval.
 *
 *   --clean      deletes dist/ first and requires the compiler: what is published contains no leftovers
 *   --compiler   requires the compiler
 *   --outdated   builds only what is older than its sources, and fails when there is nothing to run
 *   --executable builds nothing: makes the command executable after the compiler ran alone
 */
const inFolder = name => fileURLToPath(new URL(`../${name}`, import.meta.url))
const compiler = inFolder('node_modules/typescript/bin/tsc')
const command = inFolder('dist/core/tools/cli/main.js')
/** The moment when the last complete build began. */
const stamp = inFolder('dist/.tsbuildinfo-complete')
const [option = ''] = process.argv.slice(2)
const isClean = option === '--clean'

const timeOf = file => statSync(file, { throwIfNoEntry: false })?.mtimeMs

/** The time of the last change below a place; a folder changes when a file in it is deleted. Pages of text are no sources. */
function lastChange(place) {
  const found = statSync(place, { throwIfNoEntry: false })
  if (!found?.isDirectory()) return found?.mtimeMs ?? 0
  const inside = readdirSync(place).filter(name => !name.endsWith('.md'))
  return Math.max(found.mtimeMs, ...inside.map(name => lastChange(`${place}/${name}`)))
}

/** Whether dist/ lacks something that its sources have by now. */
function isOutdated() {
  const built = timeOf(stamp)
  const server = timeOf(inFolder('dist/core/packages/server.json'))
  const compiled = timeOf(inFolder('dist/.tsbuildinfo'))
  if (built === undefined || server === undefined || !existsSync(command)) return true
  // The compiler has run alone since, and a start would load hundreds of files.
  if (compiled !== undefined && compiled > server) return true
  const sources = ['core', 'plugins', '.ci', 'package.json', 'package-lock.json', 'tsconfig.json']
  return sources.some(name => lastChange(inFolder(name)) > built)
}

function build() {
  const begun = new Date()
  rmSync(isClean ? inFolder('dist') : stamp, { recursive: true, force: true })
  const run = (...args) => spawnSync(process.execPath, args, { cwd: inFolder('.'), stdio: 'inherit' }).status ?? 1
  const page = inFolder('plugins/explorer/page/vite.config.ts')
  const status =
    run(compiler) ||
    run(inFolder('.ci/bundle.mjs')) ||
    run(inFolder('.ci/validators.mjs')) ||
    run(inFolder('.ci/whole.mjs')) ||
    run(inFolder('node_modules/vite/bin/vite.js'), 'build', '--config', page)
  if (status !== 0) return status
  makeExecutable()
  writeFileSync(stamp, '')
  utimesSync(stamp, begun, begun)
  return 0
}

/** npm does this once, when it links the command; the compiler writes a new file without it. */
function makeExecutable() {
  chmodSync(command, 0o755)
}

if (option === '--executable') makeExecutable()
else if (existsSync(compiler)) {
  if (option !== '--outdated' || isOutdated()) process.exitCode = build()
} else if (isClean || option === '--compiler' || !existsSync(command)) {
  console.error(
    existsSync(command)
      ? 'the compiler is not installed: run `npm ci` (with development dependencies) first'
      : 'stele is not built: dist/ is missing and the compiler is not installed. Run `npm ci` (with development dependencies) once; `npm prune --omit=dev` removes them afterwards',
  )
  process.exitCode = option === '' ? 0 : 1
}
