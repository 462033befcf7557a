import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, inject, it, onTestFinished } from 'vitest'
import { kebab } from '../../../plugins/strapi-code/project/folders.js'
import { languageOf } from '../../../plugins/strapi-code/project/language.js'
import { addRoot } from '../../../plugins/strapi-code/project/modules.js'
import { getAt, hasAt, mergeOver, setAt } from '../../../plugins/strapi-code/project/paths.js'
import { loadProject } from '../../../plugins/strapi-code/project/project.js'
import type { Failure, Loose } from '../../../plugins/strapi-code/types.js'

type Files = Readonly<Record<string, string>>

/** A folder with these files. */
function folderOf(files: Files): string {
  const folder = mkdtempSync(path.join(inject('folder'), 'loading-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  write(folder, files)
  return folder
}

function write(folder: string, files: Files): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    writeFileSync(path.join(folder, name), text)
  }
}

const ours = { factories: { createCoreController: (uid: string) => ({ uid }) } }

/** Loads a folder as the plugin does, with a package of Strapi in place of all others. */
function loaded(folder: string) {
  const language = languageOf(folder)
  const release = addRoot({
    appDir: folder,
    compiledTo: language.compiledTo,
    provide: request => (request === '@strapi/strapi' ? ours : undefined),
  })
  onTestFinished(release)
  const failures: Failure[] = []
  const project = loadProject(folder, language, failure => void failures.push(failure))
  return { project, failures: failures.map(({ says }) => says), api: (name: string) => project.apis.get(name) as Loose }
}

