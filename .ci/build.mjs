import { spawnSync } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * Compiles into dist/ where the compiler is installed, makes one file of the packages that every start needs and one of
 * the server itself, and builds the pages that plugins serve. Without development dependencies, the dist/ of an earlier
 * build is used as it is. `npm ci` runs it as `preprepare`, which npm runs in this folder only: with a script named
 * `prepare`, npm would list the packed server among the packages whose install scripts need approval.
 *
 *   --clean    deletes dist/ first and requires the compiler: what is published contains no leftovers
 *   --required fails when there is nothing to run
 */
const inFolder = name => fileURLToPath(new URL(`../${name}`, import.meta.url))
const compiler = inFolder('node_modules/typescript/bin/tsc')
const isClean = process.argv.includes('--clean')
const isRequired = process.argv.includes('--required')

if (existsSync(compiler)) {
  if (isClean) rmSync(inFolder('dist'), { recursive: true, force: true })
  const run = (...args) => spawnSync(process.execPath, args, { cwd: inFolder('.'), stdio: 'inherit' }).status ?? 1
  const page = inFolder('plugins/explorer/page/vite.config.ts')
  process.exitCode =
    run(compiler) ||
    run(inFolder('.ci/bundle.mjs')) ||
    run(inFolder('.ci/validators.mjs')) ||
    run(inFolder('.ci/whole.mjs')) ||
    run(inFolder('node_modules/vite/bin/vite.js'), 'build', '--config', page)
} else if (isClean || !existsSync(inFolder('dist/core/cli/main.js'))) {
  console.error(
    'stele is not built: dist/ is missing and the compiler is not installed. Run `npm ci` (with development dependencies) once; `npm prune --omit=dev` removes them afterwards',
  )
  process.exitCode = isClean || isRequired ? 1 : 0
}
