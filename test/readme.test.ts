import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { dialectFlags, dialects } from '../core/dialect.js'
import type { App } from '../core/index.js'
import { likes } from './kernel/examples/likes.js'
import { assertLines, assertPrinted, type Example, examplesOf } from './readme/examples.js'
import { Shell } from './readme/shell.js'
import { bootSample, password, root } from './sample/sample.js'

const textOf = (file: string): string => readFileSync(path.join(root, file), 'utf8')
const readme = textOf('README.md')
const guide = textOf('plugins/README.md')
const accounts = textOf('plugins/users-permissions/README.md')
const memory = { env: { DATABASE_CLIENT: 'sqlite', DATABASE_FILENAME: ':memory:' } }

/** One after the other, as a reader would try them: later ones build on what earlier ones wrote. */
function answersAsPrinted(examples: readonly Example[], start: () => Promise<App>): void {
  let app: App
  let shell: Shell
  beforeAll(async () => {
    app = await start()
    shell = new Shell(app, root, { '.tmp/demo-password': password })
  })
  afterAll(() => app.close())
  for (const { command, answer } of examples)
    it(`answers as printed: ${command.slice(0, 110)}`, async () => {
      const { status, text } = await shell.run(command)
      if (answer === '') assert.ok(status === undefined || (status >= 200 && status < 300), `${status} ${text}`)
      else if (status === undefined) assertLines(text, answer)
      else assertPrinted(JSON.parse(text), JSON.parse(answer))
    })
}

describe('the README', () => {
  answersAsPrinted(examplesOf(readme), () => bootSample(memory))

  const files = [...readme.matchAll(/<!-- (test\/\S+) -->\n+```ts\n([\s\S]*?)```/g)]
  it('shows three complete plugins', () => assert.equal(files.length, 3))
  for (const [, file = '', block] of files)
    it(`shows ${file} as it is, in under 20 lines`, () => {
      assert.equal(block, imported(textOf(file)))
      assert.ok((block ?? '').trim().split('\n').length < 20)
    })

  it('names every flag of the dialects with its values', () => {
    for (const flag of dialectFlags) {
      const values = [dialects.spec, dialects.strapi4].map(dialect => dialect[flag as keyof typeof dialect])
      assert.match(readme, new RegExp(`\\| \`${flag}\` \\|.*\\| \`${values[0]}\` \\| \`${values[1]}\` \\|`))
    }
  })

  it('names every dependency, and no other', () => {
    const { dependencies, optionalDependencies, devDependencies } = JSON.parse(textOf('package.json'))
    const chapter = readme.slice(readme.indexOf('## Dependencies'), readme.indexOf('## Developing'))
    const named = [...chapter.matchAll(/^\| ([^|]+) \|/gm)].flatMap(([, names = '']) => names.split(', ')).slice(1)
    const wanted = Object.keys({ ...dependencies, ...optionalDependencies })
    assert.deepEqual(named.filter(name => !/^-+$/.test(name)).sort(), wanted.sort())
    for (const name of Object.keys(devDependencies))
      assert.ok(name.startsWith('@types/') || chapter.includes(name), `${name} is not named`)
  })

  it('names every command of the plugins', async () => {
    const app = await bootSample(memory, { filled: false })
    for (const { name } of app.commands) assert.ok(readme.includes(`\`stele ${name}`), name)
    await app.close()
  })
})

describe('the guide for authors of plugins', () => {
  const file = 'test/kernel/examples/likes.ts'
  const whole = imported(textOf(file))

  answersAsPrinted(examplesOf(guide), () =>
    bootSample(memory, {
      with: [likes],
      options: { article: { likes: true } },
      roles: { author: { article: { like: true } } },
    }),
  )

  it('shows its plugin and the test of it as they are', () => {
    const shown = [...guide.matchAll(/<!-- (test\/\S+) -->\n+```ts\n([\s\S]*?)```/g)]
    assert.deepEqual(
      shown.map(([, name]) => name),
      ['test/kernel/examples/likes.test.ts', file],
    )
    for (const [, name = '', block] of shown) assert.equal(block, imported(textOf(name)))
  })

  it('builds it of steps that all stand in it', () => {
    const steps = guide.slice(guide.indexOf('## Step'), guide.indexOf('## The whole plugin'))
    const blocks = [...steps.matchAll(/(?<!-->\n+)```ts\n([\s\S]*?)```/g)].map(([, text = '']) => text)
    assert.ok(blocks.length >= 8, `${blocks.length} steps`)
    const flat = (text: string) => text.replaceAll(/^ +/gm, '').trim()
    for (const block of blocks)
      for (const part of block.split(/^\s*\/\/ \.\.\.$/m)) assert.ok(flat(whole).includes(flat(part)), part)
  })

  it('names every part of a plugin', () => {
    const parts = [...textOf('core/boot/arrange.ts').matchAll(/^ {2}'(\w+)',$/gm)].map(([, name = '']) => name)
    assert.ok(parts.length > 20)
    for (const part of parts) assert.ok(guide.includes(`\n| \`${part}\``) || guide.includes(`\n| \`${part}(`), part)
  })
})

describe('the page of users-permissions', () => {
  const config = { jwtSecret: 'a secret for tests', sessions: { enabled: true } }
  const withSessions = { plugins: { 'users-permissions': { enabled: true, config } } }
  answersAsPrinted(examplesOf(accounts), () => bootSample(memory, withSessions))
})

for (const name of ['api-tokens', 'i18n'])
  describe(`the page of ${name}`, () => {
    answersAsPrinted(examplesOf(textOf(`plugins/${name}/README.md`)), () => bootSample(memory))
  })

describe('the pages', () => {
  for (const [file, page] of [
    ['README.md', readme],
    ['plugins/README.md', guide],
    ['plugins/users-permissions/README.md', accounts],
    ...['api-tokens', 'i18n', 'upload'].map(name => {
      const file = `plugins/${name}/README.md`
      return [file, textOf(file)] as const
    }),
  ] as const)
    it(`${file} links to what is there`, () => {
      const folder = path.dirname(path.join(root, file))
      for (const [, target = ''] of page.matchAll(/\]\(([^)]+)\)/g)) {
        if (target.startsWith('https:')) continue
        const [place = '', heading] = target.split('#')
        const linked = place === '' ? path.join(root, file) : path.join(folder, place)
        assert.ok(existsSync(linked), target)
        if (heading !== undefined) assert.ok(headingsOf(readFileSync(linked, 'utf8')).includes(heading), target)
      }
    })
})

const headingsOf = (page: string): string[] =>
  [...page.matchAll(/^#+ (.*)$/gm)].map(([, text = '']) =>
    text
      .toLowerCase()
      .replace(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  )

/** Files of this repository import the public API by its path, those of an app by its name. */
function imported(text: string): string {
  return text.replaceAll(/'(\.\.\/)+core\/index\.js'/g, "'stele'")
}
