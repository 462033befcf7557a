import assert from 'node:assert/strict'
import { describe, it, onTestFinished } from 'vitest'
import type { TestAppOptions } from '../../../core/index.js'
import { i18n } from '../../../plugins/i18n/index.js'
import { said, startOn } from '../../support/contract.js'
import type { Engine } from '../../support/engines.js'
import { onEveryEngine } from '../../support/every-engine.js'

const on = { i18n: { localized: true } }
const attributes = (localized: object) => ({
  title: { type: 'string', pluginOptions: localized },
  code: { type: 'string', unique: true, pluginOptions: localized },
})
const plain: TestAppOptions = { types: { note: { attributes: attributes({}) } } }
const localized: TestAppOptions = { types: { note: { pluginOptions: on, attributes: attributes(on) } } }
const withPlugin = (options: TestAppOptions): TestAppOptions => ({ ...options, plugins: [[i18n, { locales: ['fr'] }]] })

/** Starts the same database again and again, each time with something else on. */
async function database(engine: Engine) {
  const fresh = await engine.fresh()
  onTestFinished(() => fresh.drop())
  return async <T>(
    options: TestAppOptions,
    work: (world: Awaited<ReturnType<typeof startOn>>) => Promise<T>,
  ): Promise<T> => {
    const world = await startOn(fresh.database, options)
    try {
      return await work(world)
    } finally {
      await world.app.close()
    }
  }
}
type Entries = readonly { id: number; attributes: { title: string } }[]
const titlesOf = ({ data }: { data: Entries }) => data.map(({ attributes: { title } }) => title)

onEveryEngine('switching localization', engine => {
  it('on for a type with data gives the rows the default locale and loses nothing', async () => {
    const during = await database(engine)
    for (const off of [plain, withPlugin(plain)])
      await during(off, async world => {
        for (const title of ['a', 'b']) await world.make('/notes', { title })
      })
    await during(withPlugin(localized), async world => {
      assert.deepEqual(titlesOf((await world.get('/notes')).body), ['a', 'b', 'a', 'b'])
      assert.deepEqual(titlesOf((await world.get('/notes?locale=fr')).body), [])
      const { status, body } = await world.post('/notes/1/localizations', { locale: 'fr', title: 'un' })
      assert.deepEqual([status, body.data.meta.availableLocales], [200, [{ id: 1, locale: 'en' }]])
    })
  })

  it('on lets values that were unique be so in each locale', async () => {
    const during = await database(engine)
    const refusal = [400, 'code must be unique; another entry has this value']
    const twice = async (world: Awaited<ReturnType<typeof startOn>>, more: object = {}) =>
      said(await world.post('/notes', { code: 'x', ...more }))
    await during(plain, async world => {
      await world.make('/notes', { code: 'x' })
      assert.deepEqual(await twice(world), refusal)
    })
    await during(withPlugin(localized), async world => {
      assert.deepEqual(await twice(world), refusal)
      assert.deepEqual(await twice(world, { locale: 'fr' }), [200, undefined])
      const raced = await Promise.all([1, 2, 3].map(() => world.post('/notes', { code: 'raced', locale: 'fr' })))
      assert.deepEqual(raced.map(({ status }) => status).sort(), [200, 400, 400])
    })
    await during(plain, async world => assert.deepEqual(await twice(world), refusal))
  })

  it('off leaves nothing of it, and on again finds everything as it was', async () => {
    const during = await database(engine)
    await during(withPlugin(localized), async world => {
      const id = await world.make('/notes', { title: 'one' })
      await world.post(`/notes/${id}/localizations`, { locale: 'fr', title: 'un' })
    })
    await during(localized, async world => {
      const { body } = await world.get('/notes')
      assert.deepEqual(titlesOf(body), ['one', 'un'])
      for (const { attributes, meta } of body.data) {
        assert.equal('locale' in attributes || 'localizations' in attributes, false)
        assert.deepEqual(meta, { availableLocales: [] })
      }
      for (const ask of [
        'locale=fr',
        'fallback=en',
        'populate=localizations',
        'filters[locale]=fr',
        'sort=locale',
        'fields=locale',
      ])
        assert.equal((await world.get(`/notes?${ask}`)).status, 400, ask)
      assert.equal((await world.get('/i18n/locales')).status, 404)
      assert.equal((await world.post('/notes/1/localizations', { locale: 'fr' })).status, 404)
      assert.deepEqual(world.app.commands, [])
      assert.equal((await world.put('/notes/1', { title: 'eins', locale: 'xx' })).status, 400)
      assert.equal((await world.put('/notes/1', { title: 'eins' })).status, 200)
      await world.make('/notes', { title: 'new' })
    })
    await during(withPlugin(localized), async world => {
      assert.deepEqual(titlesOf((await world.get('/notes')).body), ['eins', 'new'])
      const { data } = (await world.get('/notes?locale=fr&populate=localizations')).body
      assert.deepEqual(titlesOf({ data }), ['un'])
      assert.deepEqual(titlesOf(data[0].attributes.localizations), ['eins'])
    })
  })

  describe('what a start does', () => {
    it('is done once: a second start writes nothing', async () => {
      const during = await database(engine)
      const locales = () =>
        during(withPlugin(localized), async ({ rows }) => rows('i18n_locale', ['id', 'code', 'name', 'updated_at']))
      const first = await locales()
      assert.deepEqual(
        first.map(({ code, name }) => [code, name]),
        [
          ['en', 'English (en)'],
          ['fr', 'French (fr)'],
        ],
      )
      assert.deepEqual(await locales(), first)
    })
  })
})
