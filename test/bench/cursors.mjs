// Cost of the page 40,000 of a list next to the first one: `npm run build && node test/bench/cursors.mjs [engine...]`.
// Pages of 25 of a million rows, which begin beside an entry; each request was not sent before, and nothing is cached.
import { createHash } from 'node:crypto'
import { createTestApp } from '../../dist/core/index.js'
import { engineOf } from './engine-of.mjs'

const chosen = process.argv.slice(2)
const engines = chosen.length > 0 ? chosen : ['sqlite', 'mariadb', 'postgres']
const count = Number(process.env.BENCH_ROWS ?? 1_000_000)
const rounds = 9

const attributes = { kind: { type: 'integer' }, day: { type: 'integer' }, note: { type: 'string' } }
const indexed = {
  'no index': {},
  'an index of kind': { indexes: [{ attributes: ['kind'] }] },
  'an index of kind and day': { indexes: [{ attributes: ['kind', 'day'] }] },
}
const sorts = ['kind', 'kind,day', 'kind,day:desc', 'kind:desc,day', 'kind:desc,day:desc']

const open = (database, more) =>
  createTestApp({
    types: { item: { attributes, ...more } },
    config: {
      database: { ...database, statementTimeout: 60_000 },
      api: { rest: { responseCache: 0 } },
    },
  })

/** Each kind has as many rows as the others, in no order. */
const kinds = Number(process.env.BENCH_KINDS ?? 1000)
const values = n => `(${n} * 7919) % ${kinds}, (${n} * 104729) % 1000003 % 5000, 'a note of some length that a row has'`
const series = {
  sqlite: `with recursive s(n) as (select 1 union all select n + 1 from s where n < ${count}) insert into items (kind, day, note) select ${values('n')} from s`,
  mysql: `insert into items (kind, day, note) select ${values('seq')} from seq_1_to_${count}`,
  postgres: `insert into items (kind, day, note) select ${values('n::bigint')} from generate_series(1, ${count}) n`,
}
const analyze = { sqlite: 'analyze', mysql: 'analyze table items', postgres: 'analyze items' }

const middle = list => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)]
let fresh = 0

async function page(app, sort, pagination) {
  fresh += 1
  const url = `/api/items?sort=${sort}&filters[note][$ne]=n${fresh}&${pagination}&pagination[limit]=25`
  const start = performance.now()
  const answer = await app.inject({ method: 'GET', url })
  if (answer.statusCode !== 200) throw new Error(answer.body)
  return { ms: performance.now() - start, body: answer.json() }
}

/** A cursor belongs to its filters: the same page is asked for again with as many limits. */
async function timed(app, sort, key, cursor, filter) {
  const times = []
  for (let round = 0; round < rounds; round++) {
    const limit = 25 + (round % 3)
    const url = `/api/items?sort=${sort}&filters[note][$ne]=n${filter}&pagination[${key}]=${cursor}&pagination[limit]=${limit}&fields[0]=${round % 2 ? 'note' : 'day'}`
    const start = performance.now()
    const answer = await app.inject({ method: 'GET', url })
    times.push(performance.now() - start)
    if (answer.statusCode !== 200) throw new Error(answer.body)
  }
  return middle(times)
}

/** The cursor of an entry in the middle of the list. */
function middleOf(cursor) {
  const print = value => createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 8)
  const [, sort, filters, included, ...values] = JSON.parse(Buffer.from(cursor, 'base64url').toString())
  const content = [sort, filters, included, kinds / 2, ...values.slice(1, -1).map(() => 2500), count / 2]
  return Buffer.from(JSON.stringify([print(content), ...content])).toString('base64url')
}

async function measure(app) {
  const rows = []
  for (const sort of sorts) {
    const { body } = await page(app, sort, 'pagination[before]=')
    const cursor = body.meta.pagination.previous
    const first = await timed(app, sort, 'after', '', fresh)
    const middle = await timed(app, sort, 'after', middleOf(cursor), fresh)
    const last = await timed(app, sort, 'after', cursor, fresh)
    rows.push({ sort, first, middle, last })
  }
  return rows
}

for (const engine of engines) {
  const { database, stop } = await engineOf(engine)
  try {
    const { client } = database
    const filling = await open(database, {})
    await filling.store.transaction(async session => session.run(series[client], []))
    await filling.close()
    console.log(
      `\n${engine}: ${count} rows\n| index | sort | ms, first page | ms, page ${count / 50} | ms, page ${count / 25} | ratio |\n|---|---|---:|---:|---:|---:|`,
    )
    for (const [name, more] of Object.entries(indexed)) {
      const app = await open(database, more)
      await app.store.transaction(async session => session.run(analyze[client], []))
      for (const { sort, first, middle, last } of await measure(app))
        console.log(
          `| ${name} | \`${sort}\` | ${first.toFixed(1)} | ${middle.toFixed(1)} | ${last.toFixed(1)} | ${(Math.max(middle, last) / first).toFixed(2)} |`,
        )
      await app.close()
    }
  } finally {
    await stop()
  }
}
