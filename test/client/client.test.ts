import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, it, onTestFinished } from 'vitest'
import { createTestApp, type TestApp } from '../../core/index.js'
import { draftAndPublish } from '../../plugins/draft-and-publish/index.js'
import { i18n } from '../../plugins/i18n/index.js'
import { patch } from '../../plugins/patch/index.js'
import { queryBody } from '../../plugins/query-body/index.js'
import { type AnySchema, createClient, type Result, unwrap } from '../../plugins/typescript/client/index.js'
import { upload } from '../../plugins/upload/index.js'
import { fetchOf, url } from './fetch.js'
import { openWorld } from './world.js'

type Call = (...given: unknown[]) => Promise<{
  data: unknown
  meta?: unknown
  error?: { status: number; name: string; message: string; details: Record<string, unknown> }
}>
type Loose = Call & Record<string, Record<'find' | 'findOne' | 'create' | 'update' | 'patch' | 'delete', Call>>

/** The client without types, which have tests of their own. */
const loose = (settings: Parameters<typeof createClient>[0]) => createClient<AnySchema>(settings) as unknown as Loose

describe('a client', () => {
  let app: TestApp
  let api: Loose
  let seen: Request[] = []
  beforeAll(async () => {
    app = await openWorld({}, [draftAndPublish, [i18n, { locales: ['en', 'fr'] }], upload, queryBody, patch])
    api = loose({ url, fetch: fetchOf(app, request => seen.push(request)) })
  })
  afterAll(() => app.close())

  /** The server's response to the same request, written by hand. */
  const plainly = async (path: string, method: 'GET' | 'PUT' | 'POST' | 'DELETE' = 'GET', payload?: object) => {
    const reply = await app.inject({ method, url: `/api${path}`, ...(payload && { payload }) })
    return reply.json()
  }

  const questions: readonly { readonly says: string; readonly query: object; readonly search: string }[] = [
    {
      says: 'fields and a sort',
      query: { fields: ['title', 'minutes'], sort: ['title:desc'] },
      search: 'fields[0]=title&fields[1]=minutes&sort[0]=title:desc',
    },
    { says: 'one field as text', query: { fields: 'title', populate: '*' }, search: 'fields=title&populate=*' },
    {
      says: 'populate at three levels',
      query: {
        populate: {
          author: { fields: ['name'], populate: { mentor: { populate: ['articles'] } } },
          tags: true,
          cover: false,
        },
      },
      search:
        'populate[author][fields][0]=name&populate[author][populate][mentor][populate][0]=articles&populate[tags]=true&populate[cover]=false',
    },
    {
      says: 'a zone by its components',
      query: { populate: { blocks: { on: { 'blocks.quote': { fields: ['text'] } } } } },
      search: 'populate[blocks][on][blocks.quote][fields][0]=text',
    },
    {
      says: 'filters through relations and in groups',
      query: {
        filters: {
          $or: [{ author: { name: { $startsWith: 'A' } } }, { minutes: { $between: [1, 3] } }],
          featured: true,
        },
      },
      search:
        'filters[$or][0][author][name][$startsWith]=A&filters[$or][1][minutes][$between][0]=1&filters[$or][1][minutes][$between][1]=3&filters[featured]=true',
    },
    {
      says: 'a date',
      query: { filters: { moment: { $lte: new Date('2024-02-10T07:30:00Z') } } },
      search: 'filters[moment][$lte]=2024-02-10T07:30:00.000Z',
    },
    {
      says: 'a sort through relations',
      query: { sort: [{ author: { name: 'desc' } }, 'title'] },
      search: 'sort[0][author][name]=desc&sort[1]=title',
    },
    {
      says: 'pages and plugins’ parameters',
      query: { pagination: { page: 2, pageSize: 1 }, locale: 'en', publicationState: 'preview' },
      search: 'pagination[page]=2&pagination[pageSize]=1&locale=en&publicationState=preview',
    },
    {
      says: 'text with signs of its own',
      query: { filters: { title: { $ne: 'a&b=c [d] #é+%' } }, _q: undefined },
      search: `filters[title][$ne]=${encodeURIComponent('a&b=c [d] #é+%')}`,
    },
  ]
  for (const { says, query, search } of questions)
    it(`asks for ${says} as by hand`, async () => {
      seen = []
      assert.deepEqual(await api.articles?.find(query), await plainly(`/articles?${search}`))
      assert.equal(decodeURIComponent(new URL(seen[0]?.url ?? '').search), decodeURIComponent(`?${search}`))
    })

  it('reads one entry and a single type', async () => {
    assert.deepEqual(await api.articles?.findOne(1, { fields: ['slug'] }), await plainly('/articles/1?fields=slug'))
    assert.deepEqual(await api.homepage?.find({ populate: ['links'] }), await plainly('/homepage?populate=links'))
  })

  it('creates, updates and deletes, and says what the response shows', async () => {
    const made = await api.tags?.create({ name: 'ink' }, { fields: ['name'] })
    const { id } = Object(made?.data) as { id: number }
    assert.deepEqual(made?.data, { id, attributes: { name: 'ink' }, meta: { availableLocales: [] } })
    assert.deepEqual(await api.tags?.update(id, { name: 'pencil' }), await plainly(`/tags/${id}`))
    assert.deepEqual(
      await api.tags?.update(
        String(id),
        { articles: { connect: [1] } },
        { populate: { articles: { fields: ['title'] } } },
      ),
      await plainly(`/tags/${id}?populate[articles][fields]=title`),
    )
    const before = await plainly(`/tags/${id}?fields=name`)
    assert.deepEqual(await api.tags?.delete(id, { fields: ['name'] }), before)
    assert.equal((await api.tags?.findOne(id))?.error?.status, 404)
  })

  it('patches what stands in components, of entries and of a single type', async () => {
    const query = { fields: ['title'], populate: { seo: { populate: ['canonical'] } } }
    const before = await plainly('/articles/1?fields=title&populate[seo][populate]=canonical')
    const { seo } = before.data.attributes
    const patched = await api.articles?.patch(1, { seo: { canonical: { url: '/loaf' } } }, query)
    const canonical = { ...seo.canonical, url: '/loaf' }
    assert.deepEqual(Object(patched?.data).attributes, { ...before.data.attributes, seo: { ...seo, canonical } })
    assert.deepEqual(await api.homepage?.patch({ title: 'Hut' }), await plainly('/homepage'))
    assert.equal((await api.homepage?.patch({ title: 'Home' }))?.error, undefined)
  })

  it('changes a single type, deletes it, and creates it again', async () => {
    assert.deepEqual(
      await api.homepage?.update({ title: 'House' }, { fields: ['title'] }),
      await plainly('/homepage?fields=title'),
    )
    assert.equal((await api.homepage?.delete())?.error, undefined)
    assert.equal((await api.homepage?.find())?.error?.name, 'NotFoundError')
    const made = await api.homepage?.update({ title: 'Home' }, { fields: ['title'] })
    assert.deepEqual(made, await plainly('/homepage?fields=title'))
  })

  it('sends empty lists, which brackets cannot say: nothing is one of none, and no field is shown', async () => {
    const found = await api.articles?.find({ filters: { id: { $in: [] } }, populate: [] })
    assert.deepEqual(found?.data, [])
    const bare = await api.articles?.findOne(1, { fields: [], populate: { author: { fields: [] } } })
    const author = { data: { id: 1, attributes: {} } }
    assert.deepEqual(bare?.data, { id: 1, attributes: { author }, meta: { availableLocales: [] } })
  })

  it('uploads a form, and writes the file that it got', async () => {
    const form = new FormData()
    form.append('files', new Blob(['flour, water'], { type: 'text/plain' }), 'list.txt')
    const { data, error } = await api('POST /upload', { body: form })
    assert.equal(error, undefined)
    const [{ id, name }] = data as [{ id: number; name: string }]
    assert.equal(name, 'list.txt')
    const written = await api.articles?.update(
      1,
      { gallery: [id] },
      { fields: ['title'], populate: { gallery: { fields: ['name'] } } },
    )
    assert.deepEqual(written, await plainly('/articles/1?fields=title&populate[gallery][fields]=name'))
    assert.deepEqual(
      (await api('GET /upload/files/:id', { params: { id } })).data,
      await plainly(`/upload/files/${id}`),
    )
  })

  it('sends a create again under its key, with the options of fetch', async () => {
    const options = { headers: { 'Idempotency-Key': 'ink-and-paper' } }
    const first = await api.tags?.create({ name: 'paper' }, {}, options)
    assert.deepEqual(await api.tags?.create({ name: 'paper' }, {}, options), first)
  })

  it('gives errors as the server says them', async () => {
    const unknown = await api.articles?.find({ sort: 'titel' })
    assert.deepEqual(unknown, await plainly('/articles?sort=titel'))
    assert.equal(unknown?.error?.details.parameter, 'sort')
    const wrong = await api.articles?.create({ minutes: 'x' })
    assert.deepEqual(wrong, await plainly('/articles', 'POST', { data: { minutes: 'x' } }))
    assert.deepEqual((await api.articles?.findOne('a/b?c'))?.error?.name, 'NotFoundError')
  })

  it('throws nothing where there is no response, or none of the server', async () => {
    const cut = loose({ url, fetch: () => Promise.reject(new TypeError('fetch failed')) })
    assert.deepEqual(await cut.articles?.find(), {
      data: null,
      error: { status: 0, name: 'NetworkError', message: 'TypeError: fetch failed', details: {} },
    })
    const page = loose({
      url,
      fetch: async () => new Response('<h1>Bad Gateway</h1>', { status: 502, statusText: 'Bad Gateway' }),
    })
    assert.deepEqual((await page.articles?.find())?.error, {
      status: 502,
      name: 'NetworkError',
      message: 'Bad Gateway',
      details: {},
    })
    const stopped = await api.articles?.find({}, { signal: AbortSignal.abort() })
    assert.deepEqual([stopped?.error?.status, stopped?.error?.name], [0, 'NetworkError'])
    const nothing = loose({ url, fetch: async () => new Response(null, { status: 204 }) })
    assert.deepEqual(await nothing('POST /tidy'), { data: null, meta: {} })
  })

  it('unwraps data, and throws an error for code that cannot go on', async () => {
    assert.equal(unwrap({ data: 5, meta: {} }), 5)
    const result = await api.articles?.findOne(999)
    assert.throws(() => unwrap(result as never), { name: 'NotFoundError', status: 404, message: 'Not Found' })
  })

  it('sends its token, or the one of the moment', async () => {
    seen = []
    let token: string | undefined
    const later = loose({ url, token: () => token, fetch: fetchOf(app, request => seen.push(request)) })
    await later.tags?.find()
    token = 'of now'
    await later.tags?.find()
    await loose({ url, token: 'a b', fetch: fetchOf(app, request => seen.push(request)) }).tags?.find()
    assert.deepEqual(
      seen.map(({ headers }) => headers.get('authorization')),
      [null, 'Bearer of now', 'Bearer a b'],
    )
  })

  describe('with a query that makes the address too long', () => {
    const ids = Array.from({ length: 100 }, (_, index) => index + 1)
    const list = { filters: { id: { $in: ids } }, sort: 'id', fields: ['title'] }
    const manyTimes = (field: string) => Array.from(ids, () => field).concat(Array.from(ids, () => field))
    const title = manyTimes('title')
    const sentOf = () => seen.map(({ method, url }) => `${method} ${new URL(url).pathname}`)

    it('sends it as a body: lists, entries and single types', async () => {
      seen = []
      const found = await api.articles?.find(list)
      const one = await api.articles?.findOne(1, { fields: title })
      const single = await api.homepage?.find({ fields: title })
      assert.deepEqual(sentOf(), ['POST /api/articles/query', 'POST /api/articles/1/query', 'POST /api/homepage/query'])
      assert.deepEqual(found, await plainly('/articles?fields=title&sort=id&filters[id][$lte]=100'))
      assert.deepEqual(one, await plainly('/articles/1?fields=title'))
      assert.deepEqual(single, await plainly('/homepage?fields=title'))
    })

    it('sends one as long as an address may be in the address', async () => {
      seen = []
      const address = `${url}/tags?fields=id`
      for (const longest of [address.length, address.length - 1])
        await loose({ url, longest, fetch: fetchOf(app, request => seen.push(request)) }).tags?.find({ fields: 'id' })
      assert.deepEqual(sentOf(), ['GET /api/tags', 'POST /api/tags/query'])
    })

    it('gives the error of the query, and says that there is no such entry', async () => {
      seen = []
      const wrong = await api.articles?.find({ filters: { title, titel: 1 } })
      assert.equal(wrong?.error?.details.parameter, 'filters[titel]')
      const missing = await api.articles?.findOne(99, { fields: title })
      assert.equal(missing?.error?.name, 'NotFoundError')
      assert.deepEqual(sentOf(), ['POST /api/articles/query', 'POST /api/articles/99/query', 'GET /api/articles/99'])
    })

    for (const dialect of ['spec', 'strapi4'] as const)
      it(`sends it again in the address where the app takes no bodies with queries, in ${dialect}`, async () => {
        const bare = await createTestApp({
          types: {
            note: { attributes: { text: { type: 'string' } } },
            home: { kind: 'singleType', attributes: { text: { type: 'string' } } },
          },
          config: { api: { rest: { dialect } } },
        })
        onTestFinished(() => bare.close())
        seen = []
        const old = loose({ url, fetch: fetchOf(bare, request => seen.push(request)) })
        await old.notes?.create({ text: 'a' })
        await old.home?.update({ text: 'a' })
        const query = { filters: { id: { $in: ids } } }
        const found = unwrap((await old.notes?.find(query)) as Result<unknown[]>)
        assert.equal(found.length, 1)
        const fields = manyTimes('text')
        for (const read of [old.notes?.findOne(1, { fields }), old.home?.find({ fields })])
          assert.equal((await read)?.error, undefined)
        assert.deepEqual(sentOf().slice(2), [
          ...['POST /api/notes/query', 'GET /api/notes'],
          ...['POST /api/notes/1/query', 'POST /api/home/query', 'GET /api/notes/1', 'GET /api/home'],
        ])
      })
  })

  it('is no promise, so that it can be returned from an async function', async () => {
    const given = await (async () => api)()
    assert.equal(given, api)
  })
})

