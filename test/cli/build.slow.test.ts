import { strict as assert } from 'node:assert'
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, it } from 'vitest'
import { folderOf } from '../support/terminal.js'

const root = fileURLToPath(new URL('../../', import.meta.url))
const textOf = (name: string): string => readFileSync(join(root, name), 'utf8')

/** A step of the build that leaves its name, and what it would write. */
const step = (name: string, ...files: string[]): string =>
  [
    `import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'`,
    `import { dirname } from 'node:path'`,
    `appendFileSync('steps', ['${name}', ...process.argv.slice(2).filter(arg => arg === '--external'), ''].join(' '))`,
    `if (process.env.FAILS === '${name}') process.exit(3)`,
    ...files.map(file => `mkdirSync(dirname('dist/${file}'), { recursive: true }); writeFileSync('dist/${file}', '')`),
  ].join('\n')

/** A clone with programs that say that they ran in place of those that take long. */
function clone() {
  const folder = folderOf({
    '.ci/build.mjs': textOf('.ci/build.mjs'),
    '.ci/bundle.mjs': step('bundle', 'bundle/core/tools/cli/run.js'),
    '.ci/pages.mjs': step('pages'),
    'node_modules/typescript/bin/tsc': step('tsc', '.tsbuildinfo'),
    'node_modules/typescript/package.json': '{ "type": "module" }',
    'core/kernel.ts': '',
    'core/README.md': '',
    'plugins/i18n/index.ts': '',
    'package.json': '{}',
    'package-lock.json': '{}',
    'tsconfig.json': '{}',
  })
  const place = (name: string) => join(folder, name)
  const setTime = (name: string, seconds: number) => utimesSync(place(name), seconds, seconds)
  return {
    place,
    /** Runs the build, and gives its code, what it said and the steps that it took. */
    build(options: readonly string[], env: Record<string, string> = {}) {
      rmSync(place('steps'), { force: true })
      const { status, stderr } = spawnSync(process.execPath, [place('.ci/build.mjs'), ...options], {
        encoding: 'utf8',
        env: { PATH: process.env.PATH ?? '', ...env },
      })
      return { status, stderr, steps: existsSync(place('steps')) ? readFileSync(place('steps'), 'utf8').trim() : '' }
    },
    /** As if the build had been long after the sources. */
    age(): void {
      const folders = ['core', 'plugins/i18n', 'plugins', '.ci']
      const texts = ['core/kernel.ts', 'core/README.md', 'plugins/i18n/index.ts']
      const programs = ['.ci/build.mjs', '.ci/bundle.mjs', '.ci/pages.mjs']
      for (const name of [...folders, ...texts, ...programs, 'package.json', 'package-lock.json', 'tsconfig.json'])
        setTime(name, 1_000)
    },
    setTime,
  }
}
const all = 'tsc bundle pages'
const later = Date.now() / 1000 + 1000

describe('npm start builds', () => {
  it('when nothing was built, and not again after that', () => {
    const { build, age } = clone()
    age()
    assert.deepEqual(build(['--outdated']), { status: 0, stderr: '', steps: all })
    assert.deepEqual(build(['--outdated']), { status: 0, stderr: '', steps: '' })
  })

  for (const name of [
    'core/kernel.ts',
    'plugins/i18n/index.ts',
    '.ci/bundle.mjs',
    '.ci/pages.mjs',
    'package-lock.json',
    'tsconfig.json',
  ])
    it(`when ${name} has changed`, () => {
      const { build, age, setTime } = clone()
      age()
      build([])
      setTime(name, later)
      assert.equal(build(['--outdated']).steps, all)
    })

  it('when a source was deleted, as its folder says', () => {
    const { build, age, place } = clone()
    age()
    build([])
    assert.equal(build(['--outdated']).steps, '')
    rmSync(place('plugins/i18n/index.ts'))
    utimesSync(place('plugins/i18n'), later, later)
    assert.equal(build(['--outdated']).steps, all)
  })

  it('not when a page of text has changed', () => {
    const { build, age, setTime } = clone()
    age()
    build([])
    setTime('core/README.md', later)
    assert.equal(build(['--outdated']).steps, '')
  })

  it('when a build failed', () => {
    const { build, age, setTime } = clone()
    age()
    build([])
    setTime('core/kernel.ts', later)
    assert.deepEqual(build(['--outdated'], { FAILS: 'bundle' }), { status: 3, stderr: '', steps: 'tsc bundle' })
    setTime('core/kernel.ts', 1_000)
    assert.equal(build(['--outdated']).steps, all)
  })

  it('nothing without the compiler, and fails when there is nothing to run', () => {
    const { build, place } = clone()
    build([])
    rmSync(place('node_modules'), { recursive: true })
    assert.deepEqual(build(['--outdated']), { status: 0, stderr: '', steps: '' })
    const { status: refused, stderr: reason } = build(['--compiler'])
    const sentence = 'the compiler is not installed: run `npm ci` (with development dependencies) first\n'
    assert.deepEqual([refused, reason], [1, sentence])
    rmSync(place('dist'), { recursive: true })
    const { status, stderr } = build(['--outdated'])
    assert.equal(status, 1)
    assert.match(stderr, /^stele is not built/)
    assert.equal(build([]).status, 0)
  })
})

it('npm run build -- --external leaves packages out of the bundle', () => {
  assert.equal(JSON.parse(textOf('package.json')).scripts.build, 'node .ci/build.mjs --compiler')
  const { build } = clone()
  assert.deepEqual(build(['--compiler', '--external']), { status: 0, stderr: '', steps: 'tsc bundle --external pages' })
})

describe('the command of a clone', () => {
  const command = JSON.parse(textOf('package.json')).bin.stele as string

  /** The command with these files of a build. */
  function run(files: Record<string, string>) {
    const folder = folderOf({ ...files, [command]: textOf(command), 'package.json': '{ "type": "module" }' })
    return spawnSync(process.execPath, [join(folder, command)], { encoding: 'utf8' })
  }
  const saying = (word: string, code = 0) =>
    `export const runProcess = async () => { console.log('${word}'); return ${code} }`

  it('is no file of the build, so that npx can run it after any', () => {
    assert.ok((statSync(join(root, command)).mode & 0o111) !== 0)
    assert.doesNotMatch(command, /dist/)
  })

  it('runs the bundle, and what the compiler has written where that ran alone', () => {
    const compiled = { 'dist/core/tools/cli/run.js': saying('compiled', 3) }
    const bundled = { 'dist/bundle/core/tools/cli/run.js': saying('bundled') }
    const { stdout, status } = run({ ...compiled, ...bundled })
    assert.deepEqual([stdout, status], ['bundled\n', 0])
    const alone = run(compiled)
    assert.deepEqual([alone.stdout, alone.status], ['compiled\n', 3])
  })

  it('says what to do where nothing was built', () => {
    const { stderr, status } = run({})
    assert.deepEqual([stderr, status], ['stele is not built: run `npm run build` first\n', 1])
  })
})
