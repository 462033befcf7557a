import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { loadConfig } from '../core/boot/load-config.js'
import type { App } from '../core/index.js'
import { commandsOf } from '../core/plugin/running.js'
import { likes } from './kernel/examples/likes.js'
import { assertLines, assertPrinted, type Example, examplesOf } from './readme/examples.js'
import { Shell } from './readme/shell.js'
import { bootSample, password, root } from './sample/sample.js'

const textOf = (file: string): string => readFileSync(path.join(root, file), 'utf8')
const readme = textOf('README.md')
const guide = textOf('plugins/README.md')
const further = textOf('plugins/own-plugins.md')
/** In the order in which a reader would try their examples: later ones build on what earlier ones wrote. */
const course = [
  ...['tools/cli', 'config', 'schema', 'http'].map(room => `core/${room}/README.md`),
  ...[
    'users-permissions',
    'api-tokens',
    'draft-and-publish',
    'i18n',
    'query-body',
    'upload',
    'explorer',
    'openapi',
  ].map(name => `plugins/${name}/README.md`),
  ...['core/plugin', 'core', 'core/engines', 'core/cache', 'core/foreign/strapi4'].map(folder => `${folder}/README.md`),
  ...['faults', 'soak', 'security', 'bench'].map(name => `test/${name}/README.md`),
]
/** The detailed part of a plugin's page has examples of its own, for an app of its own. */
const [start, detail] = [0, 1].map(part => (file: string) => textOf(file).split('\n## In detail\n')[part] ?? '') as [
  (file: string) => string,
  (file: string) => string,
]
const whole = [readme, ...course.map(start)].join('\n')
const memory = { env: { DATABASE_CLIENT: 'sqlite', DATABASE_FILENAME: ':memory:' } }

/** Runs examples one after the other, as a reader would try them: later ones build on what earlier ones wrote. */
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

describe('the README and the pages of its map', () => {
  answersAsPrinted(examplesOf(whole), () => bootSample(memory))

  it('sells and starts', () => assert.ok(readme.split('\n').length <= 250))

  const files = [...textOf('core/plugin/README.md').matchAll(/<!-- (test\/\S+) -->\n+```ts\n([\s\S]*?)```/g)]
  it('shows three complete plugins', () => assert.equal(files.length, 3))
  for (const [, file = '', block] of files)
    it(`shows ${file} as it is, in under 20 lines`, () => {
      assert.equal(block, imported(textOf(file)))
      assert.ok((block ?? '').trim().split('\n').length < 20)
    })

  it('says which plugins the sample app enables, and how many', async () => {
    const [, sentence = ''] = /^The sample app enables (.*?)\. /m.exec(readme) ?? []
    const { plugins } = await loadConfig(root, { env: {} })
    const enabled = Object.keys(plugins).filter(name => plugins[name]?.enabled)
    assert.deepEqual([...sentence.matchAll(/`([\w-]+)`/g)].map(([, name]) => name).sort(), enabled.sort())
    assert.equal(enabled.length, 11, 'the README says eleven')
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
    const pages = whole + textOf('plugins/admin/README.md')
    for (const { name } of commandsOf(app)) assert.ok(pages.includes(`\`stele ${name}`), name)
    await app.close()
  })
})

const exampleFile = (name: string): string => `test/kernel/examples/${name}.ts`

