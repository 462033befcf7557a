import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { transformResponse } from '../../../../plugins/strapi-code/http/transform-response.js'
import { permitted } from '../../../../plugins/strapi-code/packages/utils/access.js'
import { makeUtils } from '../../../../plugins/strapi-code/packages/utils/index.js'
import type { Bag, Loose } from '../../../../plugins/strapi-code/types.js'

const relation = (target: string, more: Bag = {}) => ({ type: 'relation', relation: 'manyToOne', target, ...more })
const models: Record<string, Loose> = {
  post: {
    uid: 'post',
    options: { draftAndPublish: true },
    attributes: {
      title: { type: 'string' },
      secret: { type: 'string', private: true },
      pass: { type: 'password' },
      author: relation('author'),
      tags: relation('tag', { relation: 'manyToMany' }),
      cover: { type: 'media' },
      seo: { type: 'component', component: 'seo' },
      parts: { type: 'component', component: 'seo', repeatable: true },
      zone: { type: 'dynamiczone', components: ['seo'] },
      any: { type: 'relation', relation: 'morphToMany' },
      createdAt: { type: 'datetime' },
      updatedAt: { type: 'datetime' },
      publishedAt: { type: 'datetime' },
      createdBy: relation('admin::user', { private: true, writable: false }),
    },
  },
  author: {
    uid: 'author',
    attributes: {
      name: { type: 'string' },
      email: { type: 'email', private: true },
      posts: relation('post', { relation: 'oneToMany' }),
    },
  },
  tag: { uid: 'tag', attributes: { name: { type: 'string' } } },
  seo: {
    uid: 'seo',
    attributes: { meta: { type: 'string' }, note: { type: 'string', private: true }, author: relation('author') },
  },
  'plugin::upload.file': {
    uid: 'plugin::upload.file',
    attributes: { url: { type: 'string' }, hash: { type: 'string' } },
  },
}
const getModel = (uid: string) => models[uid]
const utils = makeUtils({ getModel, dirs: { app: { root: '/nowhere' } } } as Loose)
const may = (...uids: string[]) => ({
  [permitted]: (action: string, uid: string) => action === 'find' && uids.includes(uid),
})
const author = { id: 2, name: 'Ada', email: 'a@x' }

describe('what clients see of an entry', () => {
  const entry = {
    id: 1,
    title: 't',
    secret: 's',
    pass: 'p',
    author,
    tags: [{ id: 3, name: 'n' }],
    cover: { id: 4, url: '/u' },
    seo: { id: 5, meta: 'm', note: 'n', author },
    zone: [{ id: 6, __component: 'seo', meta: 'm', note: 'n' }],
    any: [
      { id: 7, __type: 'tag', name: 'x' },
      { id: 8, __type: 'author', name: 'y' },
    ],
    createdBy: { id: 9 },
    extra: { own: 1 },
  }
  const output = utils.sanitize.contentAPI.output

  it('is what is neither private nor behind a type that the caller may not find', async () => {
    assert.deepEqual(await output(entry, models.post, { auth: may('tag') }), {
      id: 1,
      title: 't',
      tags: [{ id: 3, name: 'n' }],
      cover: { id: 4, url: '/u' },
      seo: { id: 5, meta: 'm' },
      zone: [{ id: 6, __component: 'seo', meta: 'm' }],
      any: [{ id: 7, __type: 'tag', name: 'x' }],
      extra: { own: 1 },
    })
  })
  it('has all relations without a caller, and none for an unknown caller', async () => {
    const [whole] = await output([entry], models.post)
    assert.deepEqual(whole.author, { id: 2, name: 'Ada' })
    assert.deepEqual(Object.keys(await output(entry, models.post, { auth: {} })), [
      'id',
      'title',
      'cover',
      'seo',
      'zone',
      'any',
      'extra',
    ])
  })
  it('is a copy, and other values as they are', async () => {
    await output(entry, models.post, {})
    assert.equal(entry.secret, 's')
    assert.deepEqual([await output(null, models.post), await output('x', models.post)], [null, 'x'])
  })
})

describe('what clients may set', () => {
  it('is not what the server sets, nor links to what they may not find', async () => {
    const { input } = utils.sanitize.contentAPI
    const data = {
      id: 1,
      title: 't',
      secret: 's',
      pass: 'p',
      createdAt: 'x',
      createdBy: 1,
      publishedAt: null,
      locale: 'en',
      extra: 1,
      author: 2,
      tags: [3],
      seo: { id: 5, author: 2 },
      zone: [{ __component: 'seo', author: 2, meta: 'm' }],
    }
    assert.deepEqual(await input(data, models.post, { auth: may('tag') }), {
      title: 't',
      secret: 's',
      pass: 'p',
      publishedAt: null,
      locale: 'en',
      extra: 1,
      tags: [3],
      seo: { id: 5 },
      zone: [{ __component: 'seo', meta: 'm' }],
    })
    assert.deepEqual(await input(null, models.post, { auth: may() }), {})
  })
})

