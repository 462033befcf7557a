import assert from 'node:assert/strict'
import { beforeAll, describe, it } from 'vitest'
import { definePlugin } from '../../core/index.js'
import { draftAndPublish } from '../../plugins/draft-and-publish/index.js'
import { i18n } from '../../plugins/i18n/index.js'
import { type Api, contract, each, refused } from '../support/contract.js'

const types = {
  item: {
    attributes: {
      title: { type: 'string' },
      body: { type: 'text' },
      rank: { type: 'integer', index: true },
      code: { type: 'string', unique: true },
      price: { type: 'decimal' },
      weight: { type: 'float' },
      big: { type: 'biginteger' },
      yes: { type: 'boolean' },
      day: { type: 'date' },
      hour: { type: 'time' },
      moment: { type: 'datetime' },
      secret: { type: 'string', private: true },
      owner: { type: 'string' },
      group: { type: 'relation', relation: 'manyToOne', target: 'api::group.group' },
      groups: { type: 'relation', relation: 'manyToMany', target: 'api::group.group' },
    },
    indexes: [{ attributes: ['weight', 'title'] }],
  },
  group: { attributes: { name: { type: 'string' }, open: { type: 'boolean' }, size: { type: 'biginteger' } } },
}

/** `x-owner` says whose items a request reaches. */
const callers = definePlugin({
  name: 'callers',
  authenticate: ({ headers }) => {
    const owner = headers['x-owner']
    return {
      scope: `owner ${owner}`,
      can: () => true,
      ...(owner !== undefined && {
        rows: (_: string, uid: string) => (uid === 'api::item.item' ? { owner: { $eq: String(owner) } } : undefined),
      }),
    }
  },
})

/** Values that are often the same, and often missing. */
const some = <T>(values: readonly T[], index: number): T | null =>
  index % 4 === 0 ? null : (values[(index * 7) % values.length] as T)

const itemOf = (index: number, groups: readonly number[]) => ({
  title: some(['a', 'B', 'b', 'ä', 'c d', '%_', "it's"], index),
  body: some(['', 'long', 'longer'], index + 1),
  rank: some([-2, 0, 3], index + 2),
  code: index % 5 === 0 ? null : `c${(index * 37) % 101}`,
  price: some([1.1, 2.25, 100], index + 3),
  weight: some([0.1, 0.1 + 0.2, 1e-7, 123456.789], index),
  big: some(['9007199254740993', '9007199254740992', '-5'], index + 1),
  yes: some([true, false], index + 2),
  day: some(['2020-02-29', '1999-12-31'], index + 3),
  hour: some(['03:04:05.678', '23:00:00.000'], index),
  moment: some(['2024-01-01T00:00:00.001Z', '2024-01-01T00:00:00.002Z', '1960-05-05T00:00:00.000Z'], index + 1),
  owner: index % 3 === 0 ? 'ann' : 'bob',
  group: some(groups, index + 2),
  groups: index % 3 === 0 ? [] : [groups[index % groups.length], groups[(index + 1) % groups.length]],
})

/** These items, and no others. */
async function fill(api: Api, count = 40): Promise<void> {
  await empty(api)
  const groups: number[] = []
  for (const name of ['x', 'Y', null, 'z'])
    groups.push(
      await api.make('/groups', { name, open: name === 'x', size: name === null ? null : '9007199254740993' }),
    )
  for (let index = 0; index < count; index += 1) await api.make('/items', itemOf(index, groups))
}

async function empty({ app }: Api): Promise<void> {
  const entries = app.entries('api::item.item')
  for (const { id } of await entries.find({})) await entries.delete(Number(id))
}

/** All pages in one direction, each an array of ids. */
async function walk(api: Api, query: string, key: 'after' | 'before', limit = 7): Promise<number[][]> {
  const pages: number[][] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const { status, body, text } = await api.get(
      `/items?${query}&fields[0]=title&pagination[limit]=${limit}&pagination[${key}]=${cursor}`,
    )
    assert.equal(status, 200, text)
    pages.push(each('id')(body) as number[])
    const { next, previous } = body.meta.pagination
    assert.equal(pages.length > 1 || (key === 'after' ? previous : next) === null, true, 'a walk begins at the end')
    cursor = key === 'after' ? next : previous
    assert.ok(pages.length < 100)
  }
  return pages
}

