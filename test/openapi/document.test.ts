import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { createTestApp, definePlugin, oneOf, type TestAppOptions } from '../../core/index.js'
import { draftAndPublish } from '../../plugins/draft-and-publish/index.js'
import { i18n } from '../../plugins/i18n/index.js'
import { queryBody } from '../../plugins/query-body/index.js'
import { upload } from '../../plugins/upload/index.js'
import { documentOf } from './outline.js'
import { type Document, DocumentReader } from './reader.js'

const types = {
  article: {
    options: { draftAndPublish: true },
    attributes: {
      title: { type: 'string', required: true, maxLength: 20 },
      kind: { type: 'enumeration', enum: ['note', 'guide'] },
      views: { type: 'integer', min: 0 },
      secret: { type: 'string', private: true },
      password: { type: 'password' },
      author: { type: 'relation', relation: 'manyToOne', target: 'api::author.author', inversedBy: 'articles' },
      seo: { type: 'component', component: 'shared.seo' },
      blocks: { type: 'dynamiczone', components: ['blocks.quote', 'blocks.text'] },
      about: { type: 'relation', relation: 'morphToMany' },
      cover: { type: 'media' },
      pictures: { type: 'media', multiple: true },
    },
  },
  author: {
    attributes: {
      name: { type: 'string' },
      articles: { type: 'relation', relation: 'oneToMany', target: 'api::article.article', mappedBy: 'author' },
    },
  },
  home: { kind: 'singleType', attributes: { text: { type: 'text' } } },
}
const components = {
  'shared.seo': { attributes: { description: { type: 'string', required: true }, image: { type: 'media' } } },
  'blocks.quote': { attributes: { text: { type: 'text' } } },
  'blocks.text': { attributes: { body: { type: 'richtext' } } },
}

interface World {
  readonly document: Document
  readonly reader: DocumentReader
}

let usual: Promise<World> | undefined

/** The document of these types, and what reads it; with options, of another app. */
function worldOf(options?: TestAppOptions): Promise<World> {
  if (options) return make(options)
  usual ??= make({})
  return usual
}

async function make(options: TestAppOptions): Promise<World> {
  const app = await createTestApp({ types, components, plugins: [draftAndPublish, upload], ...options })
  try {
    const document = await documentOf(app.outline)
    return { document, reader: new DocumentReader(document) }
  } finally {
    await app.close()
  }
}

const schema = (name: string) => ['components', 'schemas', name]

describe('schemas of filters', () => {
  const cases = [
    { says: 'a value', filters: { title: 'Bread' } },
    { says: 'an operator', filters: { title: { $containsi: 'bread' } } },
    { says: 'relations to any depth', filters: { author: { articles: { author: { name: { $eq: 'Ada' } } } } } },
    { says: 'a relation by its id', filters: { author: { $in: [1, '2'] } } },
    { says: 'groups', filters: { $or: [{ title: 'a' }, { $not: { views: { $gt: 5 } } }] } },
    { says: 'components', filters: { seo: { description: { $null: true } } } },
    { says: 'groups of operators on an attribute', filters: { title: { $not: { $contains: 'x' } } } },
    { says: 'no unknown attribute', filters: { titel: 'Bread' }, wrong: true },
    { says: 'no unknown operator', filters: { title: { $like: 'x' } }, wrong: true },
    { says: 'no operator of text on a number', filters: { views: { $startsWith: 'x' } }, wrong: true },
    { says: 'no value that an enumeration lacks', filters: { kind: { $eq: 'essay' } }, wrong: true },
    { says: 'no private attribute', filters: { secret: 'x' }, wrong: true },
    { says: 'no password', filters: { password: 'x' }, wrong: true },
    { says: 'no dynamic zone', filters: { blocks: { text: 'x' } }, wrong: true },
  ]
  for (const { says, filters, wrong = false } of cases)
    it(`take ${says}`, async () => {
      const { reader } = await worldOf()
      assert.equal(reader.problems(schema('ArticleFilters'), filters).length > 0, wrong)
    })
})

