import type { Bag } from '../../../../plugins/strapi-code/types.js'
import type { Dice } from './fuzz.suite.js'
import type { World } from './world.js'

const item = 'api::item.item'
const tag = 'api::tag.tag'

interface Item {
  title: string
  count: number | null
  tags: number[]
  main: number | null
  part: string | null
}

/** What the tables should hold. */
export interface Mirror {
  readonly items: Map<number, Item>
  readonly tags: number[]
  /** Components that `db.query` has left where they were. */
  left: number
}

export async function mirrorOf(app: World): Promise<Mirror> {
  const { ids } = await app.db
    .query(tag)
    .createMany({ data: Array.from({ length: 6 }, (_, at) => ({ name: `tag ${at}` })) })
  const [[left]] = (await app.rows('select count(*) from components_c_parts')) as [[number]]
  return { items: new Map(), tags: ids, left }
}

/** A change of a list of tags, and the list after it. */
function changeOf(dice: Dice, { tags: all }: Mirror, before: readonly number[]): [unknown, number[]] {
  const some = dice.some(all, 4)
  const roll = dice.below(6)
  if (roll === 0) return [some, some]
  if (roll === 1) return [{ set: some.map(id => ({ id })) }, some]
  if (roll === 2) return [null, []]
  const gone = dice.some(before, 2).filter(id => !some.includes(id))
  const kept = before.filter(id => !gone.includes(id))
  if (roll < 5) return [{ connect: some, disconnect: gone }, [...kept.filter(id => !some.includes(id)), ...some]]
  const [first] = all.filter(id => !kept.includes(id))
  const [place] = kept
  if (first === undefined || place === undefined) return [{ disconnect: gone.map(id => ({ id })) }, kept]
  const isBefore = dice.chance(50)
  const list = [...kept]
  list.splice(isBefore ? 0 : 1, 0, first)
  return [
    { connect: [{ id: first, position: isBefore ? { before: place } : { after: place } }], disconnect: gone },
    list,
  ]
}

/** One write, by one of the ways that code has; gives what it was. */
export async function randomWrite(app: World, dice: Dice, mirror: Mirror): Promise<string> {
  const byService = dice.chance(50)
  const ids = [...mirror.items.keys()]
  const roll = ids.length === 0 ? 0 : dice.below(10)
  if (roll < 3) return create(app, dice, mirror, byService)
  if (roll < 7) return update(app, dice, mirror, byService)
  if (roll === 7) return updateMany(app, dice, mirror)
  if (roll === 8) return remove(app, dice, mirror, byService)
  return dice.chance(30) ? undone(app, dice, mirror) : removeMany(app, dice, mirror, byService)
}

async function create(app: World, dice: Dice, mirror: Mirror, byService: boolean): Promise<string> {
  const [tags, list] = changeOf(dice, mirror, [])
  const main = dice.chance(50) ? dice.of(mirror.tags) : null
  const title = `item ${dice.below(1000)}`
  const count = dice.chance(20) ? null : dice.below(9)
  const part = byService && dice.chance(50) ? `part ${dice.below(100)}` : null
  const data: Bag = { title, count, tags, main, ...(part !== null && { part: { label: part } }) }
  const made = byService ? await app.entityService.create(item, { data }) : await app.db.query(item).create({ data })
  mirror.items.set(Number(made.id), { title, count, tags: list, main, part })
  return `create ${JSON.stringify(data)}`
}

async function update(app: World, dice: Dice, mirror: Mirror, byService: boolean): Promise<string> {
  const id = dice.of([...mirror.items.keys()])
  const before = mirror.items.get(id) as Item
  const data: Bag = {}
  const after = { ...before }
  if (dice.chance(50)) {
    after.count = dice.below(9)
    data.count = after.count
  }
  if (dice.chance(60)) [data.tags, after.tags] = changeOf(dice, mirror, before.tags)
  if (dice.chance(40)) {
    after.main = dice.chance(70) ? dice.of(mirror.tags) : null
    data.main =
      after.main === null
        ? null
        : dice.of([after.main, { id: after.main }, { connect: [after.main] }, { set: [after.main] }])
  }
  if (byService && dice.chance(40)) {
    after.part = dice.chance(70) ? `part ${dice.below(100)}` : null
    data.part = after.part === null ? null : { label: after.part }
  }
  if (byService) await app.entityService.update(item, id, { data })
  else await app.db.query(item).update({ where: { id }, data })
  mirror.items.set(id, after)
  return `update ${id} ${JSON.stringify(data)}`
}

async function updateMany(app: World, dice: Dice, mirror: Mirror): Promise<string> {
  const limit = dice.below(9)
  const count = dice.below(9)
  const { count: changed } = await app.db.query(item).updateMany({ where: { count: { $lt: limit } }, data: { count } })
  const met = [...mirror.items.values()].filter(one => one.count !== null && one.count < limit)
  for (const one of met) one.count = count
  if (changed !== met.length) throw new Error(`updateMany changed ${changed} in place of ${met.length}`)
  return `updateMany below ${limit}`
}

async function remove(app: World, dice: Dice, mirror: Mirror, byService: boolean): Promise<string> {
  const id = dice.of([...mirror.items.keys()])
  if (byService) await app.entityService.delete(item, id)
  else await app.db.query(item).delete({ where: { id } })
  if (!byService && mirror.items.get(id)?.part !== null) mirror.left += 1
  mirror.items.delete(id)
  return `delete ${id} by ${byService ? 'service' : 'query'}`
}

async function removeMany(app: World, dice: Dice, mirror: Mirror, byService: boolean): Promise<string> {
  const count = dice.below(9)
  if (byService) await app.entityService.deleteMany(item, { filters: { count } })
  else await app.db.query(item).deleteMany({ where: { count } })
  for (const [id, one] of mirror.items)
    if (one.count === count) {
      if (!byService && one.part !== null) mirror.left += 1
      mirror.items.delete(id)
    }
  return `deleteMany ${count} by ${byService ? 'service' : 'query'}`
}

/** Some writes in a transaction that comes to nothing. */
async function undone(app: World, dice: Dice, mirror: Mirror): Promise<string> {
  const copy: Mirror = {
    tags: mirror.tags,
    left: mirror.left,
    items: new Map([...mirror.items].map(([id, one]) => [id, { ...one }])),
  }
  const work = async () => {
    for (let count = 1 + dice.below(3); count > 0; count -= 1) await randomWrite(app, dice, copy)
    throw new Error('undone')
  }
  await app.db.transaction(work).catch((error: Error) => {
    if (error.message !== 'undone') throw error
  })
  return 'a transaction that is undone'
}
