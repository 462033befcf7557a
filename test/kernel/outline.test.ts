import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { describe, it, onTestFinished } from 'vitest'
import { type AppOutline, createTestApp, definePlugin, oneOf } from '../../core/index.js'
import { isFilterable, shapeOfField } from '../../core/plugin-kit.js'
import { stele } from '../support/command.js'
import { folderOf } from '../support/terminal.js'

const types = {
  shelf: {
    pluralName: 'shelves',
    attributes: {
      label: { type: 'string', maxLength: 5 },
      books: { type: 'relation', relation: 'oneToMany', target: 'api::book.book', mappedBy: 'shelf' },
    },
  },
  book: {
    attributes: {
      title: { type: 'string', regex: '^[A-Z]' },
      pages: { type: 'integer', min: 1 },
      lent: { type: 'boolean' },
      shelf: { type: 'relation', relation: 'manyToOne', target: 'api::shelf.shelf', inversedBy: 'books' },
      cover: { type: 'component', component: 'shared.cover' },
      parts: { type: 'dynamiczone', components: ['shared.cover'] },
      hidden: { type: 'relation', relation: 'oneToOne', target: 'api::shelf.shelf', private: true },
      about: { type: 'relation', relation: 'morphToOne' },
    },
  },
  home: { kind: 'singleType', attributes: { text: { type: 'text' } } },
}
const components = { 'shared.cover': { attributes: { colour: { type: 'string' } } } }

const lending = definePlugin({
  name: 'lending',
  describe: 'who has which book',
  appliesTo: ({ uid }) => uid === 'api::book.book',
  params: {
    shelves: { ...oneOf('open', 'closed'), actions: ['find'] },
    everywhere: { read: String, everywhere: true, nested: true },
  },
  formats: { flat: { entry: 'plain', one: entry => entry, many: entries => entries } },
  routes: [
    {
      method: 'POST',
      path: '/lendings',
      at: 'root',
      action: 'lend',
      credentials: 'needed',
      describe: 'lend a book',
      asks: { days: { type: 'integer' } },
      accepts: { type: 'object', properties: { book: { type: 'integer' } } },
      answers: { 201: { entry: 'api::book.book' }, 204: 'nothing', 409: { media: 'text/plain' } },
      run: () => undefined,
    },
    { method: 'GET', path: '/lendings', action: null, answers: { type: 'array' }, run: () => [] },
    ({ uid, pluralName }) => [
      { method: 'GET', path: `/${pluralName}/lent`, action: 'find', answers: { entries: uid }, run: () => undefined },
    ],
  ],
})

/** The outline that a plugin gets in `register`, before anything has run. */
async function told(plugins = [lending]): Promise<AppOutline> {
  let outline: AppOutline | undefined
  const reader = definePlugin({
    name: 'reader',
    uses: plugins,
    register: host => {
      outline = host.outline
    },
  })
  const app = await createTestApp({ types, components, plugins: [...plugins, reader] })
  onTestFinished(() => app.close())
  assert.ok(outline)
  return outline
}