describe('queries of clients', () => {
  const auth = may('tag')
  const clean = (query: Bag) => utils.sanitize.contentAPI.query(query, models.post, { auth })
  const cases: readonly { says: string; query: Bag; gives: Bag }[] = [
    {
      says: 'filters',
      query: {
        filters: {
          title: 'x',
          secret: 's',
          pass: 'p',
          nope: 1,
          author: { name: 'A' },
          tags: { name: { $eq: 'n' }, nope: 1 },
          $or: [{ nope: 1 }, { id: 1 }],
          $weird: { title: 1 },
        },
      },
      gives: { filters: { title: 'x', tags: { name: { $eq: 'n' } }, $or: [{}, { id: 1 }] } },
    },
    { says: 'ids of a relation', query: { filters: { tags: [1, 2], zone: 1 } }, gives: { filters: { tags: [1, 2] } } },
    {
      says: 'sort as text',
      query: { sort: 'title:desc,secret,tags.name,author.name' },
      gives: { sort: 'title:desc,tags.name' },
    },
    {
      says: 'sort as a list',
      query: { sort: ['secret', { title: 'asc', nope: 'asc' }, 'id'] },
      gives: { sort: [{ title: 'asc' }, 'id'] },
    },
    { says: 'sort of nothing known', query: { sort: 'nope' }, gives: {} },
    {
      says: 'fields keep private names',
      query: { fields: ['title', 'secret', 'pass', 'nope'] },
      gives: { fields: ['title', 'secret'] },
    },
    {
      says: 'populate of all',
      query: { populate: '*' },
      gives: { populate: { tags: true, cover: true, seo: true, parts: true, zone: true, any: true } },
    },
    { says: 'populate as text', query: { populate: 'tags,author,seo.author,nope' }, gives: { populate: 'tags,nope' } },
    { says: 'populate as a list', query: { populate: ['author', 'cover'] }, gives: { populate: ['cover'] } },
    {
      says: 'populate as an object',
      query: {
        populate: {
          author: true,
          tags: { filters: { nope: 1, name: 'x' }, sort: 'nope' },
          zone: { on: { seo: { populate: ['author'], fields: ['meta'] }, none: true } },
        },
      },
      gives: {
        populate: { tags: { filters: { name: 'x' } }, zone: { on: { seo: { populate: [], fields: ['meta'] } } } },
      },
    },
    {
      says: 'other parameters',
      query: { other: 1, locale: 'en', pagination: { page: 1 } },
      gives: { other: 1, locale: 'en', pagination: { page: 1 } },
    },
  ]
  for (const { says, query, gives } of cases)
    it(`are cleaned: ${says}`, async () => assert.deepEqual(await clean(query), gives))

  const check = (query: Bag) => utils.validate.contentAPI.query(query, models.post, { auth })
  for (const [query, name] of [
    [{ filters: { nope: 1 } }, 'nope'],
    [{ filters: { $and: [{ secret: 1 }] } }, 'secret'],
    [{ filters: { author: { name: 'x' } } }, 'author'],
    [{ sort: 'pass' }, 'pass'],
    [{ fields: ['title', 'secret'] }, 'secret'],
  ] as const)
    it(`are checked: ${name}`, async () => {
      await assert.rejects(check(query), { name: 'ValidationError', message: `Invalid parameter ${name}` })
    })
  it('may have unknown operators, unknown populates and other parameters', () =>
    check({
      filters: { title: { $nope: 1 } },
      populate: 'nope',
      other: 1,
      pagination: { page: 'x' },
      sort: 'tags.name',
    }))
})

describe('the form of responses', () => {
  const transform = (value: Loose, meta?: Loose) => transformResponse(value, meta, models.post, getModel as Loose)
  const cases: readonly { says: string; value: Loose; meta?: Loose; gives: Loose }[] = [
    { says: 'nothing', value: undefined, meta: { a: 1 }, gives: undefined },
    { says: 'null', value: null, meta: { a: 1 }, gives: null },
    { says: 'an empty list', value: [], gives: { data: [], meta: {} } },
    { says: 'a list with null', value: [null], gives: { data: [null], meta: {} } },
    { says: 'no id', value: { title: 'x' }, gives: { data: { attributes: { title: 'x' } }, meta: {} } },
    {
      says: 'an entry',
      value: {
        id: 1,
        author,
        tags: [],
        cover: null,
        seo: { id: 5, author },
        zone: [{ __component: 'seo', author: null }],
        extra: { deep: 1 },
      },
      meta: { x: 1 },
      gives: {
        data: {
          id: 1,
          attributes: {
            author: { data: { id: 2, attributes: { name: 'Ada', email: 'a@x' } } },
            tags: { data: [] },
            cover: { data: null },
            seo: { id: 5, author: { data: { id: 2, attributes: { name: 'Ada', email: 'a@x' } } } },
            zone: [{ __component: 'seo', author: { data: null } }],
            extra: { deep: 1 },
          },
        },
        meta: { x: 1 },
      },
    },
  ]
  for (const { says, value, meta, gives } of cases) it(says, () => assert.deepEqual(transform(value, meta), gives))
  it('is none of a text', () => assert.throws(() => transform('x'), /Entry must be an object/))
})

