import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Bag, Loose } from '../../../../plugins/strapi-code/types.js'
import { type Mirror, mirrorOf, randomWrite } from './fuzz-writes.js'
import type { World, WorldOptions } from './world.js'

const item = 'api::item.item'
const tag = 'api::tag.tag'

/** Numbers that a seed decides. */
export class Dice {
  #state: number

  constructor(seed: number) {
    this.#state = seed * 2654435761 + 1
  }

  /** A whole number from 0 on, below the limit. */
  below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return (((mixed ^ (mixed >>> 14)) >>> 0) % 1_000_003) % limit
  }

  of<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T
  }

  some<T>(list: readonly T[], most: number): T[] {
    const picked = new Set<T>()
    for (let count = this.below(most + 1); count > 0 && list.length > 0; count -= 1) picked.add(this.of(list))
    return [...picked]
  }

  chance(percent: number): boolean {
    return this.below(100) < percent
  }
}

type Kind = 'item' | 'tag'

/** The two types, as the oracle knows them: their columns, and their links by hand. */
const known: Record<
  Kind,
  { table: string; numbers: string[]; texts: string[]; links: Record<string, readonly [Kind, string, string, string]> }
> = {
  item: {
    table: 'items',
    numbers: ['id', 'count'],
    texts: ['title', 'kind'],
    links: {
      tags: ['tag', 'items_tags_links', 'item_id', 'tag_id'],
      main: ['tag', 'items_main_links', 'item_id', 'tag_id'],
    },
  },
  tag: {
    table: 'tags',
    numbers: ['id', 'rank'],
    texts: ['name'],
    links: {
      items: ['item', 'items_tags_links', 'tag_id', 'item_id'],
      mains: ['item', 'items_main_links', 'tag_id', 'item_id'],
    },
  },
}

/** A condition as code writes it, and as SQL by hand. */
interface Both {
  readonly where: Bag
  readonly sql: string
}

/** Makes conditions of both kinds; joins are left ones, as a missing row counts as one without values. */
class Conditions {
  readonly #dice: Dice
  readonly #quote: (name: string) => string
  joins: string[] = []
  #count = 0

  constructor(dice: Dice, quote: (name: string) => string) {
    this.#dice = dice
    this.#quote = quote
  }

  make(kind: Kind, alias: string, depth: number): Both {
    const dice = this.#dice
    const roll = dice.below(10)
    if (depth > 0 && roll < 2) {
      const word = dice.of(['$and', '$or'])
      const parts = [0, 1].map(() => this.make(kind, alias, depth - 1))
      return {
        where: { [word]: parts.map(({ where }) => where) },
        sql: `(${parts.map(({ sql }) => sql).join(word === '$and' ? ' and ' : ' or ')})`,
      }
    }
    if (depth > 0 && roll < 3) {
      const inner = this.make(kind, alias, depth - 1)
      return { where: { $not: inner.where }, sql: `not (${inner.sql})` }
    }
    if (depth > 0 && roll < 6) return this.#link(kind, alias, depth)
    return roll < 8 ? this.#number(kind, alias) : this.#text(kind, alias)
  }

  #link(kind: Kind, alias: string, depth: number): Both {
    const name = this.#dice.of(Object.keys(known[kind].links))
    const [target, table, from, to] = known[kind].links[name] as readonly [Kind, string, string, string]
    const rows = `x${++this.#count}`
    const behind = `x${++this.#count}`
    this.joins.push(
      `left join ${table} ${rows} on ${rows}.${from} = ${alias}.id`,
      `left join ${known[target].table} ${behind} on ${behind}.id = ${rows}.${to}`,
    )
    const roll = this.#dice.below(6)
    if (roll === 0) return { where: { [name]: null }, sql: `${behind}.id is null` }
    if (roll === 1) {
      const ids = [1 + this.#dice.below(8), 1 + this.#dice.below(8)]
      return { where: { [name]: ids }, sql: `${behind}.id in (${ids.join(', ')})` }
    }
    const inner = this.make(target, behind, depth - 1)
    return { where: { [name]: inner.where }, sql: inner.sql }
  }