describe('the outline of an app', () => {
  it('lists every route with what it takes and answers, complete while plugins start', async () => {
    const { routes, types } = await told()
    const by = Object.fromEntries(routes.map(route => [`${route.method} ${route.path}`, route]))
    assert.deepEqual(by['POST /lendings'], {
      method: 'POST',
      path: '/lendings',
      generated: false,
      plugin: 'lending',
      action: 'lend',
      uid: 'plugin::lending',
      credentials: 'needed',
      describe: 'lend a book',
      takesBody: true,
      asks: { days: { type: 'integer' } },
      accepts: { kind: 'json', schema: { type: 'object', properties: { book: { type: 'integer' } } } },
      answers: {
        201: { kind: 'entry', uid: 'api::book.book' },
        204: { kind: 'nothing' },
        409: { kind: 'media', media: 'text/plain' },
      },
    })
    assert.deepEqual(by['GET /api/lendings']?.answers, { 200: { kind: 'json', schema: { type: 'array' } } })
    assert.deepEqual(by['GET /api/books/lent']?.answers, { 200: { kind: 'entries', uid: 'api::book.book' } })
    assert.deepEqual(by['POST /api/books'], {
      method: 'POST',
      path: '/api/books',
      generated: true,
      action: 'create',
      uid: 'api::book.book',
      describe: 'make one of books',
      takesBody: true,
      asks: {},
      asksAs: { uid: 'api::book.book', action: 'create' },
      accepts: { kind: 'input', uid: 'api::book.book', required: true, creates: true },
      answers: { 200: { kind: 'entry', uid: 'api::book.book' } },
    })
    assert.deepEqual(by['GET /api/home']?.asksAs, { uid: 'api::home.home', action: 'findOne' })
    const generated = [...types.types.values()].filter(({ routed }) => routed)
    const collections = generated.filter(({ kind }) => kind === 'collectionType')
    // Five for each type, two less for a single type, and the aggregates of the others.
    assert.equal(routes.length, 3 + generated.length * 5 - 2 + collections.length)
  })

  it('lists the parameters of core and of plugins, with the types that take them', async () => {
    const { params } = await told()
    const by = Object.fromEntries(params.map(param => [param.name, param]))
    assert.deepEqual(Object.keys(by), [
      ...['fields', 'sort', 'filters', '_q', 'highlight', 'populate', 'pagination', 'shelves', 'everywhere'],
    ])
    assert.deepEqual(by.shelves, {
      name: 'shelves',
      plugin: 'lending',
      nested: false,
      types: ['api::book.book'],
      describe: 'one of open, closed',
      actions: ['find'],
      schema: { type: 'string', enum: ['open', 'closed'] },
      default: 'open',
    })
    assert.deepEqual(by.everywhere, { name: 'everywhere', plugin: 'lending', nested: true, types: 'all' })
    assert.deepEqual(by.pagination?.actions, ['find'])
    assert.ok(by.populate?.nested && by.populate.actions === undefined)
  })

  it('lists the enabled plugins and the formats, the usual one first', async () => {
    const { plugins, formats } = await told()
    assert.deepEqual(plugins, [
      { name: 'lending', describe: 'who has which book', needs: [], uses: [], authenticates: false, parts: {} },
      { name: 'reader', needs: ['lending'], uses: [], authenticates: false, parts: {} },
    ])
    assert.deepEqual(
      formats.map(({ name, plugin, entry }) => [name, plugin, entry]),
      [
        [undefined, undefined, 'nested'],
        ['flat', 'lending', 'plain'],
      ],
    )
  })

  it('lists operators with the attributes on which they make sense', async () => {
    const { operators } = await told()
    const of = (family: string) =>
      operators.flatMap(({ name, families }) => (families.includes(family as never) ? [name] : []))
    const anywhere = ['$eq', '$ne', '$in', '$notIn', '$null', '$notNull', '$and', '$or', '$not']
    assert.deepEqual(of('equality').sort(), [...anywhere].sort())
    assert.deepEqual(of('order').sort(), [...anywhere, '$lt', '$lte', '$gt', '$gte', '$between'].sort())
    assert.equal(of('text').length, operators.length)
    assert.deepEqual(
      operators.find(({ name }) => name === '$between'),
      { name: '$between', describe: 'is between two values, both included', takes: 'two', families: ['order', 'text'] },
    )
  })

  it('cannot be changed by who reads it', async () => {
    const { routes, params, plugins, operators, formats, actions } = await told()
    for (const list of [routes, params, plugins, operators, formats, actions]) {
      assert.ok(Object.isFrozen(list) && list.every(Object.isFrozen) && list.length > 0)
      assert.throws(() => (list as unknown[]).push({}), TypeError)
    }
  })

  for (const dialect of ['spec', 'strapi4'] as const)
    it(`tells through which links filters go, as requests find it in ${dialect}`, async () => {
      const app = await createTestApp({ types, components, config: { api: { rest: { dialect } } } })
      onTestFinished(() => app.close())
      const { types: all, dialect: flags } = app.outline
      let asked = 0
      for (const [plural, uid] of [
        ['books', 'api::book.book'],
        ['shelves', 'api::shelf.shelf'],
      ] as const)
        for (const link of all.get(uid).links.values()) {
          const { statusCode } = await app.inject(`/api/${plural}?filters[${link.name}][id]=1`)
          assert.equal(statusCode === 200, isFilterable(link, flags), link.name)
          asked += 1
        }
      assert.ok(asked >= 6)
    })

  it('has schemas of the values of every attribute', async () => {
    const { types } = await told()
    const { fields } = types.get('api::book.book')
    const shape = (name: string) => shapeOfField(fields.get(name) as NonNullable<ReturnType<typeof fields.get>>)
    assert.deepEqual(shape('pages'), {
      read: { type: 'integer' },
      write: { type: 'integer', minimum: 1 },
      operand: { type: 'integer' },
    })
    assert.deepEqual(shape('title').write, { type: 'string', pattern: '^$|^[A-Z]' })
    assert.deepEqual(shape('lent').read, { type: 'boolean' })
    assert.deepEqual(shape('createdAt').read, { type: 'string', format: 'date-time' })
  })
})

describe('a command that needs only the outline', () => {
  it('runs without a database, with the outline and the settings of its plugin', async () => {
    const folder = folderOf({
      'package.json': '{"type":"module"}',
      'config/database.json':
        '{"connection":{"client":"postgres","connection":{"host":"127.0.0.1","port":1,"database":"none"}}}',
      'config/plugins.json': '{"lister":{"resolve":"./lister.js","config":{"word":"has"}}}',
      'lister.js': `export const lister = {
        name: 'lister',
        config: { type: 'object', properties: { word: { type: 'string' } } },
        register: () => { throw new Error('nothing is to be started') },
        commands: [{ name: 'endpoints', describe: 'how many endpoints', opens: 'outline',
          run: ({ app, config, print }, service) => print(config.word + ' ' + app.routes.length + ' ' + service) }],
      }`,
      'content-types/note.json': JSON.stringify({
        kind: 'collectionType',
        collectionName: 'notes',
        info: { singularName: 'note', pluralName: 'notes' },
        attributes: { text: { type: 'string' } },
      }),
    })
    const { stdout, stderr, status } = await stele(['endpoints', '--app', folder])
    assert.deepEqual([status, stdout], [0, 'has 6 undefined\n'], stderr)
    assert.ok(!existsSync(`${folder}/.tmp`))
  })
})