describe('the files of a project', () => {
  it('are loaded in the order of their names, by the names that code uses', () => {
    const { project, failures } = loaded(
      folderOf({
        'src/api/b/routes/02-late.js': 'module.exports = { routes: [] }',
        'src/api/b/routes/01-early.js': 'module.exports = { routes: [] }',
        'src/api/b/controllers/myThing.js': 'module.exports = { find() {} }',
        'src/api/b/controllers/notes.md': 'no code',
        'src/api/a/services/a.js': 'module.exports = () => ({})',
        'src/policies/isOwner.js': 'module.exports = () => true',
        'src/middlewares/x.js': 'module.exports = () => () => {}',
        'src/index.js': 'module.exports = { register() { return this.x }, x: 5 }',
        'src/extensions/users-permissions/strapi-server.js': 'module.exports = plugin => plugin',
      }),
    )
    assert.deepEqual(failures, [])
    assert.deepEqual([...project.apis.keys()], ['a', 'b'])
    const b = project.apis.get('b')
    assert.deepEqual(
      [b?.routes.map(({ name, file }) => [name, file]), [...(b?.controllers.keys() ?? [])]],
      [
        [
          ['01-early', 'src/api/b/routes/01-early.js'],
          ['02-late', 'src/api/b/routes/02-late.js'],
        ],
        ['my-thing'],
      ],
    )
    assert.deepEqual([[...project.policies.keys()], [...project.middlewares.keys()]], [['isOwner'], ['x']])
    assert.equal(project.index.register?.(), 5)
    assert.equal(typeof project.extensions.get('users-permissions')?.server, 'function')
  })

  const languages: readonly (readonly [says: string, files: Files])[] = [
    [
      'CommonJS',
      {
        'c.js':
          "const { factories } = require('@strapi/strapi'); module.exports = factories.createCoreController('api::a.a')",
      },
    ],
    [
      'ES modules',
      {
        'c.js': "import { factories } from '@strapi/strapi'\nexport default factories.createCoreController('api::a.a')",
      },
    ],
    [
      'ES modules that import all of a package',
      {
        'c.js': "import strapi from '@strapi/strapi'\nexport default strapi.factories.createCoreController('api::a.a')",
      },
    ],
    [
      'TypeScript',
      {
        'c.ts':
          "import { factories } from '@strapi/strapi'\nimport type { X } from './nowhere'\nenum E { A = 'api::a.a' }\nexport default factories.createCoreController(E.A satisfies X as string)",
        '../../../../tsconfig.json': '{ // a comment\n "compilerOptions": { "outDir": "build", }, }',
      },
    ],
  ]
  for (const [says, files] of languages)
    it(`may be ${says}, and get the packages of Strapi from here`, () => {
      const folder = folderOf({})
      write(path.join(folder, 'src/api/a/controllers'), files)
      const { api, failures } = loaded(folder)
      assert.deepEqual([failures, api('a').controllers.get('c')], [[], { uid: 'api::a.a' }])
    })

  it('get these packages by import() as well', async () => {
    const { api } = loaded(
      folderOf({
        'src/api/a/services/s.ts': "export default async () => (await import('@strapi/strapi')).factories",
        'src/api/a/services/js.js': "module.exports = async () => (await import('@strapi/strapi')).default.factories",
        'tsconfig.json': '{ "compilerOptions": { "allowJs": true } }',
      }),
    )
    for (const name of ['s', 'js']) assert.equal(await api('a').services.get(name)(), ours.factories)
  })

  it('import packages of either kind', async () => {
    const { api, failures } = loaded(
      folderOf({
        'node_modules/esm/package.json': '{ "name": "esm", "type": "module", "exports": "./index.js" }',
        'node_modules/esm/index.js': 'export const n = 1\nexport default 2',
        'node_modules/cjs/index.js': 'exports.n = 3',
        'src/api/a/services/js.js': "module.exports = async () => [await import('esm'), await import('cjs')]",
        'src/api/a/services/ts.ts': "export default async () => [await import('esm'), await import('cjs')]",
        'tsconfig.json': '{ "compilerOptions": { "allowJs": true } }',
      }),
    )
    assert.deepEqual(failures, [])
    for (const name of ['js', 'ts']) {
      const [esm, cjs] = await api('a').services.get(name)()
      assert.deepEqual([esm.n, esm.default, cjs.n, cjs.default], [1, 2, 3, { n: 3 }])
    }
  })

  it('of a project in TypeScript are those that its compiler would write, unless it takes JavaScript too', () => {
    const files = {
      'src/api/a/controllers/js.js': 'module.exports = {}',
      'src/api/a/controllers/ts.ts': 'export default {}',
      'src/api/a/controllers/ts.test.ts': 'throw new Error()',
      'src/api/a/controllers/types.d.ts': 'export {}',
    }
    const names = (more: Files) => [
      ...loaded(folderOf({ ...files, ...more }))
        .api('a')
        .controllers.keys(),
    ]
    assert.deepEqual(names({ 'tsconfig.json': '{}' }), ['ts'])
    assert.deepEqual(names({ 'tsconfig.json': '{ "compilerOptions": { "allowJs": true } }' }), ['js', 'ts'])
    assert.deepEqual(
      names({ 'tsconfig.json': '{ "extends": "./base" }', 'base.json': '{ "compilerOptions": { "allowJs": true } }' }),
      ['js', 'ts'],
    )
  })

  it('in TypeScript see the folder of the compiler as theirs, and find their neighbours all the same', () => {
    const folder = folderOf({
      'tsconfig.json': '{ "compilerOptions": { "outDir": "dist", "allowJs": true } }',
      'src/api/a/services/s.ts':
        "import path from 'path'\nimport { one } from '../../../one'\nexport default { dir: __dirname, one, two: require(path.join(__dirname, '../../../two.js')).two }",
      'src/one.ts': 'export const one: number = 1',
      'src/two.ts': 'export const two = 2',
    })
    assert.deepEqual(loaded(folder).api('a').services.get('s'), {
      dir: path.join(folder, 'dist/src/api/a/services'),
      one: 1,
      two: 2,
    })
  })

  it('share one module, whichever language asks for it', () => {
    const { api } = loaded(
      folderOf({
        'tsconfig.json': '{ "compilerOptions": { "allowJs": true } }',
        'src/common.ts': 'export const state: { n: number } = { n: 0 }',
        'src/api/a/services/one.ts': "import { state } from '../../../common'\nexport default state",
        'src/api/a/services/two.js': "module.exports = require('../../../common').state",
      }),
    )
    assert.equal(api('a').services.get('one'), api('a').services.get('two'))
  })

  it('find packages where the project has them', () => {
    const folder = folderOf({
      'node_modules/pack/index.js': "module.exports = { strapi: require('@strapi/strapi'), n: 5 }",
      'node_modules/@strapi/strapi/index.js': "throw new Error('the one that is installed')",
      'src/api/a/services/s.js': "module.exports = require('pack')",
    })
    assert.deepEqual(loaded(folder).api('a').services.get('s'), { strapi: ours, n: 5 })
  })

  it('are loaded again when the folder is opened again, and packages are not', () => {
    const folder = folderOf({
      'node_modules/pack/index.js': 'module.exports = {}',
      'src/api/a/services/s.js': "module.exports = { pack: require('pack'), n: 1 }",
    })
    const first = loaded(folder).api('a').services.get('s')
    write(folder, { 'src/api/a/services/s.js': "module.exports = { pack: require('pack'), n: 2 }" })
    const second = loaded(folder).api('a').services.get('s')
    assert.deepEqual([first.n, second.n, first.pack === second.pack], [1, 2, true])
  })

  it('may be in a folder that a link leads to', () => {
    const folder = folderOf({ 'src/api/a/services/s.js': "module.exports = require('@strapi/strapi')" })
    const link = `${folder}-link`
    symlinkSync(folder, link)
    onTestFinished(() => rmSync(link))
    assert.equal(loaded(link).api('a').services.get('s'), ours)
  })
})