const sorts = [
  '',
  'sort=id:desc',
  'sort=title',
  'sort=title:desc',
  'sort[0]=body:desc&sort[1]=title',
  'sort=rank',
  'sort=rank:desc',
  'sort[0]=rank:desc&sort[1]=price&sort[2]=id:desc',
  'sort[0]=rank&sort[1]=yes:desc&sort[2]=day',
  'sort=code',
  'sort=code:desc',
  'sort[0]=weight&sort[1]=title:desc',
  'sort[0]=weight:desc&sort[1]=title:desc',
  'sort=big',
  'sort=hour:desc',
  'sort[0]=moment:desc&sort[1]=id',
  'sort=createdAt:desc',
  'sort=group.name',
  'sort[0]=group.name:desc&sort[1]=rank',
  'sort[0]=group.open&sort[1]=group.size:desc',
  'sort[0]=groups.name:desc&sort[1]=title',
  'sort[0]=rank&sort[1]=price:desc',
  'sort[0]=rank:desc&sort[1]=title&filters[owner]=bob',
  'sort[0]=weight&sort[1]=title&sort[2]=id:desc',
  'sort=rank&filters[groups][name]=x',
  'sort[0]=rank:desc&sort[1]=title&filters[groups][name]=x',
  'sort=rank:desc&filters[title][$notNull]=true&_q=l',
]

function walks(api: Api): void {
  beforeAll(() => fill(api))
  for (const sort of sorts)
    it(`walks the list once in both directions: ${sort || 'no sort'}`, async () => {
      const whole = each('id')((await api.get(`/items?${sort}&fields[0]=title&pagination[pageSize]=100`)).body)
      const pages = await walk(api, sort, 'after')
      assert.deepEqual(pages.flat(), whole)
      assert.ok(pages.slice(0, -1).every(({ length }) => length === 7))
      assert.deepEqual((await walk(api, sort, 'before')).reverse().flat(), whole)
    })

  it('shows each row that stays once, whatever is written meanwhile', async () => {
    await fill(api, 30)
    const list = async (page: string) =>
      (await api.get(`/items?sort=rank:desc&fields[0]=title&pagination[limit]=4&pagination[after]=${page}`)).body
    const whole = each('id')((await api.get('/items?sort=rank:desc&pagination[pageSize]=100')).body) as number[]
    const seen: number[] = []
    const gone = new Set<number>()
    let cursor: string | null = ''
    let turn = 0
    while (cursor !== null) {
      const body = await list(cursor)
      const ids = each('id')(body) as number[]
      seen.push(...ids)
      cursor = body.meta.pagination.next
      turn += 1
      // The entry of the cursor itself, and one that is still to come.
      const [last, later] = [ids.at(-1) as number, whole.findLast(id => !seen.includes(id) && !gone.has(id))]
      for (const id of [last, ...(later === undefined || turn % 2 ? [] : [later])]) {
        await api.send('DELETE', `/items/${id}`)
        gone.add(id)
      }
      await api.make('/items', { rank: 3, title: 'new' })
      await api.make('/items', { rank: turn })
    }
    const stable = whole.filter(id => !gone.has(id))
    assert.deepEqual(
      seen.filter(id => stable.includes(id)),
      stable,
    )
  })
}