describe('a count', () => {
  const counts = async (rest: object, query?: object) => {
    const app = await openWorld(rest)
    onTestFinished(() => app.close())
    const requests: string[] = []
    const api = loose({ url, fetch: fetchOf(app, request => requests.push(request.url)) }) as unknown as Record<
      string,
      Record<'count', Call>
    >
    return { result: await api.articles?.count(query), requests }
  }

  it.each([
    ['spec', {}],
    ['strapi4', { dialect: 'strapi4' }],
    ['spec without totals', { withCount: false }],
  ])('is how many entries meet a query, with one request that reads one entry at most: %s', async (_, rest) => {
    const all = await counts(rest)
    assert.deepEqual([all.result?.data, all.requests.length], [2, 1])
    const some = await counts(rest, { filters: { title: 'Bread' } })
    assert.equal(some.result?.data, 1)
    assert.equal((await counts(rest, { filters: { title: 'none' } })).result?.data, 0)
  })

  it('is an error where the query is wrong, and where the response says no total', async () => {
    const wrong = await counts({}, { filters: { titel: 'x' } })
    assert.deepEqual([wrong.result?.data, wrong.result?.error?.status], [null, 400])
    const send = async () => new Response('[]')
    const api = loose({ url, fetch: send }) as unknown as Record<string, Record<'count', Call>>
    assert.equal((await api.things?.count())?.error?.message, 'The response says no total')
  })
})

