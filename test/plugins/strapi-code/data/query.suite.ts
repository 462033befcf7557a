import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { definePlugin } from '../../../../core/index.js'
import type { World, WorldOptions } from './world.js'

const item = 'api::item.item'
const tag = 'api::tag.tag'

/** The same on any database. */
export function querySuite(world: (options?: WorldOptions) => Promise<World>): void {
  describe('strapi.db.query', () => {
    let app: World
    let tags: number[]
    beforeAll(async () => {
      app = await world({ plugins: { 'draft-and-publish': {} } })
      const { ids } = await app.db
        .query(tag)
        .createMany({ data: ['red', 'green', 'blue'].map((name, rank) => ({ name, rank })) })
      tags = ids
    })
    afterAll(() => app?.close())

    test('createMany gives the count and the ids, and nothing else is done', async () => {
      expect(tags).toEqual([1, 2, 3])
      await expect(app.db.query(tag).createMany({ data: [] })).rejects.toThrow('Nothing to insert')
      await expect(app.db.query(tag).createMany({ data: {} })).rejects.toThrow('CreateMany expects data to be an array')
      expect(await app.db.query(tag).findOne({ where: { name: 'red' } })).toMatchObject({ id: 1, name: 'red', rank: 0 })
    })

    test('create checks nothing, hashes nothing, sets defaults and drops unknown keys', async () => {
      const made = await app.db.query(item).create({
        data: {
          title: null,
          count: -5,
          kind: 'nope',
          secret: 'plain',
          nope: 1,
          at: '2024-01-02T03:04:05.006Z',
          day: '2024-02-03T00:00:00Z',
          time: '01:02:03',
          data: { a: [1] },
          big: '9007199254740993',
          price: '1.5',
          main: 1,
          tags: [3, { id: 1 }],
          part: { label: 'lost' },
        },
        populate: true,
      })
      expect(made).toMatchObject({
        title: null,
        count: -5,
        kind: 'nope',
        secret: 'plain',
        open: true,
        at: '2024-01-02T03:04:05.006Z',
        day: '2024-02-03',
        time: '01:02:03.000',
        data: { a: [1] },
        big: '9007199254740993',
        price: 1.5,
        publishedAt: null,
        part: null,
        boxes: [],
        zone: [],
        createdBy: null,
      })
      expect(made).not.toHaveProperty('nope')
      expect(made.main.name).toBe('red')
      expect(made.tags.map((one: { name: string }) => one.name)).toEqual(['blue', 'red'])
      expect(made.createdAt).toMatch(/^\d{4}-.*Z$/)
    })

    test('values that cannot be read are refused by name', async () => {
      await expect(app.db.query(item).create({ data: { count: 'abc' } })).rejects.toThrow(
        'Expected a valid Number, got abc',
      )
      await expect(app.db.query(item).create({ data: { at: 'x' } })).rejects.toMatchObject({
        name: 'InvalidDatetimeFormat',
        message: 'Invalid format, expected a timestamp or an ISO date',
      })
      expect(() => app.db.query('api::nope.nope')).toThrow('Model api::nope.nope not found')
    })

    test('where', async () => {
      const q = app.db.query(tag)
      const names = async (where: unknown) =>
        (await q.findMany({ where, orderBy: 'id' })).map((one: { name: string }) => one.name)
      expect(await names({ id: [1, 2] })).toEqual(['red', 'green'])
      expect(await names({ name: { $contains: 're' } })).toEqual(['red', 'green'])
      expect(await names({ $or: [{ name: 'red' }, { rank: { $gt: 1 } }] })).toEqual(['red', 'blue'])
      expect(await names({ $not: { name: 'red' } })).toEqual(['green', 'blue'])
      expect(await names({ name: { $not: { $in: ['red', 'blue'] } } })).toEqual(['green'])
      expect(await names({ rank: { $between: [1, 2] } })).toEqual(['green', 'blue'])
      expect(await names({ items: { title: null } })).toEqual(['red', 'green', 'blue'])
      expect(await names({ items: { count: -5 } })).toEqual(['red', 'blue'])
      expect(await names({ items: null })).toEqual(['green'])
      expect(await names({ mains: { tags: { name: 'blue' } } })).toEqual(['red'])
      expect(await names({ id: 'abc' })).toEqual([])
      await expect(q.findMany({ where: { nope: 1 } })).rejects.toThrow(/nope/)
      await expect(q.findMany({ where: { name: { $nope: 1 } } })).rejects.toThrow(
        'Undefined attribute level operator $nope',
      )
      await expect(q.findMany({ where: { name: undefined } })).rejects.toThrow(/Undefined binding/)
      expect(await app.db.query(item).findMany({ where: { tags: [1, 2] }, select: 'count' })).toEqual([{ count: -5 }])
      expect(await app.db.query(item).findMany({ where: { main: 1 }, select: ['count'] })).toEqual([{ count: -5 }])
    })

    test('filters and _q count in addition', async () => {
      expect(await app.db.query(tag).count({ where: { id: { $gt: 1 } }, filters: { name: 'blue' } })).toBe(1)
      expect(await app.db.query(tag).count({ _q: 'RE' })).toBe(2)
    })

    test('order, limit and offset', async () => {
      const q = app.db.query(tag)
      const ids = async (params: unknown) => (await q.findMany(params)).map((one: { id: number }) => one.id)
      expect(await ids({ orderBy: { name: 'asc' } })).toEqual([3, 2, 1])
      expect(await ids({ orderBy: ['rank', { id: 'desc' }], limit: '1' })).toEqual([1])
      expect(await ids({ orderBy: { id: 'desc' }, limit: 0 })).toEqual([3, 2, 1])
      expect(await ids({ orderBy: 'id', offset: 1, limit: -1 })).toEqual([2, 3])
      await expect(q.findMany({ orderBy: 'nope' })).rejects.toThrow('Attribute nope not found on model api::tag.tag')
      expect(await app.db.query(item).findMany({ orderBy: { main: { name: 'desc' } }, select: ['id'] })).toEqual([
        { id: 1 },
      ])
    })

    test('populate in its forms, one statement a path', async () => {
      const q = app.db.query(tag)
      expect(
        await q.findOne({ where: { id: 1 }, select: ['name'], populate: { items: { select: ['count'] } } }),
      ).toEqual({ id: 1, name: 'red', items: [{ count: -5 }] })
      expect((await q.findOne({ where: { id: 1 }, populate: ['items', 'items.main'] })).items[0].main.name).toBe('red')
      expect(await q.findOne({ where: { id: 1 }, select: ['id'], populate: { items: { count: true } } })).toEqual({
        id: 1,
        items: { count: 1 },
      })
      expect(await q.findOne({ where: { id: 2 }, select: ['id'], populate: { items: true, nope: true } })).toEqual({
        id: 2,
        items: [],
      })
      await expect(q.findOne({ populate: '*' })).rejects.toThrow('Populate must be an object')
      const limited = await app.db
        .query(item)
        .findOne({ select: ['id'], populate: { tags: { limit: 1, offset: 1, select: ['name'] } } })
      expect(limited).toEqual({ id: 1, tags: [{ name: 'red' }] })
    })

    test('update, delete and their many', async () => {
      const q = app.db.query(item)
      const [{ id }] = [await q.create({ data: { title: 'x' } })]
      await expect(q.update({ data: {} })).rejects.toThrow('Update requires a where parameter')
      await expect(q.update({ where: { id } })).rejects.toThrow('Update requires a data object')
      await expect(q.delete({})).rejects.toThrow('Delete requires a where parameter')
      expect(await q.update({ where: { id: 99 }, data: { title: 'y' } })).toBe(null)
      expect(
        await q.update({
          where: { id },
          data: { title: 'y', tags: { connect: [2] }, main: { id: 2 } },
          select: ['title'],
          populate: ['tags', 'main'],
        }),
      ).toMatchObject({ title: 'y', tags: [{ id: 2 }], main: { id: 2 } })
      expect(
        await q.update({
          where: { id },
          data: { tags: { connect: [{ id: 1, position: { before: 2 } }], disconnect: [] }, main: null },
          select: ['id'],
          populate: ['tags', 'main'],
        }),
      ).toMatchObject({ tags: [{ id: 1 }, { id: 2 }], main: null })
      expect(await q.updateMany({ where: { tags: { name: 'green' } }, data: { title: 'z', main: 1 } })).toEqual({
        count: 1,
      })
      expect(await q.findOne({ where: { id }, select: ['title'], populate: ['main'] })).toEqual({
        id,
        title: 'z',
        main: null,
      })
      expect(await q.delete({ where: { id }, select: ['title'] })).toEqual({ id, title: 'z' })
      expect(await q.deleteMany({ where: { title: 'z' } })).toEqual({ count: 0 })
      expect(await app.rows(`select count(*) from items_tags_links where item_id = ${id}`)).toEqual([[0]])
    })

    test('an unknown id in a relation is an error of the database', async () => {
      await expect(app.db.query(item).create({ data: { title: 'x', main: 99 } })).rejects.toThrow()
      expect(await app.db.query(item).count()).toBe(1)
    })

    test('load', async () => {
      const q = app.db.query(item)
      expect((await q.load({ id: 1 }, 'tags')).map(({ id }: { id: number }) => id)).toEqual([3, 1])
      expect(await q.load({ id: 1 }, ['main'])).toMatchObject({ main: { id: 1 } })
      await expect(q.load({ id: 1 }, 'title')).rejects.toThrow(
        'Invalid load. Expected title to be a relational attribute',
      )
    })

    test('pages', async () => {
      expect(await app.db.query(tag).findWithCount({ limit: 1, orderBy: 'id', select: ['id'] })).toEqual([
        [{ id: 1 }],
        3,
      ])
      expect(await app.db.query(tag).findPage({ page: 2, pageSize: 2, orderBy: 'id', select: ['id'] })).toEqual({
        results: [{ id: 3 }],
        pagination: { page: 2, pageSize: 2, pageCount: 2, total: 3 },
      })
    })

    test('components and other tables', async () => {
      const part = await app.db.query('c.part').create({ data: { label: 'l', tag: 2 }, populate: ['tag'] })
      expect(part).toMatchObject({ id: 1, label: 'l', tag: { name: 'green' } })
      const owner = await app.db.query(item).create({
        data: { title: 'o', part: { id: 1, __pivot: { field: 'part' } }, zone: [{ id: 1, __component: 'c.part' }] },
        populate: { part: true, zone: { on: { 'c.part': { populate: { tag: true } } } } },
      })
      expect(owner.part).toEqual({ id: 1, label: 'l', weight: null })
      expect(owner.zone).toMatchObject([{ __component: 'c.part', id: 1, tag: { name: 'green' } }])
      expect(
        await app.db.query(item).findMany({ where: { part: { tag: { name: 'green' } } }, select: ['title'] }),
      ).toEqual([{ title: 'o' }])
      expect(await app.db.query('admin::user').findMany()).toEqual([])
    })

    test('a path costs one statement, however many rows there are', async () => {
      const seen: string[] = []
      const counting = definePlugin({ name: 'counting', observe: { statement: ({ sql }) => void seen.push(sql) } })
      const own = await world({ beside: [counting] })
      const { ids } = await own.db
        .query(tag)
        .createMany({ data: Array.from({ length: 30 }, (_, at) => ({ name: `t${at}` })) })
      for (let at = 0; at < 12; at += 1)
        await own.entityService.create(item, {
          data: {
            title: `item ${at}`,
            tags: ids.slice(at, at + 5),
            main: ids[at],
            boxes: [{ inner: { label: 'x' } }],
            zone: [{ __component: 'c.part', label: 'z' }],
          },
        })
      seen.length = 0
      const found = await own.db.query(item).findMany({
        populate: {
          tags: { populate: { items: true, mains: { limit: 1 } } },
          main: true,
          boxes: { populate: ['inner'] },
          zone: true,
        },
      })
      expect([found.length, seen.length]).toEqual([12, 9])
      seen.length = 0
      await own.entityService.findMany(item, { populate: ['tags.items', 'main'], filters: { tags: { name: 't3' } } })
      expect(seen.length).toBe(4)
      await own.close()
    })

    test('metadata', () => {
      const meta = app.db.metadata.get(item)
      expect([meta.tableName, meta.attributes.createdAt.columnName, meta.singularName]).toEqual([
        'items',
        'created_at',
        'item',
      ])
      const { joinTable } = meta.attributes.tags
      expect([
        joinTable.name,
        joinTable.joinColumn.name,
        joinTable.inverseJoinColumn.name,
        joinTable.orderColumnName,
        joinTable.inverseOrderColumnName,
      ]).toEqual(['items_tags_links', 'item_id', 'tag_id', 'tag_order', 'item_order'])
      expect(app.db.dialect.client).toBe(app.host.store.engine)
    })
  })
}
