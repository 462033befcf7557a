// A soak test: many clients for a long time, then overload, and a stop in the middle of it. See README.md.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { median } from '../bench/measure.mjs'
import { cpuSeconds, memory, pinned, sleep, stolenSeconds } from '../bench/processes.mjs'
import { barsOf, each, failed, shares } from './bars.mjs'
import { barsTable, phasesTable } from './report.mjs'
import { readSettings } from './settings.mjs'
import { openWorld } from './world.mjs'

const settings = readSettings()
const clients = new URL('clients.mjs', import.meta.url).pathname
const saturating = 64
/** Connections when requests come on their own account: more than are served in the time that one may wait. */
const crowd = 2000

const world = await openWorld(settings)
process.once('SIGINT', () => world.close().then(() => process.exit(130)))
try {
  const measured = await run()
  const bars = barsOf(measured, settings)
  const isJudged = bar => settings.isTimed || !bar.isTimed
  const missed = bars.filter(bar => isJudged(bar) && !bar.isHeld)
  console.log(`\n${phasesTable(measured.phases)}\n\n${barsTable(bars, isJudged)}\n`)
  for (const { firstError } of each(measured.phases)) if (firstError) console.log(`an error was:\n${firstError}\n`)
  console.log(`the slowest answer at 4 x the peak was to: ${measured.phases.fourfold.slowest}\n`)
  if (missed.length > 0) console.log(`log of the server:\n${world.log().slice(-4000)}`)
  console.log(closing(measured, bars.filter(isJudged).length, missed.length))
  process.exitCode = missed.length > 0 ? 1 : 0
} finally {
  await world.close()
}

async function run() {
  const { warmup, pause, soak, held, overload, rounds, recovery, last: end } = settings
  const { pid, stop } = world.server
  const phases = {}
  const used = {}
  /** Memory is measured when nothing happens: garbage that is not yet collected is the same each time. */
  const quiet = async () => {
    await sleep(pause * 1000)
    return memory(pid, 'VmRSS')
  }
  const saturated = seconds => load({ seconds, connections: saturating })
  const open = (seconds, rate, ends) => load({ seconds, connections: crowd, rate }, ends)
  phases.warmup = await saturated(warmup)
  used.warm = await quiet()
  phases.soak = await saturated(soak)
  used.soaked = await quiet()
  const peak = phases.soak.goodput
  phases.held = await open(held, 0.7 * peak)
  // The machine's speed changes within seconds: overload is compared with the saturation right before and after it.
  phases.beside = [await saturated(overload / rounds)]
  phases.twice = []
  for (let k = 0; k < rounds; k += 1) {
    phases.twice.push(await open(overload / rounds, 2 * phases.beside[k].goodput))
    phases.beside.push(await saturated(overload / rounds))
  }
  phases.fourfold = await open(overload, 4 * phases.beside[rounds].goodput)
  phases.recovery = await open(recovery, 0.7 * peak)
  const last = open(end, 0.7 * peak, { isStopped: true })
  await sleep((end * 1000) / 2)
  const told = performance.now()
  await stop()
  const stopped = (performance.now() - told) / 1000
  phases.stop = await last
  return { phases, memory: used, stopped }
}

/** A phase: clients in a process of their own, and their cost for the server. */
async function load(job, { isStopped = false } = {}) {
  const { port, pid } = world.server
  const [file, ...args] = pinned(1, [process.execPath, clients])
  const child = spawn(file, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const before = isStopped ? 0 : cpuSeconds(pid)
  const stolen = stolenSeconds(0)
  const sizes = []
  const sampling = isStopped ? undefined : setInterval(() => sizes.push(memory(pid, 'VmRSS')), job.seconds * 20)
  let text = ''
  let busy
  child.stdout.on('data', part => {
    text += part
  })
  const isOver = setTimeout(() => {
    clearInterval(sampling)
    if (!isStopped) busy = (cpuSeconds(pid) - before) / job.seconds
  }, job.seconds * 1000)
  child.stdin.end(JSON.stringify({ ...job, port, mix: world.mix }))
  const [code] = await once(child, 'close')
  clearTimeout(isOver)
  clearInterval(sampling)
  if (code) throw new Error(`the clients ended with code ${code}`)
  const result = { ...job, ...JSON.parse(text), serverBusy: busy }
  result.stolen = (stolenSeconds(0) - stolen) / job.seconds
  result.sizes = thirdsOf(sizes)
  const what = job.rate ? `${Math.round(job.rate)} requests/s` : `${job.connections} clients`
  const { goodput, statuses, busy: clientsBusy } = result
  console.error(
    `${what}: ${Math.round(goodput)} good/s, ${JSON.stringify(statuses)}, clients' CPU ${clientsBusy.toFixed(2)}`,
  )
  return result
}

/** Medians of a size over the thirds of a time: a single sample may come before or after a garbage collection. */
function thirdsOf(sizes) {
  const length = Math.floor(sizes.length / 3)
  return [0, 1, 2].map(third => median(sizes.slice(third * length, (third + 1) * length)))
}

function closing({ phases, memory: { warm, soaked } }, judged, missed) {
  const sum = pick => each(phases).reduce((total, phase) => total + pick(phase), 0)
  const { twice, fourfold } = shares(phases)
  return [
    `soak: ${sum(phase => phase.sent)} requests on ${settings.engine}`,
    `${sum(failed)} errors`,
    `${sum(phase => (phase.statuses[503] ?? 0) + (phase.statuses[429] ?? 0))} refused with 503 or 429`,
    `${sum(phase => phase.cut + phase.unanswered) - phases.stop.reset} cut`,
    `memory ${warm.toFixed(0)} MB before and ${soaked.toFixed(0)} MB after`,
    `goodput ${twice.toFixed(2)} of the peak at 2 x, ${fourfold.toFixed(2)} at 4 x`,
    `${judged - missed} of ${judged} bars held`,
  ].join('; ')
}