  #number(kind: Kind, alias: string): Both {
    const name = this.#dice.of(known[kind].numbers)
    const column = `${alias}.${this.#quote(name)}`
    const value = this.#dice.below(9)
    const signs: Record<string, string> = { $eq: '=', $ne: '<>', $lt: '<', $lte: '<=', $gt: '>', $gte: '>=' }
    const roll = this.#dice.below(10)
    if (roll === 0) return { where: { [name]: { $null: true } }, sql: `${column} is null` }
    if (roll === 1) return { where: { [name]: { $notIn: [value, 3] } }, sql: `${column} not in (${value}, 3)` }
    if (roll === 2)
      return { where: { [name]: { $between: [value - 2, value] } }, sql: `${column} between ${value - 2} and ${value}` }
    if (roll === 3) return { where: { [name]: { $not: { $gt: value } } }, sql: `not (${column} > ${value})` }
    if (roll === 4) return { where: { [name]: value }, sql: `${column} = ${value}` }
    const word = this.#dice.of(Object.keys(signs))
    return { where: { [name]: { [word]: value } }, sql: `${column} ${signs[word]} ${value}` }
  }

  #text(kind: Kind, alias: string): Both {
    const name = this.#dice.of(known[kind].texts)
    const column = `${alias}.${this.#quote(name)}`
    const letter = this.#dice.of(['a', 'b', 'c'])
    const all: Both[] = [
      { where: { [name]: { $contains: letter } }, sql: `${column} like '%${letter}%'` },
      { where: { [name]: { $startsWith: letter } }, sql: `${column} like '${letter}%'` },
      { where: { [name]: { $notContainsi: letter.toUpperCase() } }, sql: `lower(${column}) not like '%${letter}%'` },
      { where: { [name]: { $eqi: `${letter}1` } }, sql: `lower(${column}) = '${letter}1'` },
      { where: { [name]: { $in: [letter, `${letter}1`] } }, sql: `${column} in ('${letter}', '${letter}1')` },
      { where: { [name]: { $notNull: true } }, sql: `${column} is not null` },
    ]
    return this.#dice.of(all)
  }
}

/** Reads and writes of code against statements by hand; every failure names its seed. */
export function fuzzSuite(
  open: (options?: WorldOptions) => Promise<World>,
  { reads, writes, seeds }: { reads: number; writes: number; seeds: readonly number[] },
): void {
  describe('reads and writes of code, as SQL by hand says they are', () => {
    let app: World
    beforeAll(async () => {
      app = await open()
    })
    afterAll(() => app?.close())

    for (const seed of seeds)
      test(`reads, seed ${seed}`, async () => {
        await fill(app, new Dice(seed))
        const dice = new Dice(seed + 1000)
        for (let round = 0; round < reads; round += 1) await compareRead(app, dice, `seed ${seed}, round ${round}`)
        await empty(app)
      })

    for (const seed of seeds)
      test(`writes, seed ${seed}`, async () => {
        const dice = new Dice(seed)
        const mirror = await mirrorOf(app)
        for (let round = 0; round < writes; round += 1) {
          const what = await randomWrite(app, dice, mirror)
          await compareWritten(app, mirror, `seed ${seed}, round ${round}: ${what}`)
        }
        await empty(app)
      })
  })
}

async function fill(app: World, dice: Dice): Promise<void> {
  const text = () => (dice.chance(15) ? null : `${dice.of(['a', 'b', 'c'])}${dice.of(['', '1', 'B'])}`)
  const number = () => (dice.chance(15) ? null : dice.below(8))
  for (let id = 1; id <= 8; id += 1) await app.db.query(tag).create({ data: { id, name: text(), rank: number() } })
  for (let id = 1; id <= 16; id += 1) {
    const tags = dice.some([1, 2, 3, 4, 5, 6, 7, 8], 4)
    const main = dice.chance(60) ? 1 + dice.below(8) : null
    await app.db.query(item).create({ data: { id, title: text(), kind: text(), count: number(), tags, main } })
  }
}

async function empty(app: World): Promise<void> {
  await app.entityService.deleteMany(item, {})
  await app.entityService.deleteMany(tag, {})
}

async function compareRead(app: World, dice: Dice, label: string): Promise<void> {
  const kind = dice.of<Kind>(['item', 'tag'])
  const uid = kind === 'item' ? item : tag
  const conditions = new Conditions(dice, name => app.host.store.knex.client.wrapIdentifierImpl(name))
  const { where, sql } = conditions.make(kind, 't', 3)
  const { table, texts, numbers, links } = known[kind]
  const found = await app.rows(
    `select distinct t.id from ${table} t ${conditions.joins.join(' ')} where ${sql} order by t.id`,
  )
  const ids = found.map(([id]) => Number(id))
  const shown = `${label}: ${JSON.stringify(where)}`
  const q = app.db.query(uid)
  const idsOf = (list: Bag[]) => list.map(({ id }) => id)
  expect(idsOf(await q.findMany({ where, orderBy: 'id', select: ['id'] })), shown).toEqual(ids)
  expect(await q.count({ where }), shown).toBe(ids.length)
  expect(idsOf(await app.entityService.findMany(uid, { filters: where, sort: 'id' })), shown).toEqual(ids)
  const offset = dice.below(4)
  const limit = 1 + dice.below(5)
  expect(idsOf(await q.findMany({ where, orderBy: { id: 'desc' }, offset, limit })), shown).toEqual(
    [...ids].reverse().slice(offset, offset + limit),
  )
  const page = await app.entityService.findPage(uid, { filters: where, sort: 'id:asc', page: 2, pageSize: limit })
  expect([idsOf(page.results), page.pagination.total], shown).toEqual([ids.slice(limit, 2 * limit), ids.length])
  const column = dice.of([...texts.slice(0, 1), ...numbers.slice(1)])
  if (ids.length > 0) await compareRows(app, { kind, uid, ids, column, link: dice.of(Object.keys(links)) }, shown)
}

