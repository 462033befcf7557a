import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import type { TestApp } from '../../core/index.js'
import { type Api, type Body, contract, type ReadCase, reads, refused } from '../support/contract.js'

const types = {
  article: {
    options: { populateCreatorFields: true },
    attributes: {
      title: { type: 'string' },
      size: { type: 'integer' },
      at: { type: 'time' },
      open: { type: 'boolean' },
      tags: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag' },
      notes: { type: 'relation', relation: 'morphMany', target: 'api::note.note', morphBy: 'subject' },
      slides: { type: 'component', component: 'shared.slide', repeatable: true },
      blocks: { type: 'dynamiczone', components: ['shared.slide'] },
      secret: { type: 'password' },
    },
  },
  tag: { attributes: { name: { type: 'string' } } },
  note: { attributes: { text: { type: 'string' }, subject: { type: 'relation', relation: 'morphToOne' } } },
}

const components = {
  'shared.slide': { attributes: { text: { type: 'string' }, at: { type: 'time' } } },
}

const rows = async ({ entries, store }: TestApp) => {
  await entries('admin::user').create({ firstname: 'Ada', lastname: 'L', username: 'ada' })
  for (const name of ['a', 'b', 'c']) await entries('api::tag.tag').create({ name })
  const slides = [{ text: 'p' }, { text: 'q' }, { text: 'r' }]
  await entries('api::article.article').create({ title: '50% off', size: 3, open: true, tags: [3, 1, 2], slides })
  await entries('api::article.article').create({ title: '500 coffees', size: 3, open: false, tags: [2, 3] })
  await entries('api::article.article').create({ title: 'Alpha_x', tags: [1] })
  await entries('api::article.article').create({ title: 'alpha-x' })
  const of = (id: number) => ({ id, __type: 'api::article.article' })
  await entries('api::note.note').create({ text: 'n1', subject: of(2) })
  await store.reader.run('update articles set created_by_id = 1 where id = 1', [])
}

const ids = ({ data }: Body) => data.map((entry: Body) => entry.id).join()
const tags = ({ data }: Body) =>
  data.map((entry: Body) => entry.attributes.tags.data.map((tag: Body) => tag.id).join()).join(' ')
const refuses = (parameter: string, message?: RegExp) => ({
  status: 400,
  name: 'ValidationError',
  parameter,
  ...(message && { message }),
})
const noTime = 'Invalid time format, expected HH:mm:ss.SSS'
const terse = (key: string) => ({ status: 400, name: 'ValidationError', message: `Invalid parameter ${key}` })

