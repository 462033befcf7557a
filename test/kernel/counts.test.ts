import assert from 'node:assert/strict'
import { it, onTestFinished } from 'vitest'
import { type Counts, createTestApp, definePlugin } from '../../core/index.js'
import { onEveryEngine } from '../support/every-engine.js'

const visits = definePlugin({
  name: 'visits',
  config: { type: 'object', properties: { names: { type: 'array', items: { type: 'string' }, default: ['pages'] } } },
  shares: { counts: ({ names }) => names },
  register: host => host,
})

onEveryEngine('the counts of a plugin', engine => {
  const boot = async (settings = {}, time = () => 90_000) => {
    const fresh = await engine.fresh()
    onTestFinished(() => fresh.drop())
    const app = await createTestApp({ plugins: [[visits, settings]], config: { database: fresh.database }, time })
    onTestFinished(() => app.close())
    const service = app.plugins[0]?.service as { readonly shares: { readonly counts: (name: string) => Counts } }
    return { app, counts: service.shares.counts }
  }

  it('count each key by itself, in each interval, also at the same time', async () => {
    let now = 90_000
    const { counts } = await boot({ names: ['pages', 'files'] }, () => now)
    const [pages, files] = [counts('pages'), counts('files')]
    const all = await Promise.all(Array.from({ length: 20 }, () => pages.add('a', 60_000)))
    assert.deepEqual(
      all.map(({ count }) => count).sort((one, other) => one - other),
      Array.from({ length: 20 }, (_, index) => index + 1),
    )
    assert.deepEqual(await pages.add('b', 60_000), { count: 1, left: 30_000 })
    assert.deepEqual(await pages.add('a', 30_000), { count: 1, left: 30_000 })
    assert.deepEqual(await files.add('a', 60_000), { count: 1, left: 30_000 })
    now = 120_000
    assert.deepEqual(await pages.add('a', 60_000), { count: 1, left: 60_000 })
    await pages.forget('b', 60_000)
    now = 90_000
    assert.equal((await pages.add('a', 60_000)).count, 21)
    await pages.forget('a', 60_000)
    assert.equal((await pages.add('a', 60_000)).count, 1)
  })

  it('add several at once, whether there is a count already or not', async () => {
    const { counts } = await boot()
    const pages = counts('pages')
    assert.equal((await pages.add('a', 60_000, undefined, 5)).count, 5)
    assert.equal((await pages.add('a', 60_000, undefined, 7)).count, 12)
    assert.equal((await pages.add('a', 60_000)).count, 13)
  })

  it('are not counted any further by a process that has seen them above what matters', async () => {
    const { counts } = await boot()
    const count = async () => (await counts('pages').add('a', 60_000, 2)).count
    const one = counts('pages')
    const seen = []
    for (let index = 0; index < 5; index += 1) seen.push((await one.add('a', 60_000, 2)).count)
    assert.deepEqual(seen, [1, 2, 3, 3, 3])
    assert.equal(await count(), 4)
    await one.forget('a', 60_000)
    assert.equal((await one.add('a', 60_000, 2)).count, 1)
  })

  it('exist where the settings ask for them, and so does their table', async () => {
    const { app, counts } = await boot({ names: [] })
    assert.throws(() => counts('pages'), /plugin visits declares no counts "pages"/)
    assert.equal((await app.engine.introspect()).tables.has('stele_counts'), false)
  })
})
