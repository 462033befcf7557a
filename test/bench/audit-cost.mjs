// What the plugin `audit` costs a create, in processor time: an app without it and one with it by turns, in one process, each on
// a SQLite file of its own. `npm run build && node test/bench/audit-cost.mjs`
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const rounds = Number(process.env.ROUNDS ?? 30)
const creates = 200

const { createTestApp } = await import(new URL('../../dist/core/index.js', import.meta.url))
const { audit } = await import(new URL('../../dist/plugins/audit/index.js', import.meta.url))
const folder = mkdtempSync(path.join(tmpdir(), 'audit-cost-'))

const begin = (name, plugins) =>
  createTestApp({
    types: {
      note: {
        attributes: {
          title: { type: 'string' },
          text: { type: 'text' },
          rating: { type: 'integer' },
          day: { type: 'date' },
        },
      },
    },
    plugins,
    config: { database: { client: 'sqlite', filename: path.join(folder, `${name}.db`) } },
  })
const spentBy = async work => {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return user + system
}
const median = list => list.toSorted((one, other) => one - other)[Math.floor(list.length / 2)]

const apps = {
  plain: await begin('plain', []),
  audited: await begin('audited', [[audit, { secret: 'a secret for measuring, long enough' }]]),
}
const data = { title: 'a title', text: 'a text of some words '.repeat(20), rating: 4, day: '2026-01-31' }
const write = async app => {
  for (let count = 0; count < creates; count += 1)
    await app.inject({ method: 'POST', url: '/api/notes', payload: { data } })
}
const spent = { plain: [], audited: [], sealing: [] }
for (const app of Object.values(apps)) await write(app)
for (let round = 0; round < rounds; round += 1) {
  for (const name of round % 2 ? ['plain', 'audited'] : ['audited', 'plain'])
    spent[name].push((await spentBy(() => write(apps[name]))) / creates)
  spent.sealing.push((await spentBy(() => apps.audited.runJob('audit/seal'))) / creates)
}
const added = spent.audited.map((value, round) => value - spent.plain[round])
const share = (100 * median(added)) / median(spent.plain)
const show = value => `${value.toFixed(0)} µs`
console.log(`${rounds} rounds of ${creates} creates, medians of processor time for one of them:`)
console.log(`without the plugin ${show(median(spent.plain))}, with it ${show(median(spent.audited))}`)
console.log(
  `the plugin adds ${show(median(added))} (${share.toFixed(0)} %), and ${show(median(spent.sealing))} when its record is sealed`,
)
for (const app of Object.values(apps)) await app.close()
rmSync(folder, { recursive: true })