function pages(api: Api): void {
  const get = async (query: string, headers: Record<string, string> = {}) => api.get(`/items?${query}`, headers)

  it('goes on and back, and back from behind the end', async () => {
    await fill(api, 5)
    const page = async (query: string) => {
      const { body } = await get(`sort=title&fields[0]=title&pagination[limit]=3&${query}`)
      return { ids: each('id')(body), ...body.meta.pagination }
    }
    const first = await page('pagination[after]=')
    assert.equal(first.previous, null)
    assert.equal('total' in first, false)
    const second = await page(`pagination[after]=${first.next}&pagination[withCount]=true`)
    assert.deepEqual([second.total, second.next, second.limit, second.ids.length], [5, null, 3, 2])
    assert.deepEqual((await page(`pagination[before]=${second.previous}`)).ids, first.ids)
    for (const id of second.ids) await api.send('DELETE', `/items/${id}`)
    const none = await page(`pagination[after]=${first.next}`)
    assert.deepEqual([none.ids, none.next], [[], null])
    const back = await page(`pagination[before]=${none.previous}`)
    assert.deepEqual([back.ids, back.previous, typeof back.next], [first.ids, null, 'string'])
  })
  it('populates, shows all fields, and takes as many statements as another page', async () => {
    await fill(api, 4)
    const query = 'populate[0]=groups&populate[1]=group&sort=rank&pagination[pageSize]=3'
    const paged = await get(`${query}&pagination[withCount]=false`)
    const beside = await get(`${query}&pagination[after]=`)
    assert.deepEqual(beside.body.data, paged.body.data)
    const further = await get(`${query}&pagination[after]=${beside.body.meta.pagination.next}`)
    assert.equal(further.body.data.length, 1)
    assert.ok(further.statements.length <= 3, further.statements.join('\n'))
  })
  it('shows entries of which only the id is asked for, as other pages do', async () => {
    await fill(api, 4)
    for (const query of ['', 'populate[0]=group&', 'sort=moment&', 'sort=title&populate[groups][fields][0]=id&']) {
      const paged = await get(`${query}fields[0]=id&pagination[pageSize]=3&pagination[withCount]=false`)
      const beside = await get(`${query}fields[0]=id&pagination[pageSize]=3&pagination[after]=`)
      assert.equal(beside.body.data.length, 3)
      assert.deepEqual(beside.body.data, paged.body.data)
    }
  })
  it.runIf(api.engine.name === 'sqlite')(
    'sorts the rows of a few values, where an index has the first attribute',
    async () => {
      await fill(api, 6)
      const sort = 'sort[0]=rank&sort[1]=title:desc&pagination[limit]=2'
      const first = await get(`${sort}&pagination[after]=`)
      const second = await get(`${sort}&pagination[after]=${first.body.meta.pagination.next}`)
      for (const { statements } of [first, second]) {
        const [statement = ''] = statements
        const plan = await api.app.store.reader.all(`explain query plan ${statement}`, [])
        const steps = plan.map(row => String(row.at(-1)))
        assert.ok(
          steps.some(step => /^SEARCH t USING (COVERING )?INDEX/.test(step)),
          steps.join('\n'),
        )
        assert.deepEqual(
          steps.filter(step => /^SCAN t\b/.test(step)),
          [],
        )
      }
    },
  )
  it('keeps to the rows of a caller', async () => {
    await fill(api, 12)
    const ids = async (query: string) => {
      const { body } = await get(`sort=title:desc&pagination[limit]=2&${query}`, { 'x-owner': 'ann' })
      return [each('owner')(body), body.meta.pagination.next] as const
    }
    let [owners, next] = await ids('pagination[after]=')
    const all = [...owners]
    while (next !== null) {
      ;[owners, next] = await ids(`pagination[after]=${next}`)
      all.push(...owners)
    }
    assert.deepEqual(all, ['ann', 'ann', 'ann', 'ann'])
  })
  it('refuses cursors of other lists, and those that were not given', async () => {
    await fill(api, 6)
    const { body } = await get('sort=title&filters[owner]=bob&pagination[limit]=2&pagination[after]=')
    const cursor: string = body.meta.pagination.next
    const [print, ...content] = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    const changed = Buffer.from(JSON.stringify([print, ...content.slice(0, -1), 99])).toString('base64url')
    const at = 'filters[owner]=bob&pagination[limit]=2'
    for (const [query, message] of [
      [`${at}&sort=title:desc&pagination[after]=${cursor}`, /is a cursor of another type or sort; begin again with/],
      [`${at}&pagination[after]=${cursor}`, /is a cursor of another type or sort/],
      [`filters[owner]=ann&sort=title&pagination[after]=${cursor}`, /is a cursor of a list with other filters/],
      [`${at}&sort=title&pagination[after]=${changed}`, /is no cursor of this server; send meta\.pagination\.next/],
      [`${at}&sort=title&pagination[after]=${cursor.slice(0, -2)}`, /is no cursor of this server/],
      [`${at}&sort=title&pagination[after]=5`, /is no cursor of this server/],
      [`${at}&sort=title&pagination[after][a]=5`, /takes one cursor, or nothing to begin/],
      [`sort=title&pagination[after]=${cursor}&pagination[before]=`, /cannot be combined with pagination\[after\]/],
      ['pagination[after]=&pagination[page]=2', /cannot be combined with pagination\[after\]/],
      ['pagination[before]=&pagination[start]=2', /cannot be combined with pagination\[before\]/],
      ['pagination[before]=&pagination[limit]=2&pagination[pageSize]=2', /cannot be combined/],
      ['pagination[after]=&sort=secret', /has no attribute/],
    ] as const)
      refused(await get(query), { status: 400, message })
    assert.equal((await get(`${at}&sort=title&pagination[after]=${cursor}`)).status, 200)
    const groups = await api.get(`/groups?sort=name&pagination[after]=${cursor}`)
    refused(groups, { status: 400, parameter: 'pagination[after]', message: /another type or sort/ })
  })
  it('gives no cursor of a text that would not fit into an address', async () => {
    await empty(api)
    await api.make('/items', { body: 'x'.repeat(2000) })
    await api.make('/items', { body: 'y' })
    const { body, status } = await get('sort=body&pagination[limit]=1&pagination[after]=')
    refused({ body, status } as never, { status: 400, message: /body has more than 1000 characters/ })
  })
}

