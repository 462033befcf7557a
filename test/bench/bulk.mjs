// Creates one by one, 32 at once, and in bulk: `npm run build && node test/bench/bulk.mjs [engine...]`.
import { createTestApp } from '../../dist/core/index.js'
import { bulk } from '../../dist/plugins/bulk/index.js'
import { engineOf } from './engine-of.mjs'

const engines = process.argv.length > 2 ? process.argv.slice(2) : ['sqlite', 'mariadb', 'postgres']
const rounds = 5
const size = 1000

const types = {
  item: {
    attributes: {
      title: { type: 'string' },
      text: { type: 'text' },
      rating: { type: 'integer' },
      day: { type: 'date' },
      tags: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag' },
    },
  },
  tag: { attributes: { name: { type: 'string' } } },
}
const data = number => ({
  title: `item ${number}`,
  text: 'some words '.repeat(20),
  rating: number % 5,
  day: '2026-01-31',
})

async function send(app, url, payload) {
  const answer = await app.inject({ method: 'POST', url, payload })
  if (answer.statusCode !== 200) throw new Error(answer.body)
}
const one = (app, number) => send(app, '/api/items', { data: data(number) })

/** Ways of creating the entries. */
const ways = {
  'one after the other': async (app, count) => {
    for (let number = 0; number < count; number += 1) await one(app, number)
  },
  '32 at once': async (app, count) => {
    let number = 0
    const client = async () => {
      while (number < count) await one(app, number++)
    }
    await Promise.all(Array.from({ length: 32 }, client))
  },
  'in bulk': (app, count) =>
    send(app, '/api/items/bulk', {
      operations: Array.from({ length: count }, (_, number) => ({ create: data(number) })),
    }),
}
const median = list => list.toSorted((one, other) => one - other)[Math.floor(list.length / 2)]

for (const engine of engines) {
  const { database, stop } = await engineOf(engine)
  try {
    const app = await createTestApp({ types, plugins: [bulk], config: { database } })
    const rates = Object.fromEntries(Object.keys(ways).map(name => [name, []]))
    for (const way of Object.values(ways)) await way(app, 200)
    for (let round = 0; round < rounds; round += 1)
      for (const [name, way] of Object.entries(ways)) {
        const begun = performance.now()
        await way(app, size)
        rates[name].push(size / ((performance.now() - begun) / 1000))
      }
    await app.close()
    const [single, together, inBulk] = Object.values(rates).map(median)
    const times = rate => (inBulk / rate).toFixed(1)
    console.log(
      `${engine}: creates a second: ${single.toFixed(0)} one after the other, ${together.toFixed(0)} with 32 at once, ${inBulk.toFixed(0)} in bulk (${times(single)} and ${times(together)} times)`,
    )
  } finally {
    await stop()
  }
}
