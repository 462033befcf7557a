// Clients of one phase, in a process of their own: reads a job as JSON from standard input, answers with one JSON line.
// With `rate` requests leave when they are due, whatever became of those before, as the clients of a public server do;
// without, each of the `connections` asks again when it has its answer.
import { text } from 'node:stream/consumers'
import { median } from '../bench/measure.mjs'
import { mixOf } from './mix.mjs'
import { Wire } from './wire.mjs'

const { port, seconds, connections, rate, mix: parts } = JSON.parse(await text(process.stdin))
/** A phase that is over waits this long for answers that are still out. */
const maxWait = 10_000
/** Servers close connections idle for 5 s: one of nearly that age is not used again. */
const trusted = 4000
const mix = mixOf({ port, ...parts })
const result = {
  statuses: {},
  refusedWithoutRetryAfter: 0,
  /** Requests on whose connection no answer, or only a part of one, came. */
  cut: 0,
  /** Cut requests that were the first on their connection: it may have been reset before the server was given it. */
  reset: 0,
  /** Requests that found no server. */
  unreached: 0,
  /** Requests without a response when the wait ended. */
  unanswered: 0,
  /** Milliseconds that the clients themselves were late at worst: a machine that is busy otherwise shows in answers too. */
  late: 0,
  firstError: undefined,
  /** The first line of the request that was answered last after it was due. */
  slowest: undefined,
}
/** Milliseconds for the same piece of work again and again: the machine's speed changes while it is measured. */
const paces = []
let longest = 0
/** Responses: their time, their delay behind the schedule, and their status. */
const done = []
const idle = []
const unsent = []
let open = 0
let out = 0
let sent = 0

const began = performance.now()
const stopAt = began + seconds * 1000
let isOver = false
let finish
const finished = new Promise(resolve => {
  finish = resolve
})

function connect() {
  open += 1
  let isOpened = false
  new Wire(port, {
    opened(wire) {
      isOpened = true
      isFree(wire)
    },
    closed(wire, waiting) {
      open -= 1
      const at = idle.findIndex(one => one.wire === wire)
      if (at >= 0) idle.splice(at, 1)
      if (waiting) {
        out -= 1
        result.cut += 1
        if (!wire.isUsed) result.reset += 1
      } else if (!isOpened && unsent.length > 0) {
        unsent.shift()
        out -= 1
        result.unreached += 1
      }
      settle()
    },
  })
}

function isFree(wire) {
  if (rate === undefined && !isOver) return ask(wire, performance.now())
  const due = unsent.shift()
  if (due === undefined) idle.push({ wire, since: performance.now() })
  else send(wire, due)
}

function ask(wire, due) {
  out += 1
  send(wire, due)
}

function send(wire, due) {
  const bytes = mix.next()
  sent += 1
  wire.ask(bytes, {
    answered(wire, answer) {
      out -= 1
      note(due, answer, bytes)
      if (answer.status === 200) mix.learn(bytes, answer.body)
      else mix.refused(bytes)
      if (answer.isLast) wire.end()
      else if (rate === undefined && answer.status === 503) setTimeout(isFree, told(answer.head) * 1000, wire)
      else isFree(wire)
      settle()
    },
  })
}

/** Seconds after which whoever was refused is to come again; requests that come on their own account know nothing of it. */
const told = head => Number(/\r\nretry-after: (\d+)/i.exec(head)?.[1] ?? 0)

function note(due, { status, head, body }, asked) {
  const now = performance.now()
  result.statuses[status] = (result.statuses[status] ?? 0) + 1
  done.push({ at: now - began, took: now - due, status })
  if ((status === 429 || status === 503) && !/\r\nretry-after: \d/i.test(head)) result.refusedWithoutRetryAfter += 1
  const took = now - due
  const isFine = status === 200 || status === 429 || status === 503
  if (isFine && took <= longest) return
  const [question] = String(asked).split('\r\n')
  if (took > longest) {
    longest = took
    result.slowest = question
  }
  if (!isFine) result.firstError ??= `${question}\n\n${head}\n\n${body.subarray(0, 500)}`
}

function settle() {
  if (isOver && out === 0) finish()
}

/** A request that is due takes the connection that was used last: the others may be given up by the server. */
function arrive(due) {
  out += 1
  const last = idle.pop()
  if (last && performance.now() - last.since < trusted) return send(last.wire, due)
  last?.wire.end()
  unsent.push(due)
  if (open < connections) connect()
}

let value = 1
function pace() {
  const from = performance.now()
  for (let k = 0; k < 200_000; k += 1) value = (value * 31 + k) | 0
  return performance.now() - from
}

const cpu = process.cpuUsage()
setInterval(() => paces.push(pace()), 100).unref()
if (rate === undefined) for (let k = 0; k < connections; k += 1) connect()
else {
  let count = 0
  const clock = setInterval(() => {
    const now = Math.min(performance.now(), stopAt)
    result.late = Math.max(result.late, now - began - (count / rate) * 1000)
    for (; began + (count / rate) * 1000 < now; count += 1) arrive(began + (count / rate) * 1000)
    if (now === stopAt) clearInterval(clock)
  }, 2)
}
setTimeout(() => {
  isOver = true
  settle()
}, seconds * 1000)
setTimeout(finish, seconds * 1000 + maxWait).unref()
await finished
const used = process.cpuUsage(cpu)
result.unanswered = out
const elapsed = Math.min(performance.now() - began, seconds * 1000)
const percentile = (list, p) => list[Math.min(list.length - 1, Math.floor(list.length * p))]
const summary = list => {
  const sorted = list.map(({ took }) => took).sort((a, b) => a - b)
  return { count: sorted.length, p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99), worst: sorted.at(-1) }
}
const good = done.filter(({ status }) => status === 200)
const within = (from, to) => good.filter(({ at }) => at >= from * 1000 && at < to * 1000)
const third = k => within((seconds * k) / 3, (seconds * (k + 1)) / 3)
console.log(
  JSON.stringify({
    ...result,
    sent,
    seconds: elapsed / 1000,
    goodput: good.filter(({ at }) => at <= seconds * 1000).length / seconds,
    good: summary(good),
    refused: summary(done.filter(({ status }) => status !== 200)),
    all: summary(done),
    thirds: [0, 1, 2].map(k => summary(third(k))),
    /** p99 of the requests that were answered well in each second. */
    bySecond: Array.from({ length: Math.ceil(seconds) }, (_, k) => summary(within(k, k + 1)).p99 ?? null),
    pace: median(paces),
    busy: (used.user + used.system) / 1e6 / (elapsed / 1000),
  }),
)
process.exit()
