// Side by side: stele and hand-written servers on the same data, in the same run. See README.md.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { counts } from './dataset.mjs'
import { measureHooks } from './hooks.mjs'
import { openMariadb } from './mariadb.mjs'
import { alternate, freshNumbers, median, summary } from './measure.mjs'
import { measurePlugins } from './plugins.mjs'
import { openPostgres } from './postgres.mjs'
import { cpuSeconds, memory, sleep } from './processes.mjs'
import * as report from './report.mjs'
import { formsOf, scenarios } from './scenarios.mjs'
import { stage } from './servers.mjs'
import { readSettings } from './settings.mjs'
import { verify } from './verify.mjs'
import { measureWorkers } from './workers.mjs'

const say = text => console.error(text)
const settings = settingsOrExit()
const numbers = freshNumbers()
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'stele-bench-'))
let database
let place
process.once('SIGINT', () => cleanUp().then(() => process.exit(130)))

try {
  if (settings.engine === 'mariadb') database = await openMariadb(folder, settings.mariadb)
  if (settings.engine === 'postgres') database = await openPostgres(folder)
  place = stage({ engine: settings.engine, folder, database, strapi: settings.strapi })
  const parts = []
  if (settings.compare) parts.push(await compare())
  if (settings.growth) parts.push(await measureGrowth())
  if (settings.startup) parts.push(await measureStartup())
  if (settings.plugins) parts.push(report.plugins(await measurePlugins(folder, roundOptions())))
  if (settings.hooks) parts.push(report.hooks(await measureHooks(folder, roundOptions())))
  if (settings.workers) parts.push(report.workers(await measureWorkers(folder, roundOptions())))
  const text = `${[report.heading(settings), ...parts].join('\n\n')}\n`
  if (settings.out) fs.writeFileSync(settings.out, text)
  console.log(text)
} catch (error) {
  say(error.stack)
  process.exitCode = 1
} finally {
  await cleanUp()
}

function settingsOrExit() {
  try {
    return readSettings()
  } catch (error) {
    say(error.message)
    process.exit(1)
  }
}

async function cleanUp() {
  await place?.stop()
  await database?.stop()
  fs.rmSync(folder, { recursive: true, force: true })
}

async function compare() {
  const { names, base, chosen } = settings
  const forms = formsOf(scenarios().filter(({ id }) => chosen.includes(id)))
  const running = []
  for (const name of names) running.push(await place.start(name))
  const ordered = [...running].sort((a, b) => Number(b.name === base) - Number(a.name === base))
  const complaints = await verify(ordered, forms, numbers)
  if (complaints.length) throw new Error(`THE ANSWERS DIFFER, so nothing was timed:\n\n${complaints.join('\n')}`)
  say(`all answers are equal: ${names.join(', ')}`)
  const measured = forms.map(() => names.map(() => []))
  let current = running
  for (let start = 0; start < settings.starts; start++) {
    if (start > 0) current = await startAgain(running)
    for (const [at, { id, form, requests }] of forms.entries()) {
      const rounds = await alternate(
        current.map(server => ({ server, requests })),
        roundOptions(),
      )
      for (const [k, own] of rounds.entries()) measured[at][k].push(...own)
      const rate = k => Math.round(median(rounds[k].map(({ perSecond }) => perSecond)))
      say(`${id} ${form}: ${names.map((name, k) => `${name} ${rate(k)}/s`).join(', ')}`)
    }
  }
  const results = []
  for (const [at, { requests: _, ...form }] of forms.entries()) {
    const rounds = measured[at]
    const baseRounds = rounds[names.indexOf(base)]
    const byServer = Object.fromEntries(names.map((name, k) => [name, summary(rounds[k], baseRounds)]))
    const strapi = rounds[names.indexOf('strapi')]
    const nextToStrapi = strapi && Object.fromEntries(names.map((name, k) => [name, summary(rounds[k], strapi)]))
    results.push({ ...form, byServer, nextToStrapi })
    complain(form, byServer)
  }
  const peaks = report.peaks(current.map(({ name, pid }) => ({ name, peak: memory(pid, 'VmHWM') })))
  await place.stop()
  return `${report.comparison(results, settings)}\n\n${peaks}`
}

/** In new processes: V8 compiles the same code to something else in each, and one is up to a tenth faster than the other. */
async function startAgain(servers) {
  await place.stop()
  for (const { again } of servers) place.running.push(await again())
  return [...place.running]
}

function roundOptions() {
  return { ...settings, numbers, databasePid: database?.pid }
}

/** A figure made of failed requests is worth nothing, so the run fails; the rest is still measured. */
function complain({ id, form }, byServer) {
  for (const [name, { errors, firstError }] of Object.entries(byServer)) {
    if (!errors) continue
    say(`${id} ${form}: ${name} FAILED ${errors} requests, the first with\n${firstError}`)
    process.exitCode = 1
  }
}

async function measureGrowth() {
  const [name] = settings.names
  const sizes = [counts.article, 1_000_000]
  say(`growth: ${name} on ${sizes.join(' and ')} articles (the large file takes a minute to make, once)`)
  const running = []
  for (const articles of sizes) running.push(await place.start(name, { articles }))
  const lists = sizes.map(size => scenarios(size))
  const results = []
  for (const id of ['list', 'one', 'populate']) {
    const subjects = running.map((server, k) => ({
      server,
      requests: lists[k].find(scenario => scenario.id === id).hit,
    }))
    const [few, many] = await alternate(subjects, roundOptions())
    const ratio = median(many.map((round, k) => round.cpu / few[k].cpu))
    const cpu = rounds => median(rounds.map(round => round.cpu))
    results.push({ title: lists[0].find(scenario => scenario.id === id).title, few: cpu(few), many: cpu(many), ratio })
    say(`growth ${id}: ${ratio.toFixed(2)}`)
  }
  await place.stop()
  return report.growth(results, name, '1,000,000', '10,000')
}

async function measureStartup() {
  const servers = []
  // The first start may prepare the database; it is not counted.
  for (const name of settings.names) {
    servers.push({ name, again: (await place.start(name)).again, starts: [] })
    await place.stop()
  }
  for (let k = 0; k < 9; k++) {
    for (const { again, starts } of servers) {
      const server = await again()
      place.running.push(server)
      const cpu = cpuSeconds(server.pid) * 1000
      await sleep(500)
      starts.push({ ms: server.startupMs, cpu, megabytes: memory(server.pid, 'VmRSS') })
      await place.stop()
    }
  }
  const results = []
  for (const { name, again, starts } of servers) {
    const server = await again()
    place.running.push(server)
    // Memory used by the start only is released once the process has been idle for a while.
    await sleep(20_000)
    results.push({ name, starts, idle: memory(server.pid, 'VmRSS') })
    await place.stop()
  }
  return report.startup(results)
}