describe('schemas of populate', () => {
  const cases = [
    { says: 'a name', populate: { author: true } },
    { says: 'everything of a relation', populate: { author: '*' } },
    {
      says: 'parameters at any depth',
      populate: { author: { fields: ['name'], populate: { articles: { sort: ['title:asc'] } } } },
    },
    { says: 'names separated by commas, inside', populate: { author: { populate: 'articles' } } },
    {
      says: 'components of a zone by their names',
      populate: { blocks: { on: { 'blocks.quote': { fields: ['text'] } } } },
    },
    { says: 'parameters of plugins that hold there', populate: { author: { publicationState: 'preview' } } },
    { says: 'no unknown field', populate: { author: { fields: ['nam'] } }, wrong: true },
    { says: 'no unknown parameter', populate: { author: { filter: {} } }, wrong: true },
  ]
  for (const { says, populate, wrong = false } of cases)
    it(`take ${says}`, async () => {
      const { reader } = await worldOf()
      assert.equal(reader.problems(schema('ArticlePopulate'), populate).length > 0, wrong)
    })
})

describe('what is served', () => {
  const localized = { i18n: { localized: true } }
  const attributes = { code: { type: 'string', unique: true }, text: { type: 'text', pluginOptions: localized } }
  const own = {
    page: {
      pluginOptions: localized,
      attributes: {
        ...attributes,
        isNew: { type: 'boolean' },
        next: { type: 'relation', relation: 'oneToMany', target: 'api::page.page' },
      },
    },
    home: { kind: 'singleType', pluginOptions: localized, attributes },
    plain: { kind: 'singleType', attributes },
  }
  const asked = [
    '/pages?sort[0][text]=asc&sort[1][id]=desc',
    '/pages?sort[0]=text&sort[1][id]=DESC',
    '/pages?sort[text]=asc',
    '/pages?populate[next][sort][0][text]=asc&populate[next][sort][1][id]=desc',
    ...['true', 'false', 't', 'f', '1', '0'].flatMap(word => [
      `/pages?filters[isNew]=${word}`,
      `/pages?filters[isNew][$in][0]=${word}`,
      `/pages?filters[text][$null]=${word}`,
      `/pages?pagination[withCount]=${word}`,
      `/pages?populate[next]=${word}`,
      `/pages?fallback=${word}`,
    ]),
    '/pages/1?filters[text]=nothing',
    '/pages/by/code/p?filters[text]=p',
    '/home?filters[text]=h',
    '/home?locale=all',
    '/pages/by/code/p?locale=all',
  ]
  const refused = [
    '/pages?sort[0][text]=up',
    '/pages?filters[isNew]=yes',
    '/pages?filters[text][$null]=no',
    '/pages?pagination[withCount]=yes',
    '/pages?populate[next]=yes',
  ]
  for (const dialect of ['spec', 'strapi4'] as const)
    it(`in ${dialect} is described: sorts, words for true and false, filters of one entry, entries in all locales`, async () => {
      const app = await createTestApp({
        types: own,
        plugins: [[i18n, { locales: ['en', 'de'] }]],
        config: { api: { rest: { dialect } } },
      })
      try {
        for (const path of ['/pages', '/home', '/plain']) {
          const data = { code: path.slice(1, 2), text: path.slice(1, 2) }
          await app.inject({ method: path === '/pages' ? 'POST' : 'PUT', url: `/api${path}`, payload: { data } })
        }
        const reader = new DocumentReader(await documentOf(app.outline))
        const wrongIn = async (url: string) => {
          const { statusCode, payload } = await app.inject({ method: 'GET', url: `/api${url}` })
          const [path = '', query = ''] = url.split('?')
          const match = reader.match('GET', `/api${path}`)
          assert.ok(match, url)
          const body = JSON.parse(payload)
          const wrong = reader.wrongQuery(match, query)
          return { status: statusCode, wrong, odd: reader.wrongResponse(match, statusCode, body) }
        }
        for (const url of asked) assert.deepEqual(await wrongIn(url), { status: 200, wrong: [], odd: [] }, url)
        for (const url of refused) assert.ok((await wrongIn(url)).wrong.length > 0, url)
        const list = JSON.parse((await app.inject({ method: 'GET', url: '/api/home?locale=all' })).payload)
        assert.equal(list.data.length, 1, 'a list is what was asked for')
        const { responses } = reader.match('GET', '/api/plain')?.operation ?? {}
        assert.equal(JSON.stringify(responses?.['200']).includes('anyOf'), false, 'it has one language')
      } finally {
        await app.close()
      }
    })
})