describe('a file that cannot be loaded', () => {
  const cases: readonly (readonly [says: string, files: Files, failure: RegExp])[] = [
    [
      'a mistake of the syntax',
      { 'src/api/a/controllers/c.js': 'module.exports = {\n  a: { b: 1 ;\n}' },
      /^src\/api\/a\/controllers\/c\.js, line 2: Unexpected token/,
    ],
    [
      'a mistake of the syntax in TypeScript',
      { 'src/api/a/controllers/c.ts': 'const a: number = 1\nexport default { a: { b: 1 ; }\n', 'tsconfig.json': '{}' },
      /^src\/api\/a\/controllers\/c\.ts, line 2: /,
    ],
    [
      'what it throws',
      { 'src/api/a/services/s.js': "\nif (!process.env.NOT_SET_HERE) throw new Error('NOT_SET_HERE is missing')" },
      /^src\/api\/a\/services\/s\.js, line 2: NOT_SET_HERE is missing$/,
    ],
    [
      'what a file that it loads throws',
      { 'src/api/a/services/s.js': "require('../../../lib')", 'src/lib.js': "throw new Error('no')" },
      /^src\/lib\.js, line 1: no \(loaded by src\/api\/a\/services\/s\.js\)$/,
    ],
    [
      'a package that is missing',
      { 'src/policies/p.js': "'use strict'\n\nconst x = require('not-installed/sub')" },
      /^src\/policies\/p\.js, line 3: the package "not-installed" is not installed; run npm install in /,
    ],
    [
      'a package that package.json does not list',
      { 'src/policies/p.js': "require('@some/pack')", 'node_modules/other/index.js': '' },
      /^src\/policies\/p\.js, line 1: the package "@some\/pack" is not installed; run npm install @some\/pack in /,
    ],
    [
      'a file that is missing',
      { 'src/middlewares/m.js': "require('./not-there')" },
      /^src\/middlewares\/m\.js, line 1: there is no file \.\/not-there$/,
    ],
    [
      'events that lifecycles do not have',
      {
        'src/api/a/content-types/a/schema.json': '{}',
        'src/api/a/content-types/a/lifecycles.js': 'module.exports = { beforeEverything() {}, afterCreate() {} }',
      },
      /^src\/api\/a\/content-types\/a\/lifecycles\.js: beforeEverything is no event of lifecycles; beforeCreate, /,
    ],
  ]
  for (const [says, files, failure] of cases)
    it(`is named with its line and the reason: ${says}`, () => {
      const { failures } = loaded(folderOf(files))
      assert.equal(failures.length, 1)
      assert.match(failures[0] ?? '', failure)
    })

  it('keeps no other from being loaded', () => {
    const { api, failures } = loaded(
      folderOf({ 'src/api/a/services/bad.js': 'x y', 'src/api/a/services/good.js': 'module.exports = 5' }),
    )
    assert.deepEqual([failures.length, [...api('a').services]], [1, [['good', 5]]])
  })
})

describe('names and paths', () => {
  it('are in kebab case, as Strapi has them', () => {
    for (const [name, is] of [
      ['two-words', 'two-words'],
      ['twoWords', 'two-words'],
      ['TwoWords', 'two-words'],
      ['two_words', 'two-words'],
      ['api2', 'api2'],
      ['myAPIThing', 'my-api-thing'],
      ['01-custom', '01-custom'],
    ] as const)
      assert.equal(kebab(name), is)
  })

  it('lead into settings', () => {
    const of = { a: { b: [1, { c: 2 }], n: null }, 'x.y': 3 }
    assert.deepEqual(
      [getAt(of, 'a.b[1].c'), getAt(of, 'a.b.0'), getAt(of, ['a', 'n']), getAt(of, 'a.n.z', 4), getAt(of, 'x.y')],
      [2, 1, null, 4, 3],
    )
    assert.deepEqual([hasAt(of, 'a.b[1].c'), hasAt(of, 'a.c'), hasAt(of, 'a.n.z')], [true, false, false])
    setAt(of, 'a.new[0].deep', 5)
    assert.equal(getAt(of, 'a.new[0].deep'), 5)
    setAt(of, '__proto__.polluted', 1)
    assert.equal(({} as Loose).polluted, undefined)
  })

  it('are merged by keys, and lists by their places', () => {
    assert.deepEqual(mergeOver({ a: 1, b: { c: [1, 2, 3] } }, { b: { c: [9], d: undefined }, e: 5 }), {
      a: 1,
      b: { c: [9, 2, 3], d: undefined },
      e: 5,
    })
  })
})
