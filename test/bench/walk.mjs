// Walks a long list by cursors while others insert and delete: `npm run build && node test/bench/walk.mjs [rows]
// [engine...]`. Each row that stays must be shown exactly once; the last pages must cost what the first ones do.
import { createTestApp } from '../../dist/core/index.js'
import { engineOf } from './engine-of.mjs'

const [rows = '1000000', ...chosen] = process.argv.slice(2)
const count = Number(rows)
const engines = chosen.length > 0 ? chosen : ['sqlite', 'mariadb', 'postgres']
const pageSize = 25
const lastPage = Math.ceil(count / pageSize)

/** Entries share the values of `place`, and one in a thousand has none. */
const types = {
  item: {
    attributes: { name: { type: 'string', unique: true }, place: { type: 'integer' }, more: { type: 'string' } },
    indexes: [{ attributes: ['place'] }],
  },
}
const rowAt = index => ({
  name: `item ${((index * 7_919) % count).toString(36)} ${index}`,
  place: index % 1000 === 0 ? null : (index * 31) % 5000,
  more: `row ${index}`,
})

const walks = ['sort=id', 'sort=place', 'sort=place:desc', 'sort=name', 'sort[0]=place&sort[1]=more:desc']

async function fill({ knex, transaction }) {
  for (let done = 0; done < count; done += 500)
    await transaction(async session => {
      const part = Array.from({ length: Math.min(500, count - done) }, (_, index) => rowAt(done + index))
      const { sql, bindings } = knex('items').insert(part).toSQL().toNative()
      await session.run(sql, bindings)
    })
}

async function asked(app, query) {
  const begun = performance.now()
  const answer = await app.inject({ method: 'GET', url: `/api/items?fields[0]=more&${query}` })
  const ms = performance.now() - begun
  if (answer.statusCode !== 200) throw new Error(`${query}: ${answer.body}`)
  return { ms, body: answer.json() }
}

const median = list => list.toSorted((one, other) => one - other)[Math.floor(list.length / 2)]

/** After every tenth page an entry is added and one that was added is deleted, somewhere in the list. */
async function walk(app, sort) {
  const items = app.entries('api::item.item')
  const shown = new Uint8Array(count + 1)
  const added = []
  const times = []
  let cursor = ''
  let [others, writes] = [0, 0]
  while (cursor !== null) {
    const { ms, body } = await asked(app, `${sort}&pagination[limit]=${pageSize}&pagination[after]=${cursor}`)
    times.push(ms)
    for (const { id } of body.data) {
      if (id <= count) shown[id] += 1
      else others += 1
    }
    cursor = body.meta.pagination.next
    if (times.length % 10) continue
    writes += 1
    const beside = rowAt((writes * 104_729) % count)
    const { id } = await items.create({ ...beside, name: `${beside.name} ${sort} ${writes}` })
    added.push(id)
    if (added.length > 20) await items.delete(added.splice((writes * 7) % added.length, 1)[0])
  }
  for (const id of added) await items.delete(id)
  const missed = shown.subarray(1).filter(times => times === 0).length
  const twice = shown.subarray(1).filter(times => times > 1).length
  const [first, last] = [median(times.slice(0, 101)), median(times.slice(-101))]
  const { ms: byNumber } = await asked(app, `${sort}&pagination[page]=${lastPage}&pagination[withCount]=false`)
  console.log(
    `| \`${sort}\` | ${times.length} | ${missed} | ${twice} | ${others} | ${first.toFixed(2)} | ${last.toFixed(2)} | ${(last / first).toFixed(2)} | ${byNumber.toFixed(0)} |`,
  )
}

for (const engine of engines) {
  const { database, stop } = await engineOf(engine)
  try {
    const app = await createTestApp({
      types,
      config: { database: { ...database, statementTimeout: 120_000 }, api: { rest: { responseCache: 0 } } },
    })
    await fill(app.store)
    console.log(
      `\n${engine}: ${count} rows in pages of ${pageSize}, while one entry is added and one deleted after every tenth page`,
    )
    console.log(
      '| | pages | stable rows missed | shown twice | added rows shown | ms, first pages | last pages | last / first | last page by its number, ms |',
    )
    console.log('|---|---:|---:|---:|---:|---:|---:|---:|---:|')
    for (const sort of walks) await walk(app, sort)
    await app.close()
  } finally {
    await stop()
  }
}
