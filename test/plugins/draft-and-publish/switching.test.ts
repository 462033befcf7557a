import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { definePlugin, type TestAppOptions } from '../../../core/index.js'
import { draftAndPublish } from '../../../plugins/draft-and-publish/index.js'
import { type Server, said, startOn } from '../../support/contract.js'
import type { Engine, FreshDatabase } from '../../support/engines.js'
import { onEveryEngine } from '../../support/every-engine.js'
import { run } from '../../support/run.js'

type Plugins = NonNullable<TestAppOptions['plugins']>
const on: Plugins = [draftAndPublish]
const off: Plugins = []

const note = (drafts: boolean) => ({
  note: { options: { draftAndPublish: drafts }, attributes: { name: { type: 'string', required: true } } },
})

/** Starts the app again and again on one database, each time with other plugins or types. */
async function onOneDatabase(
  engine: Engine,
  tell: (
    phase: <T>(plugins: Plugins, work: (world: Server) => Promise<T>, drafts?: boolean) => Promise<T>,
    fresh: FreshDatabase,
  ) => Promise<void>,
) {
  const fresh = await engine.fresh()
  try {
    await tell(async (plugins, work, drafts = true) => {
      const world = await startOn(fresh.database, { types: note(drafts), plugins })
      try {
        return await work(world)
      } finally {
        await world.app.close()
      }
    }, fresh)
  } finally {
    await fresh.drop()
  }
}

const listed = async ({ get }: Server, query = ''): Promise<unknown[]> =>
  (await get(`/notes?sort=id${query}`)).body.data.map(
    ({ attributes }: { attributes: { name: string } }) => attributes.name,
  )
const preview = '&publicationState=preview'

onEveryEngine('switching draft-and-publish', engine => {
  it('on publishes what was made without it, when it was made', () =>
    onOneDatabase(engine, async phase => {
      await phase(off, ({ makeMany, make }) => Promise.all([makeMany('/notes', 3), make('/notes', { name: 'last' })]))
      await phase(on, async world => {
        assert.equal((await listed(world)).length, 4)
        const { attributes } = (await world.get('/notes?filters[name]=last')).body.data[0]
        assert.equal(attributes.publishedAt, attributes.createdAt)
      })
    }))

  it('off and on again finds everything as it was, and publishes no draft', () =>
    onOneDatabase(engine, async phase => {
      const date = await phase(on, async world => {
        await world.make('/notes', { name: 'draft', publishedAt: null })
        const id = await world.make('/notes', { name: 'taken back' })
        await world.post(`/notes/${id}/actions/unpublish`, undefined)
        await world.make('/notes', { name: 'published', publishedAt: '2024-05-01T00:00:00.000Z' })
        return (await world.get('/notes?filters[name]=published')).body.data[0].attributes.publishedAt
      })
      await phase(off, async world => {
        assert.deepEqual(await listed(world), ['draft', 'taken back', 'published'])
        await world.make('/notes', { name: 'made meanwhile' })
        await world.put('/notes/1', { name: 'draft, changed' })
      })
      await phase(off, ({ make }) => make('/notes', { name: 'later' }))
      const check = async (world: Server) => {
        assert.deepEqual(await listed(world), ['published', 'made meanwhile', 'later'])
        assert.deepEqual(await listed(world, `${preview}&filters[publishedAt][$null]=true`), [
          'draft, changed',
          'taken back',
        ])
        assert.equal((await world.get('/notes/3')).body.data.attributes.publishedAt, date)
      }
      await phase(on, check)
      await phase(on, check)
      await phase(off, async () => undefined)
      await phase(on, check)
    }))

  it('for one type is the same, by its schema file, once the drafts may be shown', () =>
    onOneDatabase(engine, async (phase, { database }) => {
      await phase(on, ({ make }) => make('/notes', { name: 'before' }), false)
      await phase(on, async world => {
        assert.deepEqual(await listed(world), ['before'])
        await world.make('/notes', { name: 'draft', publishedAt: null })
      })
      await run(database, "insert into stele_steps (name, time) values ('shown/draft-and-publish/api::note.note', 1)")
      await phase(on, ({ make }) => make('/notes', { name: 'meanwhile' }), false)
      await phase(on, async world => {
        assert.deepEqual(await listed(world), ['before', 'meanwhile'])
        assert.deepEqual(await listed(world, preview), ['before', 'draft', 'meanwhile'])
      })
    }))

  it('on leaves drafts alone that others have made, published ones beside them or not', () =>
    onOneDatabase(engine, async (phase, { database }) => {
      await phase(on, async world => {
        await world.make('/notes', { name: 'draft', publishedAt: null })
      })
      // Strapi 4 keeps a copy of its schemas; it removes tables that it does not know.
      await run(database, 'drop table stele_steps')
      await phase(off, async ({ app }) => {
        const schemas = { 'api::note.note': { options: { draftAndPublish: true } } }
        const row = { key: 'strapi_content_types_schema', value: JSON.stringify(schemas), type: 'object' }
        await run(database, app.store.knex('strapi_core_store_settings').insert(row).toString())
      })
      await phase(on, async world => {
        assert.deepEqual(await listed(world), [])
        await world.make('/notes', { name: 'published' })
      })
      await run(database, 'drop table stele_steps')
      await run(database, 'delete from strapi_core_store_settings')
      await phase(on, async world => assert.deepEqual(await listed(world), ['published']))
    }))

  it('on happens once, however many processes start', () =>
    onOneDatabase(engine, async (phase, { database }) => {
      await phase(off, ({ makeMany }) => makeMany('/notes', 5))
      const worlds = await Promise.all([1, 2, 3].map(() => startOn(database, { types: note(true), plugins: on })))
      try {
        for (const world of worlds) assert.equal((await listed(world)).length, 5)
        const [mark] = await run(database, "select count(*) as n from stele_steps where name like 'adopted/%'")
        assert.equal(Number(mark?.n), 1)
      } finally {
        for (const { app } of worlds) await app.close()
      }
    }))

  it('on after a start that failed is not taken for done', () =>
    onOneDatabase(engine, async phase => {
      await phase(off, ({ makeMany }) => makeMany('/notes', 2))
      const broken = definePlugin({
        name: 'broken',
        register: () => {
          throw new Error('not today')
        },
      })
      await assert.rejects(
        phase([draftAndPublish, broken], async () => undefined),
        /not today/,
      )
      await phase(on, async world => assert.equal((await listed(world)).length, 2))
    }))

  describe('off', () => {
    it('leaves no parameter, route, attribute or rule', () =>
      onOneDatabase(engine, async phase => {
        await phase(off, async world => {
          assert.match(
            said(await world.post('/notes', { name: 'plain', publishedAt: null })).join(),
            /^400,publishedAt/,
          )
          const { attributes } = (await world.post('/notes', { name: 'plain' })).body.data
          assert.deepEqual(Object.keys(attributes), ['name', 'createdAt', 'updatedAt'])
          for (const query of ['publicationState=preview', 'filters[publishedAt][$null]=true', 'fields=publishedAt']) {
            const answer = await world.get(`/notes?${query}`)
            assert.deepEqual(said(answer)[0], 400, query)
          }
          assert.equal((await world.post('/notes/1/actions/publish', {})).status, 404)
          assert.equal((await world.post('/notes', { publishedAt: null })).status, 400)
          assert.ok(!world.app.routes.some(({ path }) => path.includes('actions')))
        })
      }))
  })
})