describe('the guide for authors of plugins', () => {
  const file = 'test/kernel/examples/likes.ts'
  const plugin = imported(textOf(file))

  answersAsPrinted(examplesOf(guide), () =>
    bootSample(memory, {
      with: [likes],
      options: { article: { likes: true } },
      roles: { author: { article: { like: true } } },
    }),
  )

  it('shows its plugins and the test of the first as they are', () => {
    const shown = [...(guide + further).matchAll(/<!-- (test\/\S+) -->\n+```ts\n([\s\S]*?)```/g)]
    assert.deepEqual(
      shown.map(([, name]) => name),
      [
        'test/kernel/examples/likes.test.ts',
        'test/kernel/examples/likes-permitted.test.ts',
        file,
        ...['free-slugs', 'history', 'tidy', 'places', 'tag-counts', 'signed-links', 'json-api', 'slow-requests'].map(
          exampleFile,
        ),
        ...['handlers', 'menu', 'snapshots', 'live-likes'].map(exampleFile),
      ],
    )
    for (const [, name = '', block] of shown) assert.equal(block, imported(textOf(name)))
  })

  it('builds it of steps that all stand in it', () => {
    const steps = guide.slice(guide.indexOf('## Step'), guide.indexOf('## The whole plugin'))
    const blocks = [...steps.matchAll(/(?<!-->\n+)```ts\n([\s\S]*?)```/g)].map(([, text = '']) => text)
    assert.ok(blocks.length >= 8, `${blocks.length} steps`)
    const flat = (text: string) => text.replaceAll(/^ +/gm, '').trim()
    for (const block of blocks)
      for (const part of block.split(/^\s*\/\/ \.\.\.$/m)) assert.ok(flat(plugin).includes(flat(part)), part)
  })
})

describe('the page of users-permissions', () => {
  const config = { jwtSecret: 'a secret for tests', sessions: { enabled: true } }
  const withSessions = { plugins: { 'users-permissions': { enabled: true, config } } }
  answersAsPrinted(examplesOf(detail('plugins/users-permissions/README.md')), () => bootSample(memory, withSessions))
})

/** Settings of the page of a plugin that does nothing without. */
const settingsOf: Readonly<Record<string, object>> = {
  transformer: {
    responseTransforms: { removeAttributesKey: true, removeDataKey: true },
    requestTransforms: { wrapBodyWithDataKey: true },
  },
}
for (const name of ['bulk', 'nested-create', 'patch', 'deep-populate', 'transformer'])
  describe(`the page of ${name}, which the sample app does without`, () => {
    const enabled = { plugins: { [name]: { enabled: true, config: settingsOf[name] ?? {} } } }
    answersAsPrinted(examplesOf(textOf(`plugins/${name}/README.md`)), () => bootSample(memory, enabled))
  })

const ofTags = {
  trash: ['find', 'findOne', 'delete', 'trash', 'restore'],
  versions: ['find', 'findOne', 'update', 'versions', 'restoreVersion'],
}
for (const [name, actions] of Object.entries(ofTags))
  describe(`the page of ${name}, which the sample app does without`, () => {
    const enabled = {
      plugins: { [name]: { enabled: true } },
      options: { tag: { [name]: true } },
      roles: { public: { tag: actions } },
    }
    answersAsPrinted(examplesOf(textOf(`plugins/${name}/README.md`)), () => bootSample(memory, enabled))
  })

for (const name of ['api-tokens', 'i18n'])
  describe(`the page of ${name}`, () => {
    answersAsPrinted(examplesOf(detail(`plugins/${name}/README.md`)), () => bootSample(memory))
  })

describe('the page of searches', () => {
  const search = { article: ['title^10', 'body'] }
  answersAsPrinted(examplesOf(textOf('core/query/search/README.md')), () => bootSample(memory, { search }))
})

describe('the pages', () => {
  for (const file of [
    'README.md',
    'plugins/README.md',
    'plugins/own-plugins.md',
    'core/query/search/README.md',
    ...['README', 'editing', 'accessibility', 'extending'].map(name => `plugins/console/${name}.md`),
    ...course,
  ])
    it(`${file} links to what is there`, () => {
      const page = textOf(file)
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

/** Files of this repository import the public API and the plugins by their paths, those of an app by their names. */
function imported(text: string): string {
  return text
    .replaceAll(/'(\.\.\/)+core\/index\.js'/g, "'stele'")
    .replaceAll(/'(\.\.\/)+core\/plugin-kit\.js'/g, "'stele/kit'")
    .replaceAll(/'(\.\.\/)+plugins\/([\w-]+)\/index\.js'/g, "'stele/plugins/$2'")
}