describe('small functions', () => {
  it('parseMultipartData', () => {
    const form = (request: Bag) => utils.parseMultipartData({ is: () => true, request })
    assert.deepEqual(form({ body: { data: '{"a":1}' }, files: { 'files.x': 1, 'files.lines.0.y': 2 } }), {
      data: { a: 1 },
      files: { x: 1, 'lines.0.y': 2 },
    })
    assert.deepEqual(utils.parseMultipartData({ is: () => false, request: { body: { b: 1 } } }), {
      data: { b: 1 },
      files: {},
    })
    assert.throws(() => form({ body: {} }), /no field "data"/)
    assert.throws(() => form({ body: { data: '{' } }))
    assert.throws(() => form({ body: { data: '{}' }, files: { x: 1 } }), /files.<attribute>/)
  })
  it('pipeAsync, mapAsync, reduceAsync, forEachAsync', async () => {
    assert.equal(
      await utils.pipeAsync(
        (n: number) => n + 1,
        async (n: number) => n * 2,
      )(3),
      8,
    )
    assert.deepEqual(await utils.mapAsync([1, 2, 3], async (n: number) => n * 2), [2, 4, 6])
    assert.deepEqual(await utils.mapAsync([1, 2])(async (n: number) => n, { concurrency: 1 }), [1, 2])
    assert.equal(await utils.reduceAsync([1, 2])((sum: number, n: number) => sum + n, 10), 13)
    const seen: number[] = []
    await utils.forEachAsync([1, 2], (n: number) => seen.push(n))
    assert.deepEqual(seen, [1, 2])
  })
  it('traverseEntity', async () => {
    const visitor = ({ key, attribute }: Bag, { remove, set }: Bag) => {
      if (attribute?.private) remove(key)
      if (key === 'name') set(key, 'changed')
    }
    const entry = { id: 1, secret: 's', author, seo: { note: 'n', author } }
    const gives = { id: 1, author: { id: 2, name: 'changed' }, seo: { author: { id: 2, name: 'changed' } } }
    assert.deepEqual(await utils.traverseEntity(visitor, { schema: models.post, getModel }, entry), gives)
    assert.deepEqual(await utils.traverseEntity(visitor, { schema: models.post, getModel })(entry), gives)
  })
  it('names, types, pages and hooks', async () => {
    assert.equal(utils.nameToSlug('Crème Brûlée & tea'), 'creme-brulee-and-tea')
    assert.equal(utils.nameToCollectionName('My type'), 'my_type')
    assert.equal(utils.parseType({ type: 'boolean', value: 't' }), true)
    assert.equal(utils.parseType({ type: 'time', value: '10:11' }), '10:11:00.000')
    assert.throws(() => utils.parseType({ type: 'integer', value: 'abc' }), /Expected a valid Number, got abc/)
    assert.equal(utils.contentTypes.hasDraftAndPublish(models.post), true)
    assert.deepEqual(utils.contentTypes.getNonWritableAttributes(models.author), [
      'id',
      'createdAt',
      'updatedAt',
      'createdBy',
      'updatedBy',
    ])
    assert.deepEqual(utils.setCreatorFields({ user: { id: 3 } })({ a: 1 }), { a: 1, createdBy: 3, updatedBy: 3 })
    assert.equal(
      utils.getAbsoluteServerUrl({
        get: (path: string, or: Loose) => ({ 'server.url': 'https://x.test/', 'server.port': 1 })[path] ?? or,
      }),
      'https://x.test',
    )
    const provider = utils.providerFactory()
    await provider.register('a', 1)
    assert.deepEqual([provider.get('a'), provider.keys()], [1, ['a']])
    await assert.rejects(provider.register('a', 2), /Duplicated item key/)
    assert.equal('Hi <%= name %>'.replace(utils.template.createStrictInterpolationRegExp(['name'], 'g'), 'x'), 'Hi x')
  })
  it('yup and what is not carried say so when they are used', () => {
    const { yup, convertQueryParams } = utils
    const schema = () => yup.object().shape({ a: yup.string() })
    assert.throws(schema, /npm install yup/)
    assert.throws(() => convertQueryParams(), /not carried/)
  })
})