/** Values, their order, and what is populated. */
async function compareRows(
  app: World,
  asked: { kind: Kind; uid: string; ids: number[]; column: string; link: string },
  shown: string,
): Promise<void> {
  const { kind, uid, ids, column, link } = asked
  const { table, links } = known[kind]
  const quoted = app.host.store.knex.client.wrapIdentifierImpl(column)
  const rows = await app.rows(
    `select id, ${quoted} from ${table} where id in (${ids.join(', ')}) order by ${quoted}, id`,
  )
  const entries: Bag[] = await app.db
    .query(uid)
    .findMany({ where: { id: ids }, orderBy: [column, 'id'], populate: [link] })
  expect(
    entries.map(entry => [entry.id, entry[column]]),
    shown,
  ).toEqual(
    rows.map(([id, value]) => [id, kind === 'item' && column === 'title' && value !== null ? String(value) : value]),
  )
  const [target, through, from, to] = links[link] as readonly [Kind, string, string, string]
  const order = link === 'tags' ? 'l.tag_order, ' : 'l.item_order, '
  const behind = await app.rows(
    `select l.${from}, l.${to} from ${through} l join ${known[target].table} x on x.id = l.${to} where l.${from} in (${ids.join(', ')}) order by ${link === 'main' ? '' : order}l.id`,
  )
  const of = (owner: unknown) => behind.filter(([from]) => from === owner).map(([, id]) => Number(id))
  const idsOf = (value: Loose) =>
    [value]
      .flat()
      .filter(Boolean)
      .map(({ id }: Loose) => id)
  for (const entry of entries) expect(idsOf(entry[link]), `${shown}, ${link} of ${entry.id}`).toEqual(of(entry.id))
  const start = ids.length % 3
  const populate = async (params: Bag) =>
    (await app.db.query(uid).findMany({ where: { id: ids }, populate: { [link]: params } })) as Bag[]
  for (const { id, [link]: count } of await populate({ count: true }))
    expect(count, shown).toEqual({ count: of(id).length })
  if (link === 'main') return
  for (const { id, [link]: page } of await populate({ offset: start, limit: 2, select: ['id'] }))
    expect(idsOf(page), `${shown}, page of ${link}`).toEqual(of(id).slice(start, start + 2))
  for (const { id, [link]: some } of await populate({ where: { id: { $gt: 3 } }, orderBy: { id: 'desc' } }))
    expect(idsOf(some), `${shown}, some of ${link}`).toEqual(
      of(id)
        .filter(one => one > 3)
        .sort((one, other) => other - one),
    )
}

/** All tables hold what was written, and nothing else. */
async function compareWritten(app: World, mirror: Mirror, shown: string): Promise<void> {
  const rows = await app.rows('select id, title, count from items order by id')
  const items = [...mirror.items].sort(([one], [other]) => one - other)
  expect(rows, shown).toEqual(items.map(([id, { title, count }]) => [id, title, count]))
  const lists = await app.rows('select item_id, tag_id, tag_order from items_tags_links order by item_id, tag_order')
  expect(lists, shown).toEqual(items.flatMap(([id, { tags }]) => tags.map((one, index) => [id, one, index + 1])))
  const mains = await app.rows('select item_id, tag_id from items_main_links order by item_id')
  expect(mains, shown).toEqual(items.flatMap(([id, { main }]) => (main === null ? [] : [[id, main]])))
  const places = await app.rows(
    'select tag_id, count(*), count(distinct item_order) from items_tags_links group by tag_id',
  )
  for (const [owner, all, distinct] of places) expect([owner, distinct], shown).toEqual([owner, all])
  const parts = await app.rows(
    'select l.entity_id, p.label from items_components l join components_c_parts p on p.id = l.component_id order by l.entity_id',
  )
  expect(parts, shown).toEqual(items.flatMap(([id, { part }]) => (part === null ? [] : [[id, part]])))
  const [[kept]] = (await app.rows('select count(*) from components_c_parts')) as [[number]]
  expect(kept, shown).toBe(parts.length + mirror.left)
}
