import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Bag, Loose } from '../../../../plugins/strapi-code/types.js'
import type { World, WorldOptions } from './world.js'

const item = 'api::item.item'
const tag = 'api::tag.tag'

/** Responses to requests after writes of code, on any database. */
export function cachedSuite(open: (options?: WorldOptions) => Promise<World>): void {
  describe('responses that were kept', () => {
    let app: World
    beforeAll(async () => {
      app = await open()
      await app.db.query(tag).createMany({
        data: [
          { name: 'a', rank: 1 },
          { name: 'b', rank: 2 },
        ],
      })
      await app.entityService.create(item, { data: { title: 'one', tags: [1], part: { label: 'x' } } })
    })
    afterAll(() => app?.close())

    const tags = async () =>
      (await app.inject('/api/tags?sort=id'))
        .json()
        .data.map(({ attributes }: Bag) => `${attributes.name} ${attributes.rank}`)
    const items = async () =>
      (await app.inject('/api/items?sort=id&populate[0]=tags&populate[1]=part'))
        .json()
        .data.map(({ attributes }: Bag) => [
          attributes.title,
          attributes.tags.data.map(({ id }: Bag) => id),
          attributes.part?.label ?? null,
        ])

    test('show what code has written since, by whatever way', async () => {
      const { query, connection: knex, transaction } = app.db
      const steps: [string, () => Promise<Loose>][] = [
        ['a 1,b 2,c 3', () => query(tag).create({ data: { name: 'c', rank: 3 } })],
        ['a 1,b 4,c 3', () => query(tag).update({ where: { name: 'b' }, data: { rank: 4 } })],
        ['a 5,b 5,c 5', () => query(tag).updateMany({ where: {}, data: { rank: 5 } })],
        ['a 5,b 5,c 5,d 6', () => query(tag).createMany({ data: [{ name: 'd', rank: 6 }] })],
        ['a 5,b 5,c 5', () => query(tag).deleteMany({ where: { rank: 6 } })],
        ['a 7,b 5,c 5', () => knex('tags').where({ name: 'a' }).update({ rank: 7 })],
        ['a 7,b 5,c 5,k 1', () => knex('tags').insert({ name: 'k', rank: 1 })],
        ['a 7,b 5,c 5,k 8', () => knex.raw("update tags set rank = ? where name = 'k'", [8])],
        ['a 7,b 5,c 5', () => knex('tags').where({ name: 'k' }).del()],
        ['a 9,b 5,c 5', () => transaction(async () => query(tag).update({ where: { name: 'a' }, data: { rank: 9 } }))],
        ['a 9,b 9,c 5', () => knex.transaction((trx: Loose) => trx('tags').where({ name: 'b' }).update({ rank: 9 }))],
        ['a 9,b 9', () => query(tag).delete({ where: { name: 'c' } })],
      ]
      if (app.host.store.engine === 'mysql')
        steps[7] = ['a 7,b 5,c 5,k 8', () => knex.raw("update tags set `rank` = ? where name = 'k'", [8])]
      for (const [expected, write] of steps) {
        await tags()
        await tags()
        await write()
        expect(String(await tags()), expected).toBe(expected)
      }
    })

    test('show the relations and the components of then', async () => {
      const steps: [Loose, () => Promise<Loose>][] = [
        [
          ['one', [1, 2], 'x'],
          () => app.db.query(item).update({ where: { title: 'one' }, data: { tags: { connect: [2] } } }),
        ],
        [['one', [1, 2], 'y'], () => app.db.query('c.part').update({ where: { label: 'x' }, data: { label: 'y' } })],
        [['one', [2], 'z'], () => app.entityService.update(item, 1, { data: { tags: [2], part: { label: 'z' } } })],
        [['one', [2], null], () => app.entityService.update(item, 1, { data: { part: null } })],
        [['one', [], null], () => app.db.connection('items_tags_links').del()],
      ]
      for (const [expected, write] of steps) {
        await items()
        await items()
        await write()
        expect(await items()).toEqual([expected])
      }
    })
  })
}