describe('schemas of what is written', () => {
  const cases = [
    { says: 'a relation as an id', data: { title: 'a', author: 1 } },
    {
      says: 'a relation as changes',
      data: { title: 'a', author: { connect: [{ id: 1, position: { start: true } }] } },
    },
    { says: 'components', data: { title: 'a', seo: { description: 'x', image: 4 } } },
    { says: 'zones with their names', data: { title: 'a', blocks: [{ __component: 'blocks.quote', text: 'x' }] } },
    { says: 'entries of any type with theirs', data: { title: 'a', about: [{ id: 1, __type: 'api::author.author' }] } },
    { says: 'a draft that lacks what is required', data: { publishedAt: null } },
    { says: 'no entry that lacks it and is no draft', data: { views: 1 }, wrong: true },
    { says: 'no text that is too long', data: { title: 'a'.repeat(21) }, wrong: true },
    {
      says: 'no component of another zone',
      data: { title: 'a', blocks: [{ __component: 'shared.seo' }] },
      wrong: true,
    },
    { says: 'no number below the least', data: { title: 'a', views: -1 }, wrong: true },
  ]
  for (const { says, data, wrong = false } of cases)
    it(`take ${says}`, async () => {
      const { reader } = await worldOf()
      const match = reader.match('POST', '/api/articles')
      assert.ok(match)
      assert.equal(reader.wrongBody(match, { data }).length > 0, wrong)
    })
})

describe('operations', () => {
  const operation = async (method: string, path: string, options?: TestAppOptions) => {
    const { reader } = await worldOf(options)
    const match = reader.match(method, path)
    assert.ok(match, `${method} ${path}`)
    return match.operation
  }

  it('have names to call them by', async () => {
    const { document } = await worldOf()
    const ids = Object.values(document.paths).flatMap(item => Object.values(item).map(({ operationId }) => operationId))
    for (const id of [
      'findArticles',
      'findArticle',
      'createArticle',
      'updateArticle',
      'deleteArticle',
      'findHome',
      'updateHome',
    ])
      assert.ok(ids.includes(id), id)
    assert.ok(ids.includes('postArticlesByIdActionsPublish'))
    assert.equal(new Set(ids).size, ids.length)
  })

  it('name their permission, in words and for programs', async () => {
    const { description, 'x-stele-permission': permission } = await operation('POST', '/api/articles')
    assert.equal(permission, 'api::article.article.create')
    assert.equal(description, 'Requires the permission `api::article.article.create`.')
  })

  it('take each key of pagination as a parameter of its own', async () => {
    const { parameters = [] } = await operation('GET', '/api/articles')
    const refs = parameters.map(({ $ref }) => $ref)
    assert.ok(refs.includes('#/components/parameters/pagination.page'))
    assert.ok(refs.includes('#/components/parameters/pagination.withCount'))
  })

  it('of one entry take no parameters of lists', async () => {
    const { parameters = [] } = await operation('GET', '/api/articles/1')
    const names = parameters.map(({ name, $ref }) => name ?? $ref)
    const filters = parameters.find(({ name }) => name === 'filters')
    assert.match(String(filters?.description), /without effect/)
    assert.deepEqual(names, [
      ...['id', 'fields', 'populate', 'publicationState', 'filters'],
      '#/components/parameters/IfNoneMatch',
    ])
  })

  it('that create may be sent again, and the others may not', async () => {
    const keyed = ({ parameters = [] }: { parameters?: readonly object[] }) =>
      parameters.some(one => '$ref' in one && one.$ref === '#/components/parameters/IdempotencyKey')
    assert.ok(keyed(await operation('POST', '/api/articles')))
    assert.equal(keyed(await operation('PUT', '/api/articles/1')), false)
    const off = { config: { server: { idempotency: { maxAge: 0 } } } }
    assert.equal(keyed(await operation('POST', '/api/articles', off)), false)
  })

  it('take forms where a plugin reads them, with the files of components', async () => {
    const { requestBody } = await operation('POST', '/api/articles')
    const { content } = requestBody as { content: Record<string, { schema: { properties: object } }> }
    const { properties = {} } = content['multipart/form-data']?.schema ?? {}
    assert.deepEqual(Object.keys(properties), ['data', 'files.seo.image', 'files.cover', 'files.pictures'])
  })

  it('ask for credentials where callers can have some', async () => {
    assert.deepEqual((await operation('GET', '/api/articles')).security, [])
    const names = definePlugin({ name: 'names', authenticate: () => undefined })
    const options = { plugins: [names, draftAndPublish, upload] }
    assert.deepEqual((await operation('GET', '/api/articles', options)).security, [{ bearer: [] }, {}])
  })

  it('of plugins have the parameters, bodies and responses that the plugin declares', async () => {
    const lending = definePlugin({
      name: 'lending',
      params: { shelf: { ...oneOf('open', 'closed'), actions: ['find'] } },
      routes: [
        {
          method: 'POST',
          path: '/lendings/:book',
          action: 'lend',
          credentials: 'needed',
          asks: { days: { type: 'integer' } },
          accepts: { type: 'object', properties: { note: { type: 'string' } } },
          answers: { 201: { entry: 'api::author.author' }, 204: 'nothing' },
          run: () => undefined,
        },
      ],
    })
    const { reader, document } = await worldOf({ plugins: [lending, draftAndPublish, upload] })
    const match = reader.match('POST', '/api/lendings/x')
    assert.ok(match)
    assert.deepEqual(reader.wrongQuery(match, 'days=3'), [])
    assert.equal(reader.wrongQuery(match, 'days=some').length, 1)
    assert.equal(reader.wrongBody(match, { note: {} }).length, 1)
    assert.deepEqual(reader.wrongResponse(match, 201, { data: { id: 1, attributes: { name: 'Ada' } }, meta: {} }), [])
    assert.deepEqual(reader.wrongResponse(match, 204, ''), [])
    assert.deepEqual(match.operation.security, [{ bearer: [] }])
    const list = reader.match('GET', '/api/articles')
    assert.ok(list)
    assert.deepEqual(reader.wrongQuery(list, 'shelf=open'), [])
    assert.equal(reader.wrongQuery(list, 'shelf=lost').length, 1)
    assert.equal(document.paths['/api/articles']?.get?.tags[0], 'Article')
  })
})

