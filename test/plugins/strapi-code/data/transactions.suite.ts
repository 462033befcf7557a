import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Loose } from '../../../../plugins/strapi-code/types.js'
import type { World, WorldOptions } from './world.js'

const item = 'api::item.item'
const tag = 'api::tag.tag'

/** The same on any database. */
export function transactionSuites(world: (options?: WorldOptions) => Promise<World>): void {
  describe('strapi.db.transaction', () => {
    let app: World
    let db: Loose
    beforeAll(async () => {
      app = await world({ plugins: { 'draft-and-publish': {} } })
      db = app.db
    })
    afterAll(() => app?.close())
    const count = (name: string) => db.query(tag).count({ where: { name } })
    const add = (name: string) => db.query(tag).create({ data: { name } })

    test('gives the value of the callback; a throw undoes everything and is thrown on', async () => {
      const out: unknown[] = []
      const value = await db.transaction(async ({ onCommit, onRollback }: Loose) => {
        onCommit(() => out.push('committed'))
        onRollback(() => out.push('rolled back'))
        await add('kept')
        out.push(await count('kept'))
        return 7
      })
      expect([value, out, await count('kept')]).toEqual([7, [1, 'committed'], 1])
      out.length = 0
      const failing = db.transaction(async ({ onCommit, onRollback }: Loose) => {
        onCommit(() => out.push('committed'))
        onRollback(() => out.push('rolled back'))
        await app.entityService.create(item, { data: { title: 'undone', part: { label: 'x' } } })
        await add('undone')
        throw new Error('undo')
      })
      await expect(failing).rejects.toThrow('undo')
      expect([out, await count('undone'), await db.query(item).count(), await db.query('c.part').count()]).toEqual([
        ['rolled back'],
        0,
        0,
        0,
      ])
    })

    test('a nested one is the outer one', async () => {
      await db.transaction(async () => {
        await expect(
          db.transaction(async () => {
            await add('inner')
            throw new Error('inner')
          }),
        ).rejects.toThrow('inner')
      })
      expect(await count('inner')).toBe(1)
    })

    test('rollback inside keeps the value', async () => {
      const out: string[] = []
      const value = await db.transaction(async ({ rollback, onRollback }: Loose) => {
        onRollback(() => out.push('rolled back'))
        await add('back')
        await rollback()
        return 'value'
      })
      expect([value, out, await count('back')]).toEqual(['value', ['rolled back'], 0])
    })

    test('without a callback code ends it', async () => {
      const first = await db.transaction()
      await db.connection('tags').insert({ name: 'by hand' }).transacting(first.get())
      await first.commit()
      const second = await db.transaction()
      await second.get()('tags').insert({ name: 'not by hand' })
      await second.rollback()
      expect([await count('by hand'), await count('not by hand')]).toEqual([1, 0])
    })

    test('events run inside, and a rollback undoes what was written before them', async () => {
      const heard: string[] = []
      const end = db.lifecycles.subscribe({
        models: [tag],
        afterCreate: async ({ result }: Loose) => void heard.push(`${result.name} ${await count(result.name)}`),
      })
      await expect(
        db.transaction(async () => {
          await add('event')
          throw new Error('x')
        }),
      ).rejects.toThrow()
      end()
      expect([heard, await count('event')]).toEqual([['event 1'], 0])
    })

    test('a write that fails is undone alone, where code catches its error', async () => {
      await db.transaction(async () => {
        await expect(db.query(item).create({ data: { title: 'half', main: 99 } })).rejects.toThrow()
        await expect(
          app.entityService.create(item, { data: { title: 'half', part: { label: 'x', tag: 99 } } }),
        ).rejects.toThrow()
        await add('goes on')
      })
      expect([
        await count('goes on'),
        await db.query(item).count({ where: { title: 'half' } }),
        await db.query('c.part').count(),
      ]).toEqual([1, 0, 0])
    })

    test('writes that begin at once in one transaction are all stored, or none', async () => {
      const names = Array.from({ length: 20 }, (_, at) => `together ${at}`)
      await db.transaction(() => Promise.all(names.map(name => add(name))))
      expect(await db.query(tag).count({ where: { name: { $startsWith: 'together' } } })).toBe(20)
      const fails = db.transaction(() =>
        Promise.all([...names.map(name => add(`never ${name}`)), Promise.reject(new Error('no'))]),
      )
      await expect(fails).rejects.toThrow('no')
      await new Promise(done => setTimeout(done, 50))
      expect(await db.query(tag).count({ where: { name: { $startsWith: 'never' } } })).toBe(0)
    })

    test('what code leaves running when its transaction was undone is not stored', async () => {
      let late!: Promise<Loose>
      const undone = db.transaction(async () => {
        late = new Promise(done => setTimeout(done, 30)).then(() => add('late')).catch((error: Error) => error.message)
        throw new Error('undo')
      })
      await expect(undone).rejects.toThrow('undo')
      expect([await late, await count('late')]).toEqual([
        'Transaction query already complete: the transaction was rolled back',
        0,
      ])
      await db.transaction(async ({ onCommit }: Loose) => onCommit(() => add('on commit')))
      expect(await count('on commit')).toBe(1)
    })

    test('others that write meanwhile wait, and are not part of it', async () => {
      let go!: () => void
      const waits = new Promise<void>(done => {
        go = done
      })
      const open = db
        .transaction(async () => {
          await add('first')
          await waits
          throw new Error('undo')
        })
        .catch(() => 'undone')
      const other = add('other')
      go()
      expect([await open, (await other).name, await count('first'), await count('other')]).toEqual([
        'undone',
        'other',
        0,
        1,
      ])
    })
  })

  describe('strapi.db.connection', () => {
    let app: World
    let knex: Loose
    beforeAll(async () => {
      app = await world()
      knex = app.db.connection
    })
    afterAll(() => app?.close())

    test('answers in the shape that knex gives with each driver', async () => {
      const { engine } = app.host.store
      const first = await knex('tags').insert([
        { name: 'a', rank: 1 },
        { name: 'b', created_at: new Date(5000) },
      ])
      if (engine === 'postgres') expect(first).toMatchObject({ command: 'INSERT', rows: [] })
      else expect(first).toEqual([engine === 'sqlite' ? 2 : 1])
      const third = await knex('tags').insert({ name: 'c' }, engine === 'mysql' ? undefined : ['id'])
      expect(third).toEqual(engine === 'mysql' ? [3] : [{ id: 3 }])
      expect(
        await knex('tags')
          .where({ name: 'c' })
          .update({ rank: knex.raw('? + 1', [8]) }),
      ).toBe(1)
      expect(await knex('tags').select('id', 'name', 'rank').orderBy('id')).toEqual([
        { id: 1, name: 'a', rank: 1 },
        { id: 2, name: 'b', rank: null },
        { id: 3, name: 'c', rank: 9 },
      ])
      expect(await knex('tags').where('name', 'b').first('created_at')).toEqual({
        created_at: engine === 'sqlite' ? 5000 : new Date(5000),
      })
      expect(await knex('tags').where('name', 'z').first()).toBe(undefined)
      expect(await knex('tags').pluck('name').orderBy('id')).toEqual(['a', 'b', 'c'])
      expect(await knex('tags').count({ n: '*' }).first()).toEqual({ n: engine === 'sqlite' ? 3 : '3' })
      const raw = await knex.raw('select ?? as name from ?? where id = ?', ['name', 'tags', 1])
      if (engine === 'postgres') expect(raw).toMatchObject({ rows: [{ name: 'a' }], rowCount: 1 })
      else if (engine === 'mysql') expect(raw).toEqual([[{ name: 'a' }], [{ name: 'name' }]])
      else expect(raw).toEqual([{ name: 'a' }])
      expect(await knex('tags').where({ id: 3 }).del()).toBe(1)
      expect([await knex.schema.hasTable('tags'), await knex.schema.hasTable('nothing')]).toEqual([true, false])
      await expect(knex('tags').select('no_column')).rejects.toThrow(/no_column/)
    })

    test('tables of its own', async () => {
      await knex.schema.createTable('extra_rows', (table: Loose) => {
        table.increments('id')
        table.string('name').notNullable()
        table.boolean('open').defaultTo(true)
        table.timestamp('since')
      })
      expect(await knex.schema.hasTable('extra_rows')).toBe(true)
      await knex.batchInsert('extra_rows', [{ name: 'a', since: new Date(60_000) }, { name: 'b' }, { name: 'c' }], 2)
      expect(await knex('extra_rows').where('name', '<>', 'b').pluck('name').orderBy('id')).toEqual(['a', 'c'])
      await knex.schema.alterTable('extra_rows', (table: Loose) => table.integer('rank'))
      await knex('extra_rows').insert({ id: 1, name: 'merged' }).onConflict('id').merge()
      const first = await knex('extra_rows').where({ id: 1 }).first()
      expect([first.name, Boolean(first.open), first.rank, new Date(first.since).getTime()]).toEqual([
        'merged',
        true,
        null,
        60_000,
      ])
      expect(
        await knex('extra_rows')
          .sum({ all: 'id' })
          .first()
          .then(({ all }: Loose) => Number(all)),
      ).toBe(6)
      await knex.schema.dropTable('extra_rows')
      expect(await knex.schema.hasTable('extra_rows')).toBe(false)
    })

    test('values of columns in the forms that code knows', async () => {
      const { engine } = app.host.store
      await app.db.query(item).create({
        data: {
          title: 't',
          price: 1.25,
          big: '12',
          open: false,
          day: '2024-02-03',
          time: '01:02:03',
          data: { a: 1 },
          count: 3,
        },
      })
      const row = await knex('items').first('title', 'price', 'big', 'open', 'day', 'data', 'count')
      expect(row).toMatchObject({
        title: 't',
        price: 1.25,
        day: '2024-02-03',
        count: 3,
        open: engine === 'sqlite' ? 0 : false,
      })
      expect(Number(row.big)).toBe(12)
      expect(typeof row.data === 'string' ? JSON.parse(row.data) : row.data).toEqual({ a: 1 })
      expect(await knex('items').where({ open: false }).pluck('count')).toEqual([3])
    })

    test('transactions of its own', async () => {
      await knex.transaction(async (trx: Loose) => {
        await trx('tags').insert({ name: 'kept' })
        await trx.raw("update tags set name = 'kept raw' where name = 'kept'")
      })
      const failed = knex.transaction(async (trx: Loose) => {
        await trx('tags').insert({ name: 'undone' })
        throw new Error('undo')
      })
      await expect(failed).rejects.toThrow('undo')
      const nested = await knex.transaction(async (trx: Loose) => {
        await trx('tags').insert({ name: 'outer' })
        await trx
          .transaction(async (inner: Loose) => {
            await inner('tags').insert({ name: 'savepoint' })
            throw new Error('x')
          })
          .catch(() => undefined)
        return trx('tags').pluck('name')
      })
      expect(nested).toEqual(['a', 'b', 'kept raw', 'outer'])
      expect(await knex('tags').pluck('name')).toEqual(['a', 'b', 'kept raw', 'outer'])
    })
  })
}