/** Responses equal in both dialects, except where PostgreSQL decides in `strapi4`: the place of missing values, times. */
function alike(api: Api, isSpec: boolean): void {
  const missing = (without: string, others: string, descending: boolean) => {
    const isFirst = (isSpec || api.engine.name !== 'postgres') !== descending
    return (isFirst ? [without, others] : [others, without]).join()
  }
  describe('as the other dialect', () => {
    reads(api, '/articles', ids, [
      { says: '6: a dynamic zone cannot be filtered by', ask: '?filters[blocks][text]=p', fails: { status: 400 } },
      { says: '7: a page of entries with their relations', ask: '?populate=tags&pagination[limit]=2', gives: '1,2' },
      { says: '11: a wrong direction', ask: '?sort=title:down', fails: { status: 400 } },
      { says: '11: a wrong page', ask: '?pagination[page]=x', fails: { status: 400 } },
      { says: '11: a wrong size', ask: '?pagination[pageSize]=1.5', fails: { status: 400 } },
      { says: '11: a wrong limit', ask: '?pagination[limit]=x', fails: { status: 400 } },
      { says: '11: a wrong withCount', ask: '?pagination[withCount]=maybe', fails: { status: 400 } },
      { says: '14: what has no value is not another one', ask: '?filters[size][$ne]=4', gives: '1,2' },
      { says: '14: nor outside a list', ask: '?filters[size][$notIn][0]=4', gives: '1,2' },
      {
        says: '15: long lists are taken whole',
        ask: `?${Array.from({ length: 150 }, (_, n) => `filters[id][$in][${n}]=${n + 2}`).join('&')}`,
        gives: '2,3,4',
      },
      {
        says: '15: longer ones are refused, never cut off',
        ask: `?${Array.from({ length: 1001 }, (_, n) => `filters[id][$in][${n}]=${n}`).join('&')}`,
        fails: { status: 400, message: /maxParameters/ },
      },
      { says: '17: an unknown field in filters', ask: '?filters[nope]=1', fails: { status: 400 } },
      { says: '17: in sort', ask: '?sort=nope', fails: { status: 400 } },
      { says: '17: in fields', ask: '?fields=nope', fails: { status: 400 } },
      { says: '20: a password', ask: '?filters[secret][$notNull]=true', fails: { status: 400 } },
      { says: '22: nothing past the end', ask: '?pagination[page]=9', gives: '' },
      {
        says: '23: equal entries in the order of their ids',
        ask: '?sort=size:desc',
        gives: missing('3,4', '1,2', true),
      },
      { says: '24: by the smallest of many', ask: '?sort=tags.name', gives: missing('4', '1,3,2', false) },
      { says: '24: by the largest of many', ask: '?sort=tags.name:desc', gives: missing('4', '1,2,3', true) },
      { says: 'missing numbers', ask: '?sort=size', gives: missing('3,4', '1,2', false) },
      { says: 'missing booleans', ask: '?sort=open', gives: missing('3,4', '2,1', false) },
      { says: 'missing components', ask: '?sort=slides.text:desc', gives: missing('2,3,4', '1', true) },
      {
        says: 'the rest of a page after missing values',
        ask: '?sort=size:desc&pagination[start]=2',
        gives: missing('3,4', '1,2', true).split(',').slice(2).join(),
      },
      { says: '25: $nei', ask: '?filters[title][$nei]=ALPHA-X', gives: '1,2,3' },
      { says: '32: a search', ask: '?_q=COFFEE', gives: '2' },
    ])
    it('times are what the dialect says, after a write and in components', async () => {
      const data = { at: '03:45:00', slides: [{ at: '07:08:09.1' }] }
      const { body } = await api.send('POST', '/articles?populate=slides', { data })
      const isPadded = isSpec || api.engine.name !== 'postgres'
      const times = ({ data }: Body) => [data.attributes.at, data.attributes.slides[0].at]
      const expected = isPadded ? ['03:45:00.000', '07:08:09.100'] : ['03:45:00', '07:08:09.1']
      assert.deepEqual(times(body), expected)
      assert.deepEqual(times((await api.get(`/articles/${body.data.id}?populate=slides`)).body), expected)
      await api.send('DELETE', `/articles/${body.data.id}`)
    })
    it('22: totals are right past the end', async () => {
      const { body } = await api.get('/articles?pagination[page]=9')
      assert.deepEqual(body.meta.pagination, { page: 9, pageSize: 25, pageCount: 1, total: 4 })
    })
  })
}

