import assert from 'node:assert/strict'
import { it, vi } from 'vitest'
import { draftAndPublish } from '../../plugins/draft-and-publish/index.js'
import { onEveryEngine } from '../support/every-engine.js'
import { type Home, home, type Schemas } from './schema-home.js'

// A test runs many commands.
vi.setConfig({ testTimeout: 120_000 })
const title = { type: 'string' }
const of = (attributes: object): Schemas => ({ types: { note: { attributes: { title, ...attributes } } } })

onEveryEngine('an index of the entries that have an attribute', engine => {
  const isPartial = engine.name !== 'mysql'

  /** The columns that its rows must have; undefined where there is no such index. */
  async function condition({ sql }: Home, name = 'notes_id_present_index'): Promise<string | undefined> {
    const rows = await sql(
      engine.name === 'sqlite'
        ? `select sql as text from sqlite_master where name = '${name}'`
        : engine.name === 'postgres'
          ? `select indexdef as text from pg_indexes where schemaname = current_schema() and indexname = '${name}'`
          : `select index_name as text from information_schema.statistics where table_schema = database() and index_name = '${name}'`,
    )
    const [row] = rows as { text: string }[]
    return (
      row && [...row.text.replace(/.* where /i, '').matchAll(/(\w+)\W+is not null/gi)].map(([, name]) => name).join()
    )
  }
  const expect = async (app: Home, columns: string | undefined, name?: string) =>
    assert.equal(await condition(app, name), isPartial ? columns : undefined)

  it('is made, follows its attribute to another name and another type, and goes with it', async () => {
    const app = await home(engine)
    const apply = async (schemas: Schemas) => {
      app.files(schemas)
      const { code, out, errors } = await app.say('apply', '--yes')
      assert.equal(code, 0, out + errors)
      const left = await app.say('plan')
      assert.equal(left.code, 0)
      assert.match(left.out, /^The database is as the content types ask for\.\n/)
    }
    await apply(of({ shown: { type: 'datetime' } }))
    await expect(app, undefined)
    await apply(of({ shown: { type: 'datetime', index: 'present' } }))
    await expect(app, 'shown')
    await app.during(of({ shown: { type: 'datetime', index: 'present' } }), world =>
      world.make('/notes', { title: 'kept', shown: '2026-01-01T00:00:00.000Z' }),
    )
    await apply(of({ seen: { type: 'datetime', index: 'present', renamedFrom: 'shown' } }))
    await expect(app, 'seen')
    await apply(of({ seen: { type: 'string', index: 'present' } }))
    await expect(app, 'seen')
    await apply(of({}))
    await expect(app, undefined)
    assert.equal((await app.sql('select title from notes')).length, 1)
  })

  it('is one of published entries where there are drafts', async () => {
    const app = await home(engine)
    const types = { note: { attributes: { title }, options: { draftAndPublish: true } } }
    await app.during({ types, plugins: [draftAndPublish] }, async world => {
      const notes = await Promise.all([1, 2, 3].map(k => world.make('/notes', { title: `note ${k}` })))
      await world.put(`/notes/${notes[1]}`, { publishedAt: null })
      const { body } = await world.get('/notes')
      assert.deepEqual([body.meta.pagination.total, body.data.length], [2, 2])
    })
    await expect(app, 'published_at', 'notes_id_timed_present_index')
  })
})