describe('its code', () => {
  const folder = new URL('../../plugins/typescript/client/', import.meta.url)
  const sources = readdirSync(folder).filter(name => name.endsWith('.ts'))
  const sourceOf = (name: string) => readFileSync(new URL(name, folder), 'utf8')

  it('imports nothing from outside its folder', () => {
    const imports = sources.flatMap(name =>
      [...sourceOf(name).matchAll(/^(?:import|export|\} from) ?.*from '(.*)'$/gm)].map(([, from]) => from),
    )
    assert.ok(imports.length > 15)
    assert.deepEqual(
      imports.filter(from => !/^\.\/[a-z-]+\.js$/.test(from ?? '')),
      [],
    )
  })

  it('is as small as the page says, whole and in parts', async () => {
    const page = sourceOf('../README.md')
    const rows = [...page.matchAll(/^\| `?(.+?)`? \| ([\d.]+) kB \| ([\d.]+) kB \|$/gm)]
    assert.deepEqual(
      rows.map(([, name]) => name),
      ['createClient', 'createSession', 'createFeed', 'withProgress', 'pictureUrl`, `srcset', 'all of it'],
    )
    const real: string[][] = []
    for (const [, name = ''] of rows) {
      const names = name === 'all of it' ? '*' : `{ ${name.replaceAll('`', '')} }`
      const code = await minified(`export ${names} from '/index.js'`)
      const sizes = [Buffer.byteLength(code), gzipSync(code).byteLength].map(bytes => (bytes / 1000).toFixed(1))
      real.push([name, ...sizes])
    }
    assert.deepEqual(
      real,
      rows.map(([, ...said]) => said),
    )
    const whole = await minified("export * from '/index.js'")
    assert.ok(gzipSync(whole).byteLength < 3000, 'all of it is less than 3 kB, compressed')
    assert.ok((await minified("export { unwrap } from '/index.js'")).length < 200)
  })

  /** The client in a bundle for a browser. */
  async function minified(entry: string): Promise<string> {
    const { build } = await import('vite')
    const nameOf = (id: string) => id.slice(id.lastIndexOf('/') + 1).replace(/\.js$/, '.ts')
    const out = await build({
      configFile: false,
      logLevel: 'silent',
      build: {
        ...{ write: false, minify: true, target: 'es2022', modulePreload: false },
        rolldownOptions: { input: '/entry.ts', preserveEntrySignatures: 'strict' },
      },
      plugins: [
        {
          name: 'files',
          resolveId: id => (id.endsWith('/entry.ts') ? '/entry.ts' : `/${nameOf(id)}`),
          load: id => (id === '/entry.ts' ? entry : sourceOf(id.slice(1))),
        },
      ],
    })
    const { output } = out as unknown as { output: [{ code: string }] }
    return output[0].code
  }
})
