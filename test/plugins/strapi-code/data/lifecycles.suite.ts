import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Bag, Loose } from '../../../../plugins/strapi-code/types.js'
import type { World, WorldOptions } from './world.js'

const item = 'api::item.item'
const tag = 'api::tag.tag'

/** The same on any database. */
export function lifecyclesSuite(world: (options?: WorldOptions) => Promise<World>): void {
  describe('lifecycles', () => {
    let app: World
    let heard: string[]
    const file: Bag = {}
    beforeAll(async () => {
      app = await world({ plugins: { 'draft-and-publish': {} }, lifecycles: { [tag]: file } })
      app.db.lifecycles.subscribe((event: Bag) => void heard.push(`${event.action} ${event.model.uid}`))
      heard = []
      await app.db.query(tag).createMany({ data: [{ name: 'one' }, { name: 'two' }] })
    })
    afterAll(() => app?.close())

    /** The events that a call fires, and what it gives. */
    async function events(call: () => Promise<Loose>): Promise<[string[], Loose]> {
      heard = []
      const result = await call()
      return [heard, result]
    }
    const short = (list: string[]) => list.map(one => one.replace(/ api::(\w+)\.\w+/, ' $1'))

    test('each call of db.query fires its events, in their order', async () => {
      const q = app.db.query(tag)
      const of = async (call: () => Promise<Loose>) => short((await events(call))[0])
      expect(await of(() => q.create({ data: { name: 'x' } }))).toEqual([
        'beforeCreate tag',
        'beforeFindOne tag',
        'afterFindOne tag',
        'afterCreate tag',
      ])
      expect(await of(() => q.update({ where: { name: 'x' }, data: { name: 'y' } }))).toEqual([
        'beforeUpdate tag',
        'beforeFindOne tag',
        'afterFindOne tag',
        'afterUpdate tag',
      ])
      expect(await of(() => q.update({ where: { name: 'none' }, data: { name: 'y' } }))).toEqual(['beforeUpdate tag'])
      expect(await of(() => q.findMany({ populate: true }))).toEqual(['beforeFindMany tag', 'afterFindMany tag'])
      expect((await of(() => q.findPage({}))).sort()).toEqual([
        'afterCount tag',
        'afterFindMany tag',
        'beforeCount tag',
        'beforeFindMany tag',
      ])
      expect(await of(() => q.createMany({ data: [{ name: 'm' }] }))).toEqual([
        'beforeCreateMany tag',
        'afterCreateMany tag',
      ])
      expect(await of(() => q.updateMany({ where: { name: 'm' }, data: { rank: 1 } }))).toEqual([
        'beforeUpdateMany tag',
        'afterUpdateMany tag',
      ])
      expect(await of(() => q.deleteMany({ where: { name: 'm' } }))).toEqual([
        'beforeDeleteMany tag',
        'afterDeleteMany tag',
      ])
      expect(await of(() => q.load({ id: 1 }, 'items'))).toEqual(['beforeFindOne tag', 'afterFindOne tag'])
      expect(await of(() => q.delete({ where: { name: 'y' } }))).toEqual([
        'beforeDelete tag',
        'beforeFindOne tag',
        'afterFindOne tag',
        'afterDelete tag',
      ])
      expect(await of(() => q.delete({ where: { name: 'y' } }))).toEqual([
        'beforeDelete tag',
        'beforeFindOne tag',
        'afterFindOne tag',
      ])
    })

    test('entityService counts relations, writes components, then the entry', async () => {
      const data = { title: 'With parts', main: 1, part: { label: 'p' }, boxes: [{ size: 1, inner: { label: 'q' } }] }
      const [list, made] = await events(() => app.entityService.create(item, { data, populate: '*' }))
      const created = (uid: string) =>
        ['beforeCreate', 'beforeFindOne', 'afterFindOne', 'afterCreate'].map(name => `${name} ${uid}`)
      expect(short(list)).toEqual([
        'beforeCount tag',
        'afterCount tag',
        ...created('c.part'),
        ...created('c.part'),
        ...created('c.box'),
        ...created('item'),
      ])
      expect(made).toMatchObject({ part: { label: 'p' }, boxes: [{ size: 1 }], main: { name: 'one' } })
      const [updating] = await events(() =>
        app.entityService.update(item, made.id, { data: { part: { id: made.part.id, label: 'p2' }, boxes: [] } }),
      )
      expect(short(updating).filter(one => /item|before(Update|Delete)/.test(one))).toEqual([
        'beforeFindOne item',
        'afterFindOne item',
        'beforeUpdate c.part',
        'beforeUpdate item',
        'beforeFindOne item',
        'afterFindOne item',
        'afterUpdate item',
        'beforeDelete c.box',
        'beforeDelete c.part',
      ])
      const [deleting] = await events(() => app.entityService.delete(item, made.id))
      expect(short(deleting)).toEqual([
        ...[
          'beforeFindOne',
          'afterFindOne',
          'beforeFindOne',
          'afterFindOne',
          'beforeDelete',
          'beforeFindOne',
          'afterFindOne',
          'afterDelete',
        ].map(name => `${name} item`),
        ...['beforeDelete', 'beforeFindOne', 'afterFindOne', 'afterDelete'].map(name => `${name} c.part`),
      ])
      expect(
        await app.rows(
          'select count(*) from components_c_parts union all select count(*) from components_c_boxs union all select count(*) from items_components',
        ),
      ).toEqual([[0], [0], [0]])
      expect(short((await events(() => app.entityService.update(item, 99, { data: {} })))[0])).toEqual([
        'beforeFindOne item',
        'afterFindOne item',
      ])
      await app.db.query(tag).create({ data: { name: 'gone' } })
      expect(short((await events(() => app.entityService.deleteMany(tag, { filters: { name: 'gone' } })))[0])).toEqual([
        'beforeFindMany tag',
        'afterFindMany tag',
        'beforeDeleteMany tag',
        'afterDeleteMany tag',
      ])
    })

    test('params may be changed and not replaced, results likewise, and each keeps its own state', async () => {
      const seen: Loose[] = []
      const first = app.db.lifecycles.subscribe({
        models: [tag],
        beforeCreate(event: Bag) {
          seen.push(['first', event.state.other ?? null])
          event.state.mine = 1
          if (event.params.data.name === 'params') event.params = { data: { name: 'other' } }
          else if (event.params.data.name === 'data') event.params.data = { name: 'replaced' }
          else event.params.data.name = 'changed'
        },
        afterCreate(event: Bag) {
          seen.push(['first', event.state.mine])
          if (event.result.name === 'params') event.result = { name: 'lost' }
          else event.result.name = `${event.result.name}!`
        },
      })
      const second = app.db.lifecycles.subscribe({
        models: [tag],
        beforeCreate(event: Bag) {
          event.state = { other: 2 }
        },
        afterCreate: (event: Bag) => void seen.push(['second', event.state]),
      })
      const q = app.db.query(tag)
      expect((await q.create({ data: { name: 'params' } })).name).toBe('params')
      const replaced = await q.create({ data: { name: 'data' } })
      expect([replaced.name, replaced.createdAt]).toEqual(['replaced!', null])
      const changed = await q.create({ data: { name: 'x' } })
      expect([changed.name, (await q.findOne({ where: { id: changed.id } })).name]).toEqual(['changed!', 'changed'])
      expect(seen.slice(0, 3)).toEqual([
        ['first', null],
        ['first', 1],
        ['second', { other: 2 }],
      ])
      first()
      second()
      expect((await q.create({ data: { name: 'x' } })).name).toBe('x')
    })

    test('a file is heard first; what it throws before stores nothing, after leaves what is stored', async () => {
      const order: string[] = []
      const end = app.db.lifecycles.subscribe({ models: [tag], beforeCreate: () => void order.push('subscribed') })
      file.beforeCreate = ({ params }: Bag) => {
        order.push('file')
        if (params.data.name === 'refused') throw new Error('no')
      }
      file.afterCreate = ({ result }: Bag) => {
        if (result.name === 'late') throw new Error('too late')
      }
      const q = app.db.query(tag)
      const before = await q.count()
      await expect(q.create({ data: { name: 'refused' } })).rejects.toThrow('no')
      expect(await q.count()).toBe(before)
      await expect(q.create({ data: { name: 'late' } })).rejects.toThrow('too late')
      expect(await q.count()).toBe(before + 1)
      expect(order).toEqual(['file', 'file', 'subscribed'])
      delete file.beforeCreate
      delete file.afterCreate
      end()
    })

    test('a refused entry leaves none of its components behind', async () => {
      const end = app.db.lifecycles.subscribe({
        models: [item],
        beforeCreate: () => Promise.reject(new Error('refused')),
      })
      await expect(
        app.entityService.create(item, {
          data: { title: 'xx', part: { label: 'l' }, boxes: [{ inner: { label: 'm' } }] },
        }),
      ).rejects.toThrow('refused')
      expect(
        await app.rows('select count(*) from components_c_parts union all select count(*) from components_c_boxs'),
      ).toEqual([[0], [0]])
      end()
    })

    test('where and select of reads may be changed', async () => {
      const end = app.db.lifecycles.subscribe({
        models: [tag],
        beforeFindMany(event: Bag) {
          event.params.where = { id: 1 }
        },
        afterFindMany: (event: Bag) => event.result.push('more'),
      })
      expect(await app.db.query(tag).findMany({ select: ['id'] })).toEqual([{ id: 1 }, 'more'])
      end()
    })

    test('disable and enable, and what would be heard', async () => {
      expect([app.hasEvents(tag, 'create'), app.hasEvents('c.part', 'findOne')]).toEqual([true, true])
      app.db.lifecycles.disable()
      expect(app.hasEvents(tag, 'create')).toBe(false)
      expect((await events(() => app.db.query(tag).findMany()))[0]).toEqual([])
      app.db.lifecycles.enable()
      const quiet = await world()
      expect(quiet.hasEvents(tag, 'create')).toBe(false)
      quiet.db.lifecycles.subscribe({ models: [tag], afterUpdate: () => undefined })
      expect(['create', 'update'].map(action => quiet.hasEvents(tag, action))).toEqual([false, true])
      expect(quiet.hasEvents(item, 'update')).toBe(false)
      await quiet.close()
    })
  })
}