contract('the dialect spec', { types, components, rows }, api => {
  alike(api, true)

  it('1: every entry that was asked for has its meta', async () => {
    for (const entry of (await api.get('/articles')).body.data) assert.deepEqual(entry.meta, { availableLocales: [] })
    assert.deepEqual((await api.get('/articles/1')).body.data.meta, { availableLocales: [] })
  })

  it('who made an entry is an object with id, firstname and lastname', async () => {
    const { body } = await api.get('/articles/1?populate=createdBy')
    assert.deepEqual(body.data.attributes.createdBy, { id: 1, firstname: 'Ada', lastname: 'L' })
  })

  reads(api, '/articles', ids, [
    {
      says: '5: what is stored as a polymorphic relation cannot be filtered by',
      ask: '?filters[notes][text]=n1',
      fails: refuses('filters[notes]', /polymorphic/),
    },
    { says: '5: nor sorted by', ask: '?sort=notes.text', fails: refuses('sort') },
    ...['pagination][page', 'page', 'pageSize', 'start', 'limit'].map(
      (key): ReadCase => ({
        says: '8: what is populated has no pages',
        ask: `?populate[tags][${key}]=1`,
        fails: refuses(`populate[tags][${key.replace(/\].*/, '')}]`, /cannot be paged/),
      }),
    ),
    { says: '12: a percent sign means itself', ask: '?filters[title][$contains]=50%25', gives: '1' },
    { says: '12: an underscore means itself', ask: '?filters[title][$containsi]=a_x', gives: '3' },
    { says: '13: letter case matters', ask: '?filters[title][$startsWith]=alpha', gives: '4' },
    { says: '13: and to equality', ask: '?filters[title]=ALPHA-X', gives: '' },
    { says: '13: unless it is asked not to', ask: '?filters[title][$startsWithi]=ALPHA', gives: '3,4' },
    { says: '16: an unknown parameter is refused', ask: '?nope=1', fails: refuses('nope') },
    { says: '16: also one that looks like a page', ask: '?pagination[foo]=1', fails: refuses('pagination[foo]') },
    {
      says: '17: what is wrong is named in full',
      ask: '?filters[$or][0][nope]=1',
      fails: refuses('filters[$or][0][nope]', /has no attribute "nope"/),
    },
    { says: '17: an unknown operator', ask: '?filters[title][$foo]=1', fails: refuses('filters[title][$foo]') },
    { says: '18: an unknown populate is refused', ask: '?populate=nope', fails: refuses('populate') },
    { says: '18: at every depth', ask: '?populate[tags][populate]=nope', fails: refuses('populate[tags][populate]') },
    { says: 'a boolean is a boolean', ask: '?filters[open]=bogus', fails: refuses('filters[open]') },
    { says: 'a number is a number', ask: '?filters[size]=', fails: refuses('filters[size]') },
    { says: 'a flag is a flag', ask: '?filters[size][$null]=bogus', fails: refuses('filters[size][$null]') },
    { says: 'and no list', ask: '?filters[size][$null][0]=true', fails: refuses('filters[size][$null]') },
    { says: 'and no object', ask: '?filters[size][$notNull][a]=x', fails: refuses('filters[size][$notNull]') },
  ])

  it('a wrong time in a component is named like every other value', async () => {
    const { body } = await api.send('POST', '/articles', { data: { slides: [{ at: 'x' }] } })
    assert.equal(body.error.message, 'slides[0].at must be a time of the form HH:mm:ss.SSS')
  })

  it('21: the largest page is 100', async () => {
    const { body } = await api.get('/articles?pagination[pageSize]=1000')
    assert.equal(body.meta.pagination.pageSize, 100)
  })

  it('a wrong method is refused like everything else', async () => {
    refused(await api.send('PATCH', '/articles', {}), { status: 405, name: 'MethodNotAllowedError' })
    refused(await api.send('POST', '/nothing', {}), { status: 404, name: 'NotFoundError' })
  })
})

