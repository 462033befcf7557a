import assert from 'node:assert/strict'
import { beforeAll, expect, it } from 'vitest'
import { apiTokens } from '../../../plugins/api-tokens/index.js'
import { audit } from '../../../plugins/audit/index.js'
import { draftAndPublish } from '../../../plugins/draft-and-publish/index.js'
import { type Body, contract, refused } from '../../support/contract.js'
import { bearer, mint } from '../api-tokens/world.js'

const secret = 'a secret of this test, long enough'
const article = 'api::article.article'
const page = 'api::page.page'

contract(
  'the record over HTTP',
  {
    types: {
      article: { attributes: { title: { type: 'string' }, body: { type: 'text' } } },
      note: { attributes: { text: { type: 'string' } } },
      page: { options: { draftAndPublish: true }, attributes: { title: { type: 'string' } } },
    },
    plugins: [
      [apiTokens, { salt: secret }],
      [draftAndPublish, { strict: true, restrictPreview: true }],
      [audit, { secret, show: 'value', attributes: { [article]: { body: 'name' } } }],
    ],
  },
  api => {
    const keys: Record<string, string> = {}
    beforeAll(async () => {
      const custom = async (...actions: string[]) =>
        (await mint(api.app, `of ${actions}`, { type: 'custom', actions: actions.join(',') })).accessKey
      const own = 'plugin::audit.record.list'
      keys.full = (await mint(api.app, 'all')).accessKey
      keys.readOnly = (await mint(api.app, 'reader', { type: 'read-only' })).accessKey
      keys.lists = await custom(own)
      keys.reads = await custom(own, `${article}.find`)
      keys.live = await custom(own, `${page}.find`)
      keys.previews = await custom(own, `${page}.find`, `${page}.preview`)
      keys.others = await custom(`${article}.find`)
      const as = (method: string, path: string, data?: object) =>
        api.send(method, path, data && { data }, bearer(keys.full ?? ''))
      for (const title of ['A', 'B', 'C']) await as('POST', '/articles', { title, body: 'long' })
      await as('POST', '/notes', { text: 'private words' })
      await as('PUT', '/articles/2', { title: 'BB' })
    })
    const records = async (query: string, key = 'full'): Promise<Body[]> => {
      const { status, body, text } = await api.send('GET', `/audit/records${query}`, undefined, bearer(keys[key] ?? ''))
      assert.equal(status, 200, text)
      return body.data
    }
    const short = ({ event, uid, entry }: Body) => `${event} ${uid} ${entry}`

    it('is closed unless permitted', async () => {
      refused(await api.get('/audit/records'), { status: 401 })
      for (const key of ['readOnly', 'others'])
        refused(await api.send('GET', '/audit/records', undefined, bearer(keys[key] ?? '')), { status: 403 })
    })

    it('lists who did what, the latest first', async () => {
      const [last] = await records(`?type=${article}&limit=1`)
      expect(last).toMatchObject({
        ...{
          event: 'entry.update',
          uid: article,
          entry: 2,
          name: null,
          intact: true,
          request: 'PUT /api/articles/:id',
        },
        changes: { title: { from: 'B', to: 'BB' } },
      })
      assert.match(last?.actor, /^token \d+$/)
      assert.equal('seal' in (last as object), false)
    })

    it('is filtered by type, entry, kind, caller and time', async () => {
      const created = [3, 2, 1].map(id => `entry.create ${article} ${id}`)
      const all = await records(`?type=${article}`)
      assert.deepEqual(all.map(short), [`entry.update ${article} 2`, ...created])
      assert.deepEqual((await records(`?type=${article}&event=entry.create`)).map(short), created)
      assert.deepEqual((await records(`?type=${article}&entry=2`)).map(short), [
        `entry.update ${article} 2`,
        `entry.create ${article} 2`,
      ])
      const { actor, at } = all[0] as Body
      const who = encodeURIComponent(actor)
      assert.deepEqual((await records(`?who=${who}&type=${article}`)).map(short), all.map(short))
      assert.deepEqual(await records('?who=user%207'), [])
      assert.deepEqual(await records(`?since=${new Date(Date.parse(at) + 60_000).toISOString()}`), [])
      assert.deepEqual(await records('?until=2020-01-01'), [])
      assert.equal((await records(`?type=${article}&since=2020-01-01&until=2999-01-01`)).length, 4)
    })

    it('has pages that begin beside a record', async () => {
      const first = await records(`?type=${article}&limit=3`)
      const rest = await records(`?type=${article}&limit=3&before=${first.at(-1)?.id}`)
      assert.deepEqual([...first, ...rest].map(short), (await records(`?type=${article}`)).map(short))
      assert.equal(rest.length, 1)
    })

    it('shows values to callers alone who may read them', async () => {
      const changesOf = async (type: string, key: string) => (await records(`?type=${type}&limit=1`, key))[0]?.changes
      assert.deepEqual(await changesOf(article, 'lists'), { title: {} })
      assert.deepEqual(await changesOf(article, 'reads'), { title: { from: 'B', to: 'BB' } })
      assert.deepEqual(await changesOf('api::note.note', 'reads'), { text: {} })
      assert.deepEqual(await changesOf('api::note.note', 'full'), { text: { to: 'private words' } })
      const draft = { title: 'not yet', publishedAt: null }
      await api.send('POST', '/pages', { data: draft }, bearer(keys.full ?? ''))
      const titleTo = async (key: string) => ((await changesOf(page, key)) as Body).title
      assert.deepEqual(await titleTo('live'), {})
      assert.deepEqual(await titleTo('previews'), { to: 'not yet' })
    })

    for (const [query, parameter] of [
      ['limit=101', 'limit'],
      ['limit=x', 'limit'],
      ['entry=1', 'entry'],
      ['type=a&entry=0', 'entry'],
      ['before=-1', 'before'],
      ['since=soon', 'since'],
      ['until=x', 'until'],
      ['who[a]=1', 'who'],
      ['sort=id', 'sort'],
    ] as const)
      it(`refuses ?${query}`, async () =>
        refused(await api.send('GET', `/audit/records?${query}`, undefined, bearer(keys.full ?? '')), {
          status: 400,
          parameter,
        }))
  },
)
