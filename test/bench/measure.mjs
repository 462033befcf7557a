import { cpuSeconds, runLoad } from './processes.mjs'

/** Numbers that are never given out twice in a run. */
export function freshNumbers() {
  let next = 1
  return {
    take(count) {
      next += count
      return next - count
    },
  }
}

/** A round: load on one server, and its cost. `databasePid` is a database server that works for it. */
export async function round(server, requests, options) {
  const { seconds, connections, numbers, maxRequests = 100_000, databasePid, cpus } = options
  const before = cpuSeconds(server.pid)
  const databaseBefore = databasePid && cpuSeconds(databasePid)
  const firstNumber = numbers.take(maxRequests)
  const job = { port: server.port, requests, seconds, connections, maxRequests, firstNumber, ...(cpus && { cpus }) }
  const load = await runLoad(job)
  const cpu = cpuSeconds(server.pid) - before
  return {
    perSecond: load.requests / load.seconds,
    p50: load.p50,
    p99: load.p99,
    kilobytes: load.bytes / load.requests / 1024,
    cpu: (cpu / load.requests) * 1000,
    databaseCpu: databasePid && ((cpuSeconds(databasePid) - databaseBefore) / load.requests) * 1000,
    busy: cpu / load.seconds,
    loadBusy: load.busy,
    errors: load.errors,
    firstError: load.firstError,
  }
}

/** Runs a list of rounds for each server. They alternate (A B C, B C A, ...): a slow moment of the machine hits all. */
export async function alternate(subjects, { rounds, warmup, ...options }) {
  const results = subjects.map(() => [])
  for (const { server, requests } of subjects) await round(server, requests, { ...options, seconds: warmup })
  for (let r = 0; r < rounds; r++) {
    for (let k = 0; k < subjects.length; k++) {
      const at = (k + r) % subjects.length
      results[at].push(await round(subjects[at].server, subjects[at].requests, options))
    }
  }
  return results
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/** The medians of a server's rounds, with its ratios to the base's rounds of the same turn. */
export function summary(own, base) {
  const of = key => median(own.map(one => one[key]))
  const whole = ({ cpu, databaseCpu = 0 }) => cpu + databaseCpu
  const keys = ['perSecond', 'p50', 'p99', 'kilobytes', 'cpu', 'busy', 'loadBusy']
  return {
    ...Object.fromEntries(keys.map(key => [key, of(key)])),
    databaseCpu: own[0].databaseCpu === undefined ? undefined : of('databaseCpu'),
    ratio: median(own.map((one, k) => one.perSecond / base[k].perSecond)),
    cpuRatio: median(own.map((one, k) => base[k].cpu / one.cpu)),
    wholeRatio: median(own.map((one, k) => whole(base[k]) / whole(one))),
    errors: own.reduce((sum, one) => sum + one.errors, 0),
    firstError: own.find(one => one.firstError)?.firstError,
  }
}