contract('the dialect strapi4', { types, components, rows, rest: { dialect: 'strapi4' } }, api => {
  alike(api, false)

  it('1: an entry has an id and attributes, and no meta', async () => {
    for (const entry of (await api.get('/articles')).body.data)
      assert.deepEqual(Object.keys(entry), ['id', 'attributes'])
    assert.deepEqual(Object.keys((await api.get('/articles/1')).body.data), ['id', 'attributes'])
  })

  it('who made an entry is an entry', async () => {
    const { body } = await api.get('/articles/1?populate=createdBy')
    const { id, attributes } = body.data.attributes.createdBy.data
    assert.equal(id, 1)
    assert.deepEqual(Object.keys(attributes), [
      'firstname',
      'lastname',
      'username',
      'preferedLanguage',
      'createdAt',
      'updatedAt',
    ])
  })

  const engineFoldsCase = api.engine.name === 'mysql'
  reads(api, '/articles', ids, [
    {
      says: '5: what is stored as a polymorphic relation can be filtered by',
      ask: '?filters[notes][text]=n1',
      gives: '2',
    },
    { says: '5: also by whether there is any', ask: '?filters[notes][$null]=true', gives: '1,3,4' },
    {
      says: '5: and sorted by',
      ask: '?sort=notes.text:desc',
      gives: api.engine.name === 'postgres' ? '1,3,4,2' : '2,1,3,4',
    },
    { says: '12: a percent sign is a wildcard', ask: '?filters[title][$contains]=50%25', gives: '1,2' },
    { says: '12: an underscore is one too', ask: '?filters[title][$containsi]=a_x', gives: '3,4' },
    { says: '12: also where equality ignores case', ask: '?filters[title][$eqi]=ALPHA_X', gives: '3,4' },
    { says: '13: equality is what the engine says', ask: '?filters[title]=ALPHA-X', gives: engineFoldsCase ? '4' : '' },
    {
      says: '13: a pattern is what the engine says',
      ask: '?filters[title][$startsWith]=alpha',
      gives: api.engine.name === 'postgres' ? '4' : '3,4',
    },
    { says: '13: an id that is none is that of no entry', ask: '?filters[id]=abc', gives: '' },
    { says: '13: in a list, too', ask: '?filters[id][$in][0]=2&filters[id][$in][1]=1,3', gives: '2' },
    { says: '16: an unknown parameter is ignored', ask: '?nope=1', gives: '1,2,3,4' },
    { says: '16: also one that looks like a page', ask: '?pagination[foo]=1', gives: '1,2,3,4' },
    { says: '16: also words of other systems', ask: '?_limit=1&where[id]=1', gives: '1,2,3,4' },
    { says: '17: names with commas are one name', ask: '?fields=title,size', fails: terse('title,size') },
    { says: '17: only the key that is wrong is named', ask: '?filters[$or][0][nope]=1', fails: terse('nope') },
    { says: '17: behind a relation', ask: '?filters[tags][nope]=1', fails: terse('nope') },
    { says: '17: in sort', ask: '?sort=tags.nope', fails: terse('nope') },
    { says: '17: in fields', ask: '?fields[0]=nope', fails: terse('nope') },
    { says: 'several names in one text', ask: '?fields=title,%20size', fails: terse('title, size') },
    { says: 'a wrong time, in the words for bodies', ask: '?filters[at]=x', fails: { ...terse(''), message: noTime } },
    { says: '20: what is secret, in the same words', ask: '?filters[secret]=x', fails: terse('secret') },
    { says: '18: an unknown populate is dropped', ask: '?populate=nope', gives: '1,2,3,4' },
    { says: '18: in a list', ask: '?populate[0]=nope&populate[1]=title', gives: '1,2,3,4' },
    { says: '18: at every depth', ask: '?populate[tags][populate]=nope', gives: '1,2,3,4' },
    { says: '18: as a key', ask: '?populate[nope][populate]=x&populate[title]=true', gives: '1,2,3,4' },
    { says: '18: an unknown parameter of a populate', ask: '?populate[tags][pagination][page]=2', gives: '1,2,3,4' },
    { says: 'any other word is true', ask: '?filters[open]=bogus', gives: '1' },
    { says: 'an empty word is false', ask: '?filters[open]=', gives: '2' },
    { says: 'an empty number is 0', ask: '?filters[size][$gt]=', gives: '1,2' },
    { says: 'any other word is a yes', ask: '?filters[size][$null]=bogus', gives: '3,4' },
    { says: 'a list is a yes', ask: '?filters[size][$null][0]=false', gives: '3,4' },
    { says: 'a list without indexes too', ask: '?filters[size][$null][]=false', gives: '3,4' },
    { says: 'so is an object', ask: '?filters[size][$null][a]=x', gives: '3,4' },
    { says: 'also for $notNull', ask: '?filters[size][$notNull][0]=false', gives: '1,2' },
    { says: 'also for a relation', ask: '?filters[tags][$null][0]=x', gives: '4' },
  ])

  reads(api, '/articles', tags, [
    { says: 'any word populates', ask: '?populate[tags]=yes', gives: '3,1,2 2,3 1 ' },
    { says: '8: a limit inside a populate, for each entry', ask: '?populate[tags][limit]=1', gives: '3 2 1 ' },
    { says: '8: a start and a limit', ask: '?populate[tags][start]=1&populate[tags][limit]=1', gives: '1 3  ' },
    { says: '8: a start alone', ask: '?populate[tags][start]=1', gives: '1,2 3  ' },
    {
      says: '8: in the order that is asked',
      ask: '?populate[tags][limit]=2&populate[tags][sort]=name:desc',
      gives: '3,2 3,2 1 ',
    },
    {
      says: '8: of those that the filters let through',
      ask: '?populate[tags][limit]=1&populate[tags][filters][name][$ne]=c',
      gives: '1 2 1 ',
    },
    { says: '8: no limit is none', ask: '?populate[tags][limit]=0', gives: '3,1,2 2,3 1 ' },
  ])

  it('8: a limit of components', async () => {
    const { body } = await api.get('/articles/1?populate[slides][limit]=2&populate[slides][start]=1')
    assert.deepEqual(
      body.data.attributes.slides.map((slide: Body) => slide.text),
      ['q', 'r'],
    )
  })

  it('8: a wrong limit is refused', async () => {
    refused(await api.get('/articles?populate[tags][limit]=x'), { status: 400 })
  })

  it('what is populated can be counted instead', async () => {
    const { body } = await api.get('/articles?populate[tags][count]=true&populate[slides][count]=true&sort=id')
    assert.deepEqual(
      body.data.map(({ attributes }: Body) => [attributes.tags, attributes.slides]),
      [
        [3, 3],
        [2, 0],
        [1, 0],
        [0, 0],
      ].map(([related, repeated]) => [{ data: { attributes: { count: related } } }, { count: repeated }]),
    )
  })

  it('17: a refusal has no details', async () => {
    const { body } = await api.get('/articles?sort=nope')
    assert.deepEqual(body, {
      data: null,
      error: { status: 400, name: 'ValidationError', message: 'Invalid parameter nope', details: {} },
    })
  })

  it('an unknown attribute of a body is ignored, at every depth', async () => {
    const data = { title: 'kept', titel: 'x', slides: [{ text: 'p', txet: 'x' }] }
    const { status, body } = await api.post('/articles?populate=slides', data)
    assert.equal(status, 200)
    const { title, slides } = body.data.attributes
    assert.deepEqual([title, slides.map(({ id: _, ...slide }: Body) => slide)], ['kept', [{ text: 'p', at: null }]])
    await api.delete(`/articles/${body.data.id}`)
  })

  it('21: there is no largest page', async () => {
    const { body } = await api.get('/articles?pagination[pageSize]=1000')
    assert.equal(body.meta.pagination.pageSize, 1000)
    assert.deepEqual((await api.get('/articles?pagination[limit]=-1')).body.meta.pagination, {
      start: 0,
      limit: 4,
      total: 4,
    })
  })

  it('a wrong method is answered in plain text, on every path', async () => {
    for (const [method, path, allow] of [
      ['PATCH', '/articles', 'HEAD, GET, POST'],
      ['POST', '/articles/1', 'HEAD, GET, PUT, DELETE'],
      ['POST', '/nothing', 'HEAD, GET'],
      ['DELETE', '/nothing', 'HEAD, GET'],
    ] as const) {
      const { status, text, headers } = await api.send(method, path, {})
      assert.equal(status, 405)
      assert.equal(text, 'Method Not Allowed')
      assert.match(headers['content-type'] ?? '', /^text\/plain/)
      assert.equal(headers.allow, allow)
    }
    refused(await api.get('/nothing'), { status: 404, name: 'NotFoundError' })
  })
})

contract(
  'a flag of a dialect alone',
  { types, components, rows, rest: { literalWildcards: false, entryMeta: false, strictParams: false } },
  api => {
    reads(api, '/articles', ids, [
      { says: 'changes its point', ask: '?filters[title][$contains]=50%25', gives: '1,2' },
      { says: 'another one', ask: '?nope=1', gives: '1,2,3,4' },
      { says: 'and no other: letter case', ask: '?filters[title][$startsWith]=alpha', gives: '4' },
      { says: 'and no other: populate', ask: '?populate=nope', fails: refuses('populate') },
    ])
    it('changes the entries', async () => {
      assert.deepEqual(Object.keys((await api.get('/articles/1')).body.data), ['id', 'attributes'])
    })
  },
)
