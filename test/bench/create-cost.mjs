// Processor time that a plugin which records writes adds to a create: an app without it and one with it by turns, in one
// process, each on a database of its own. `npm run build && node test/bench/create-cost.mjs --plugin audit` or `--plugin
// events`
import { parseArgs } from 'node:util'
import { engineOf } from './engine-of.mjs'
import { median } from './measure.mjs'
import { cpuSeconds } from './processes.mjs'

const { values } = parseArgs({
  options: {
    plugin: { type: 'string', default: 'audit' },
    engine: { type: 'string', default: 'sqlite' },
    rounds: { type: 'string', default: '30' },
    /** Creates in flight at a time: SQLite writes those of a moment in one commit. */
    together: { type: 'string', default: '1' },
  },
})
/** Each plugin's settings, and the job that does the rest of its work, if it has one. */
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
const begin = async plugins => {
  const engine = await engineOf(values.engine)
  const app = await createTestApp({
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
    config: { database: engine.database },
  })
  return { app, engine }
}
/** Microseconds of this process, and of the database server. */
const spentBy = async ({ pid }, work) => {
  const ofDatabase = () => (pid ? cpuSeconds(pid) * 1_000_000 : 0)
  const [before, beforeThere] = [process.cpuUsage(), ofDatabase()]
  await work()
  const { user, system } = process.cpuUsage(before)
  return { here: user + system, there: ofDatabase() - beforeThere }
}

const apps = { without: await begin([]), with: await begin([[plugin, settings]]) }
const data = { title: 'a title', text: 'a text of some words '.repeat(20), rating: 4, day: '2026-01-31' }
const create = app => app.inject({ method: 'POST', url: '/api/notes', payload: { data } })
const write = async app => {
  for (let count = 0; count < creates; count += together)
    await Promise.all(Array.from({ length: together }, () => create(app)))
}
const spent = { without: [], with: [], job: [] }
for (const { app } of Object.values(apps)) await write(app)
for (let round = 0; round < rounds; round += 1) {
  for (const name of round % 2 ? ['without', 'with'] : ['with', 'without'])
    spent[name].push(await spentBy(apps[name].engine, () => write(apps[name].app)))
  if (job) spent.job.push(await spentBy(apps.with.engine, () => apps.with.app.runJob(job)))
}
const show = time => `${(time / creates).toFixed(0)} µs`
const report = (where, of, middle) => {
  const [without, own] = [spent.without.map(of), spent.with.map(of)]
  const added = middle(own.map((value, round) => value - without[round]))
  console.log(`${where}without the plugin ${show(middle(without))}, with it ${show(middle(own))}`)
  console.log(`${where}the plugin adds ${show(added)}: ${(1 + added / middle(without)).toFixed(2)} times`)
}
/** The time of another process is known in hundredths of a second, so one create's time follows from all rounds together. */
const mean = list => list.reduce((sum, value) => sum + value, 0) / list.length
console.log(`${rounds} rounds of ${creates} creates, ${together} at a time, processor time for one of them:`)
report('', ({ here }) => here, median)
if (apps.with.engine.pid) {
  report('database server, mean: ', ({ there }) => there, mean)
  report('both, mean: ', ({ here, there }) => here + there, mean)
}
if (job) console.log(`its job ${job} adds ${show(median(spent.job.map(({ here }) => here)))}`)
for (const { app, engine } of Object.values(apps)) {
  await app.close()
  await engine.stop()
}