describe('responses', () => {
  const entry = (attributes: object, meta?: object) => ({ data: { id: 1, attributes, ...meta }, meta: {} })
  const listed = { meta: { availableLocales: [] } }
  const cases = [
    { says: 'have attributes that may have no value', body: entry({ title: null }, listed) },
    { says: 'have no private attribute', body: entry({ secret: 'x' }), wrong: true },
    {
      says: 'have relations in their envelope',
      body: entry({ author: { data: { id: 1, attributes: { name: 'Ada' } } } }),
    },
    { says: 'have no relation without it', body: entry({ author: { id: 1 } }), wrong: true },
    {
      says: 'have the components of a zone with their names',
      body: entry({ blocks: [{ id: 1, __component: 'blocks.quote', text: 'x' }] }),
    },
    { says: 'have none without', body: entry({ blocks: [{ id: 1, text: 'x' }] }), wrong: true },
    { says: 'have none of another zone', body: entry({ blocks: [{ id: 1, __component: 'shared.seo' }] }), wrong: true },
    { says: 'have an empty list of files', body: entry({ pictures: { data: [] } }) },
    { says: 'have no null in its place', body: entry({ pictures: { data: null } }), wrong: true },
  ]
  for (const { says, body, wrong = false } of cases)
    it(says, async () => {
      const { reader } = await worldOf()
      const match = reader.match('GET', '/api/articles/1')
      assert.ok(match)
      const problems = reader.wrongResponse(match, 200, body)
      assert.equal(problems.length > 0, wrong, problems.join())
    })

  it('have what a flag of the dialect says', async () => {
    const rest = { dialect: 'strapi4' as const }
    const { reader } = await worldOf({ config: { api: { rest } } })
    const match = reader.match('GET', '/api/articles/1')
    assert.ok(match)
    assert.deepEqual(reader.wrongResponse(match, 200, entry({ pictures: { data: null } })), [])
    assert.equal(reader.wrongResponse(match, 200, entry({}, listed)).length, 1)
  })

  it('have the form of the format of a type', async () => {
    const flat = definePlugin({
      name: 'flat',
      formats: {
        flat: {
          entry: 'plain',
          one: entry => ({ item: entry }),
          many: entries => ({ items: entries }),
          shape: {
            one: entry => ({ type: 'object', properties: { item: entry }, required: ['item'] }),
            many: entry => ({
              type: 'object',
              properties: { items: { type: 'array', items: entry } },
              required: ['items'],
            }),
          },
        },
      },
    })
    const note = { options: { format: 'flat' }, attributes: { text: { type: 'string' } } }
    const { reader } = await worldOf({ types: { note }, plugins: [flat, upload] })
    const match = reader.match('GET', '/api/notes')
    assert.ok(match)
    assert.deepEqual(reader.wrongResponse(match, 200, { items: [{ id: 1, text: 'x' }] }), [])
    assert.equal(reader.wrongResponse(match, 200, { data: [] }).length, 1)
  })

  it('of refusals are errors', async () => {
    const { reader } = await worldOf()
    const match = reader.match('GET', '/api/articles/1')
    assert.ok(match)
    const error = { status: 404, name: 'NotFoundError', message: 'Not Found', details: {} }
    assert.deepEqual(reader.wrongResponse(match, 404, { data: null, error }), [])
    assert.equal(reader.wrongResponse(match, 404, { error: 'no' }).length, 1)
  })
})

