import { strict as assert } from 'node:assert'
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, it } from 'vitest'
import { folderOf } from '../support/terminal.js'

const script = fileURLToPath(new URL('../../.ci/build.mjs', import.meta.url))

/** A step of the build that leaves its name, and what it would write. */
const step = (name: string, ...files: string[]): string =>
  [
    `import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'`,
    `import { dirname } from 'node:path'`,
    `appendFileSync('steps', '${name} ')`,
    `if (process.env.FAILS === '${name}') process.exit(3)`,
    ...files.map(file => `mkdirSync(dirname('dist/${file}'), { recursive: true }); writeFileSync('dist/${file}', '')`),
  ].join('\n')

/** A clone with programs that say that they ran in place of those that take long. */
function clone() {
  const folder = folderOf({
    '.ci/build.mjs': readFileSync(script, 'utf8'),
    '.ci/bundle.mjs': step('bundle'),
    '.ci/validators.mjs': step('validators'),
    '.ci/whole.mjs': step('whole', 'core/packages/server.json'),
    'node_modules/typescript/bin/tsc': step('tsc', '.tsbuildinfo', 'core/tools/cli/main.js'),
    'node_modules/typescript/package.json': '{ "type": "module" }',
    'node_modules/vite/bin/vite.js': step('vite'),
    'node_modules/vite/package.json': '{ "type": "module" }',
    'core/tools/cli/main.ts': '',
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
    build(option: string, env: Record<string, string> = {}) {
      rmSync(place('steps'), { force: true })
      const { status, stderr } = spawnSync(process.execPath, [place('.ci/build.mjs'), option], {
        encoding: 'utf8',
        env: { PATH: process.env.PATH ?? '', ...env },
      })
      return { status, stderr, steps: existsSync(place('steps')) ? readFileSync(place('steps'), 'utf8').trim() : '' }
    },
    /** As if the build had been long after the sources. */
    age(): void {
      const files = ['core/tools/cli', 'core', 'plugins/i18n', 'plugins', '.ci']
      const texts = ['core/tools/cli/main.ts', 'core/README.md', 'plugins/i18n/index.ts']
      const scripts = ['build', 'bundle', 'validators', 'whole'].map(name => `.ci/${name}.mjs`)
      const all = [...files, ...texts, ...scripts, 'package.json', 'package-lock.json', 'tsconfig.json']
      for (const name of all) setTime(name, 1_000)
    },
    setTime,
  }
}
const all = 'tsc bundle validators whole vite'
const later = Date.now() / 1000 + 1000

describe('npm start builds', () => {
  it('when nothing was built, and not again after that', () => {
    const { build, age } = clone()
    age()
    assert.deepEqual(build('--outdated'), { status: 0, stderr: '', steps: all })
    assert.deepEqual(build('--outdated'), { status: 0, stderr: '', steps: '' })
  })

  for (const name of [
    'core/tools/cli/main.ts',
    'plugins/i18n/index.ts',
    '.ci/bundle.mjs',
    'package-lock.json',
    'tsconfig.json',
  ])
    it(`when ${name} has changed`, () => {
      const { build, age, setTime } = clone()
      age()
      build('')
      setTime(name, later)
      assert.equal(build('--outdated').steps, all)
    })

  it('when a source was deleted, as its folder says', () => {
    const { build, age, place } = clone()
    age()
    build('')
    assert.equal(build('--outdated').steps, '')
    rmSync(place('plugins/i18n/index.ts'))
    utimesSync(place('plugins/i18n'), later, later)
    assert.equal(build('--outdated').steps, all)
  })

  it('not when a page of text has changed', () => {
    const { build, age, setTime } = clone()
    age()
    build('')
    setTime('core/README.md', later)
    assert.equal(build('--outdated').steps, '')
  })

  it('when a build failed, or the compiler ran alone since', () => {
    const { build, age, setTime } = clone()
    age()
    build('')
    setTime('core/tools/cli/main.ts', later)
    assert.deepEqual(build('--outdated', { FAILS: 'whole' }), {
      status: 3,
      stderr: '',
      steps: 'tsc bundle validators whole',
    })
    setTime('core/tools/cli/main.ts', 1_000)
    assert.equal(build('--outdated').steps, all)
    setTime('dist/.tsbuildinfo', later)
    assert.equal(build('--outdated').steps, all)
  })

  it('nothing without the compiler, and fails when there is nothing to run', () => {
    const { build, place } = clone()
    build('')
    rmSync(place('node_modules'), { recursive: true })
    assert.deepEqual(build('--outdated'), { status: 0, stderr: '', steps: '' })
    assert.deepEqual(
      [build('--compiler')].map(({ status, stderr }) => [status, stderr]),
      [[1, 'the compiler is not installed: run `npm ci` (with development dependencies) first\n']],
    )
    rmSync(place('dist'), { recursive: true })
    const { status, stderr } = build('--outdated')
    assert.equal(status, 1)
    assert.match(stderr, /^stele is not built/)
    assert.equal(build('').status, 0)
  })
})

describe('the command of a clone', () => {
  const isExecutable = (file: string) => (statSync(file).mode & 0o111) !== 0

  it('can be run by npx after every build', () => {
    const { build, place } = clone()
    build('')
    assert.ok(isExecutable(place('dist/core/tools/cli/main.js')))
    for (const option of ['--clean', '--compiler', '--executable']) {
      chmodSync(place('dist/core/tools/cli/main.js'), 0o644)
      assert.equal(build(option).status, 0)
      assert.ok(isExecutable(place('dist/core/tools/cli/main.js')), option)
    }
    const { scripts } = JSON.parse(readFileSync(join(script, '../../package.json'), 'utf8'))
    assert.equal(scripts.build, 'node .ci/build.mjs --compiler')
    assert.match(scripts['build:server'], /node \.ci\/build\.mjs --executable$/)
  })

  it('can be run where the tests have built', () =>
    assert.ok(isExecutable(fileURLToPath(new URL('../../dist/core/tools/cli/main.js', import.meta.url)))))
})
