import assert from 'node:assert/strict'
import { it, onTestFinished } from 'vitest'
import type { TestAppOptions } from '../../core/index.js'
import { createLog } from '../../core/log.js'
import { type Server, startOn } from '../support/contract.js'
import type { FreshDatabase } from '../support/engines.js'
import { onEveryEngine } from '../support/every-engine.js'
import { run } from '../support/run.js'
import { layoutOf } from './found.js'

type Types = NonNullable<TestAppOptions['types']>

const note = (attributes: Record<string, unknown>, more: Record<string, unknown> = {}): Types => ({
  note: { attributes: { title: { type: 'string' }, ...attributes }, ...more },
})
const tags = { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag' }
const tag = { attributes: { name: { type: 'string' } } }
const seo = { 'shared.seo': { attributes: { title: { type: 'string' } } } }

onEveryEngine('a start on a database that is there', engine => {
  /** Servers one after the other on one database, and what each of them logged. */
  async function home() {
    const fresh: FreshDatabase = await engine.fresh()
    onTestFinished(() => fresh.drop())
    return {
      database: fresh.database,
      async during<T>(options: TestAppOptions, work: (world: Server, log: string[]) => Promise<T>): Promise<T> {
        const lines: string[] = []
        const log = createLog('info', { destination: { write: line => lines.push(line) } })
        const world = await startOn(fresh.database, { log, ...options })
        try {
          return await work(world, lines)
        } finally {
          await world.app.close()
        }
      },
    }
  }
  const nothing = async () => undefined
  const steps = (log: string[]) =>
    log.map(line => JSON.parse(line).msg as string).filter(msg => /^(add|could not)|differs from the schema/.test(msg))

  it('does nothing when the schema is the same', async () => {
    const { database, during } = await home()
    const types = { ...note({ tags, seo: { type: 'component', component: 'shared.seo' } }), tag }
    const first = await during({ types, components: seo }, async (_, log) => steps(log))
    assert.match(first[0] ?? '', /^added to the database: \d+ tables/)
    const before = await layoutOf(database)
    assert.deepEqual(await during({ types, components: seo }, async (_, log) => steps(log)), [])
    assert.deepEqual(await layoutOf(database), before)
  })

  it('adds a type, an attribute, a relation, a component and an index, and keeps the entries', async () => {
    const { database, during } = await home()
    const id = await during({ types: note({}) }, world => world.make('/notes', { title: 'kept' }))
    const types = {
      ...note(
        { views: { type: 'integer' }, tags, seo: { type: 'component', component: 'shared.seo' } },
        { indexes: [{ attributes: ['views'] }] },
      ),
      tag,
    }
    await during({ types, components: seo }, async (world, log) => {
      const { body } = await world.get(`/notes/${id}?populate=*`)
      assert.equal(body.data.attributes.title, 'kept')
      assert.equal(body.data.attributes.views, null)
      assert.deepEqual(body.data.attributes.tags, { data: [] })
      assert.equal(
        (await world.put(`/notes/${id}`, { views: 1, tags: [await world.make('/tags')], seo: { title: 's' } })).status,
        200,
      )
      assert.ok(steps(log).includes('add the column notes.views'), steps(log).join('\n'))
    })
    const { indexes, columns } = await layoutOf(database)
    assert.ok(indexes.some(({ name }) => name === 'notes_views_index'))
    assert.ok(columns.has('notes_tags_links') && columns.has('tags') && columns.has('notes_components'))
  })

  it('keeps the column and the data of an attribute that is gone, says so, and serves it again when it is back', async () => {
    const { during } = await home()
    const views = { views: { type: 'integer' } }
    const id = await during({ types: note(views) }, world => world.make('/notes', { title: 't', views: 7 }))
    await during({ types: note({}) }, async (world, log) => {
      assert.equal('views' in (await world.get(`/notes/${id}`)).body.data.attributes, false)
      assert.equal((await world.put(`/notes/${id}`, { title: 'new', views: 8 })).status, 400)
      assert.equal((await world.put(`/notes/${id}`, { title: 'new' })).status, 200)
      assert.deepEqual(steps(log), [
        'the database differs from the schema: column notes.views is not in the schema; it is kept and not served; if the attribute was renamed, add "renamedFrom" with the former name to the new one, and `stele apply` keeps the values',
      ])
    })
    await during({ types: note(views) }, async world => {
      const { title, views: kept } = (await world.get(`/notes/${id}`)).body.data.attributes
      assert.deepEqual([title, kept], ['new', 7])
    })
  })

  it('keeps the tables of a type, a relation and a component that are gone', async () => {
    const { database, during } = await home()
    const types = { ...note({ tags, seo: { type: 'component', component: 'shared.seo' } }), tag }
    await during({ types, components: seo }, async world => {
      await world.make('/notes', { tags: [await world.make('/tags', { name: 'n' })], seo: { title: 's' } })
    })
    await during({ types: note({}) }, nothing)
    for (const table of ['tags', 'notes_tags_links', 'notes_components', 'components_shared_seos'])
      assert.equal((await run(database, `select * from ${table}`)).length, 1, table)
  })

  it('reports a type that has changed and leaves the column alone', async () => {
    const { database, during } = await home()
    await during({ types: note({ views: { type: 'text' } }) }, world => world.make('/notes', { views: 'many' }))
    const before = await layoutOf(database)
    await during({ types: note({ views: { type: 'integer' } }) }, async (_, log) => {
      assert.equal(steps(log).length, 1, steps(log).join('\n'))
      assert.match(steps(log)[0] ?? '', /column notes\.views is .*text, the schema asks for int/)
    })
    assert.deepEqual(await layoutOf(database), before)
    assert.deepEqual(await run(database, 'select views from notes'), [{ views: 'many' }])
  })

  it('starts without a unique index that the data does not allow, and says so', async () => {
    const { database, during } = await home()
    await during({ types: note({}) }, async world => {
      for (const title of ['same', 'same']) await world.make('/notes', { title })
    })
    await during({ types: note({ title: { type: 'string', unique: true } }) }, async (world, log) => {
      assert.ok(
        steps(log).some(step => /^could not add the unique index notes_title_unique/.test(step)),
        steps(log).join('\n'),
      )
      assert.equal((await world.post('/notes', { title: 'same' })).status, 400)
      assert.equal((await world.post('/notes', { title: 'other' })).status, 200)
    })
    assert.equal((await run(database, 'select id from notes')).length, 3)
  })

  it('makes a new table without an index that the database refuses, and with all others', async () => {
    const { database, during } = await home()
    // The number of columns is one more than an index may have on all of them but SQLite.
    const names = Array.from({ length: 33 }, (_, index) => `n${index}`)
    const attributes = Object.fromEntries(names.map(name => [name, { type: 'integer' }]))
    const indexes = [{ attributes: names, name: 'notes_all' }, { attributes: ['n0'] }]
    const isRefused = engine.name !== 'sqlite'
    await during({ types: note(attributes, { indexes }) }, async (world, log) => {
      const refused = steps(log).filter(step => step.startsWith('could not add the index notes_all'))
      assert.equal(refused.length, isRefused ? 1 : 0, steps(log).join('\n'))
      assert.equal((await world.post('/notes', { n0: 1 })).status, 200)
    })
    const found = (await layoutOf(database)).indexes.map(({ name }) => name)
    assert.ok(found.includes('notes_n_0_index'), found.join())
    assert.equal(found.includes('notes_all'), !isRefused)
  })

  it('leaves tables and columns of others alone', async () => {
    const { database, during } = await home()
    await during({ types: note({}) }, nothing)
    await run(database, 'create table someone_elses (id integer primary key, title varchar(50))')
    await run(database, "insert into someone_elses values (1, 'mine')")
    await run(database, 'create index someone_elses_title on someone_elses (title)')
    await during({ types: note({ views: { type: 'integer' } }) }, nothing)
    assert.deepEqual(await run(database, 'select * from someone_elses'), [{ id: 1, title: 'mine' }])
    assert.ok((await layoutOf(database)).indexes.some(({ name }) => name === 'someone_elses_title'))
  })

  it('several instances may start at once on an empty database', async () => {
    const { database } = await home()
    const types = { ...note({ tags, slug: { type: 'uid' }, seo: { type: 'component', component: 'shared.seo' } }), tag }
    const worlds = await Promise.all([1, 2, 3].map(() => startOn(database, { types, components: seo })))
    try {
      const ids = await Promise.all(
        worlds.map((world, n) => world.make('/notes', { slug: `n${n}`, seo: { title: 's' } })),
      )
      assert.equal(new Set(ids).size, 3)
      for (const world of worlds) assert.equal((await world.get('/notes')).body.meta.pagination.total, 3)
      const { indexes } = await layoutOf(database)
      assert.equal(indexes.filter(({ name }) => name === 'notes_slug_unique').length, 1)
    } finally {
      for (const { app } of worlds) await app.close()
    }
  })

  it('several instances may start at once on a database that lacks a column and a table', async () => {
    const { database, during } = await home()
    await during({ types: note({}) }, nothing)
    const types = { ...note({ views: { type: 'integer' }, tags }), tag }
    const worlds = await Promise.all([1, 2, 3].map(() => startOn(database, { types })))
    for (const world of worlds) {
      assert.equal((await world.post('/notes', { views: 1 })).status, 200)
      await world.app.close()
    }
  })
})