contract('Pages beside an entry', { types, plugins: [callers] }, api => {
  describe('walks', () => walks(api))
  describe('pages', () => pages(api))
})
contract("Pages beside an entry, in Strapi's dialect", { types, rest: { dialect: 'strapi4' } }, walks)

contract(
  'Pages of drafts and locales beside an entry',
  {
    types: {
      item: {
        attributes: { title: { type: 'string' } },
        options: { draftAndPublish: true },
        pluginOptions: { i18n: { localized: true } },
      },
      chest: {
        attributes: {
          name: { type: 'string' },
          items: { type: 'relation', relation: 'manyToMany', target: 'api::item.item' },
        },
      },
    },
    plugins: [draftAndPublish, i18n],
  },
  api => {
    it('walks those of one state and locale', async () => {
      await api.send('POST', '/i18n/locales', { data: { code: 'de', name: 'German' } })
      for (let index = 0; index < 6; index += 1)
        await api.make('/items', { title: `t${index}`, publishedAt: index % 2 ? null : '2024-01-01T00:00:00.000Z' })
      const all = async (query: string) => {
        const { body } = await api.get(`/items?sort=publishedAt:desc&${query}&pagination[limit]=2&pagination[after]=`)
        const more = await api.get(
          `/items?sort=publishedAt:desc&${query}&pagination[limit]=2&pagination[after]=${body.meta.pagination.next}`,
        )
        return [...each('title')(body), ...each('title')(more.body)]
      }
      assert.deepEqual(await all(''), ['t0', 't2', 't4'])
      assert.equal((await all('publicationState=preview')).length, 4)
      const { body } = await api.get('/items?pagination[limit]=1&pagination[after]=')
      const other = await api.get(`/items?publicationState=preview&pagination[after]=${body.meta.pagination.next}`)
      refused(other, { status: 400, message: /other filters or parameters/ })
    })

    // Publication depends on the time of the request, in the sort and in the comparison with the cursor.
    it('walks a list that is sorted by related entries that can be drafts', async () => {
      const publishedAt = '2024-01-01T00:00:00.000Z'
      const [b, a, draft] = [
        await api.make('/items', { title: 'b', publishedAt }),
        await api.make('/items', { title: 'a', publishedAt }),
        await api.make('/items', { title: 'c', publishedAt: null }),
      ]
      for (const [name, items] of Object.entries({ both: [a, b], one: [b, draft], none: [draft], empty: [] }))
        await api.make('/chests', { name, items })
      const walk = async (key: 'after' | 'before', direction: string) => {
        const names: unknown[] = []
        for (let cursor: string | null = ''; cursor !== null; ) {
          const url = `/chests?sort=items.title:${direction},name&pagination[limit]=1&pagination[${key}]=${cursor}`
          const { status, body } = await api.get(url)
          assert.equal(status, 200)
          names.push(...each('name')(body))
          cursor = body.meta.pagination[key === 'after' ? 'next' : 'previous']
        }
        return names
      }
      assert.deepEqual(await walk('after', 'asc'), ['empty', 'none', 'both', 'one'])
      assert.deepEqual(await walk('before', 'asc'), ['one', 'both', 'none', 'empty'])
      assert.deepEqual(await walk('after', 'desc'), ['both', 'one', 'empty', 'none'])
    })
  },
)
