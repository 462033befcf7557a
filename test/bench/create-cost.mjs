// What a plugin that records writes costs a create, in processor time: an app without it and one with it by turns, in one process,
// each on a SQLite file of its own. `npm run build && node test/bench/create-cost.mjs --plugin audit` or `--plugin events`
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { median } from './measure.mjs'

const { values } = parseArgs({
  options: {
    plugin: { type: 'string', default: 'audit' },
    rounds: { type: 'string', default: '30' },
    /** How many of them wait for an answer at a time: SQLite writes those of a moment in one commit. */
    together: { type: 'string', default: '1' },
  },
})
/** What each plugin is given, and the job that does the rest of its work, if it has one. */
const known = {
  audit: { settings: { secret: 'a secret for measuring, long enough' }, job: 'audit/seal' },
  events: { settings: {} },
}
if (!known[values.plugin]) throw new Error(`--plugin: "${values.plugin}" is none of ${Object.keys(known).join(', ')}`)
const { settings, job } = known[values.plugin]
const rounds = Number(values.rounds)
const together = Number(values.together)
const creates = together * Math.ceil(192 / together)

const { createTestApp } = await import(new URL('../../dist/core/index.js', import.meta.url))
const { [values.plugin]: plugin } = await import(
  new URL(`../../dist/plugins/${values.plugin}/index.js`, import.meta.url)
)
const folder = mkdtempSync(path.join(tmpdir(), 'create-cost-'))

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

const apps = { without: await begin('without', []), with: await begin('with', [[plugin, settings]]) }
const data = { title: 'a title', text: 'a text of some words '.repeat(20), rating: 4, day: '2026-01-31' }
const create = app => app.inject({ method: 'POST', url: '/api/notes', payload: { data } })
const write = async app => {
  for (let count = 0; count < creates; count += together)
    await Promise.all(Array.from({ length: together }, () => create(app)))
}
const spent = { without: [], with: [], job: [] }
for (const app of Object.values(apps)) await write(app)
for (let round = 0; round < rounds; round += 1) {
  for (const name of round % 2 ? ['without', 'with'] : ['with', 'without'])
    spent[name].push((await spentBy(() => write(apps[name]))) / creates)
  if (job) spent.job.push((await spentBy(() => apps.with.runJob(job))) / creates)
}
const added = spent.with.map((value, round) => value - spent.without[round])
const ratio = median(spent.with.map((value, round) => value / spent.without[round]))
const show = value => `${value.toFixed(0)} µs`
console.log(`${rounds} rounds of ${creates} creates, ${together} at a time, medians of processor time for one of them:`)
console.log(`without the plugin ${show(median(spent.without))}, with it ${show(median(spent.with))}`)
console.log(`the plugin adds ${show(median(added))}: ${ratio.toFixed(2)} times`)
if (job) console.log(`its job ${job} adds ${show(median(spent.job))}`)
for (const app of Object.values(apps)) await app.close()
rmSync(folder, { recursive: true })