describe('names', () => {
  it('of types that begin alike are told apart', async () => {
    const attributes = { text: { type: 'string' } }
    const { document } = await worldOf({
      types: { note: { attributes }, 'note-filters': { attributes }, error: { attributes } },
    })
    const names = Object.keys(document.components.schemas ?? {})
    for (const name of ['Note', 'NoteFilters', 'Error', 'Error2']) assert.ok(names.includes(name), name)
    assert.equal(new Set(names).size, names.length)
  })

  it('of schemas are all used', async () => {
    const { document } = await worldOf()
    const text = JSON.stringify(document)
    for (const name of Object.keys(document.components.schemas ?? {}))
      assert.ok(text.includes(`"#/components/schemas/${name}"`), name)
  })
})

describe('what is sent in bodies', () => {
  const limited = definePlugin({
    name: 'limited',
    params: {
      depth: {
        read: value => Number(value),
        nested: true,
        schema: { type: 'object', properties: { of: { type: 'integer', default: 3 } } },
      },
    },
    routes: [
      {
        method: 'POST',
        path: '/limits',
        action: null,
        accepts: {
          type: 'object',
          properties: { default: { type: 'string', default: 'x' }, many: { type: 'integer', default: 1 } },
        },
        run: () => ({}),
      },
    ],
  })
  const own = {
    note: {
      attributes: {
        text: { type: 'string', default: 'new' },
        part: { type: 'component', component: 'a.part' },
        notes: { type: 'relation', relation: 'oneToMany', target: 'api::note.note' },
      },
    },
  }
  const parts = { 'a.part': { attributes: { size: { type: 'integer', default: 5 } } } }

  it('has no defaults, which generators take for values that are always there', async () => {
    const { document } = await worldOf({ types: own, components: parts, plugins: [queryBody, limited] })
    const defaults: string[] = []
    const seen = new Set<string>()
    const walk = (schema: unknown, at: string): void => {
      if (typeof schema !== 'object' || schema === null) return

      const { $ref, properties = {}, ...words } = schema as Record<string, unknown>
      if (Object.hasOwn(words, 'default')) defaults.push(at)
      for (const [name, inner] of Object.entries(Object(properties))) walk(inner, `${at}.${name}`)
      for (const [name, inner] of Object.entries(Array.isArray(schema) ? schema : words)) walk(inner, `${at}.${name}`)
      if (typeof $ref !== 'string' || seen.has($ref)) return
      seen.add($ref)
      walk(
        $ref
          .split('/')
          .slice(1)
          .reduce((value: unknown, key) => Object(value)[key], document),
        $ref,
      )
    }
    for (const [path, item] of Object.entries(Object(document.paths)))
      for (const [method, operation] of Object.entries(Object(item)))
        for (const { schema } of Object.values(Object(Object(operation).requestBody).content ?? {}) as {
          schema: unknown
        }[])
          walk(schema, `${method} ${path}`)
    assert.deepEqual(defaults, [])
    for (const name of ['NoteCreate', 'NoteUpdate', 'APartInput', 'NoteListQuery', 'NoteNested'])
      assert.ok(seen.has(`#/components/schemas/${name}`), [...seen].join())
    const text = Object(document.components?.schemas).NoteCreate.properties.text
    assert.equal(text.description, 'where it is not sent: "new"')
  })
})

describe('an attribute that is sent with a new entry alone', () => {
  it('is in the bodies that create one', async () => {
    const options = { pluginOptions: { i18n: { localized: true } } }
    const page = { ...options, attributes: { title: { type: 'string', required: true } } }
    const { document } = await worldOf({
      types: { page },
      components: {},
      plugins: [[i18n, { locales: ['en', 'de'] }]],
    })
    const bodyOf = (path: string, method: string) =>
      Object(document.paths)[path][method].requestBody.content['application/json'].schema.properties.data.$ref
    const has = (ref: string) =>
      Object.hasOwn(Object(document.components?.schemas)[ref.split('/').at(-1) ?? ''].properties, 'locale')
    assert.equal(has(bodyOf('/api/pages', 'post')), true)
    assert.equal(has(bodyOf('/api/pages/{id}/localizations', 'post')), true)
    assert.equal(has(bodyOf('/api/pages/{id}', 'put')), false)
  })
})
