import { mkdtempSync, rmSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { targets } from './targets.mjs'

/**
 * Feeds the readers of queries, bodies and headers with variations of earlier inputs. An input that reaches new code is
 * kept, and varied further: V8 itself tells which code was run.  npm run verify -- fuzz --minutes 30 [--target
 * query|content|write|headers|multipart] [--seed 1]
 */
const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string' },
    minutes: { type: 'string', default: '1' },
    target: { type: 'string' },
    seed: { type: 'string', default: String(Date.now() % 1e9) },
  },
})
const time = options.seconds ? Number(options.seconds) * 1000 : Number(options.minutes) * 60_000
/** Coverage is asked for after so many inputs, and after ever more while they reach nothing new: asking takes its time. */
const batch = 64
/** Milliseconds that may pass without asking. */
const rest = 500
/** The server's files, and those of the packages that take input apart for it. */
const guides = /\/dist\/(core|plugins)\/|\/node_modules\/(qs|formidable|co-body)\//
/** Milliseconds of the processor that one input may take, however busy the machine is. */
const longestInput = 3000

const random = generator(Number(options.seed))
const session = new Session()
session.connect()
await session.post('Profiler.enable')

let failures = 0

async function fuzz(name, { seeds, run, close, tokens }, span) {
  const seen = new Map()
  const corpus = seeds.map(seed => Buffer.from(seed))
  let inputs = 0
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  for (const seed of corpus) await tell(name, run, seed)
  await news(seen)
  // A machine that takes long for these few makes new ones all the same.
  const end = performance.now() + span
  let size = batch
  while (performance.now() < end && failures === 0) {
    const some = Array.from({ length: size }, () => mutate(corpus, tokens))
    const begun = performance.now()
    for (const input of some) await tell(name, run, input)
    inputs += some.length
    const isQuick = performance.now() - begun < rest
    const before = copyOf(seen)
    if (await news(seen)) {
      corpus.push(...(await finders(name, run, some, before)))
      size = batch
    } else if (isQuick) size *= 2
  }
  await session.post('Profiler.stopPreciseCoverage')
  await close?.()
  const reached = [...seen.values()].reduce((all, ran) => all + ran.reduce((sum, one) => sum + one, 0), 0)
  console.log(
    `security: fuzzer, ${name}: ${inputs} inputs, ${corpus.length} kept, ${reached} characters of code reached, ${failures} failures (seed ${options.seed})`,
  )
}

/** Finds the inputs that reach something new, by running them again in ever smaller parts. */
async function finders(name, run, inputs, seen) {
  for (const input of inputs) await tell(name, run, input)
  if (!(await news(inputs.length > 1 ? copyOf(seen) : seen))) return []
  if (inputs.length === 1) return inputs
  const half = inputs.length >> 1
  const left = await finders(name, run, inputs.slice(0, half), seen)
  return [...left, ...(await finders(name, run, inputs.slice(half), seen))]
}

/** Runs one input; a forbidden result ends everything, with the input as it can be tried again. */
async function tell(name, run, input) {
  const begun = process.cpuUsage()
  try {
    await run(input)
    const { user, system } = process.cpuUsage(begun)
    const took = (user + system) / 1000
    if (took > longestInput) throw new Error(`it took ${Math.round(took)} ms of the processor`)
  } catch (error) {
    failures += 1
    console.error(`${name} failed on ${JSON.stringify(input.toString('base64'))} (base64)`)
    console.error(JSON.stringify(input.toString('latin1')).slice(0, 2000))
    console.error(error)
  }
}

/** Tells whether code ran that had not been seen, and notes it: by file, a 1 for each character. */
async function news(seen) {
  const { result } = await session.post('Profiler.takePreciseCoverage')
  let isNew = false
  for (const { url, functions } of result) {
    if (!guides.test(url)) continue
    const ran = ranOf(functions)
    const known = knownOf(seen, url, ran.length)
    for (let at = 0; at < ran.length; at += 1) {
      if (ran[at] === 0 || known[at] === 1) continue
      known[at] = 1
      isNew = true
    }
  }
  return isNew
}

/** The coverage known of a file; a longer text extends it. */
function knownOf(seen, url, length) {
  const known = seen.get(url) ?? new Uint8Array(0)
  if (known.length >= length) return known
  const longer = new Uint8Array(length)
  longer.set(known)
  seen.set(url, longer)
  return longer
}

/** Characters of a file that ran. An inner range overrides the outer one, and is there only if its count differs. */
function ranOf(functions) {
  const ran = new Uint8Array(Math.max(...functions.map(({ ranges: [whole] }) => whole.endOffset)))
  for (const { ranges } of functions)
    for (const { startOffset, endOffset, count } of ranges) ran.fill(count > 0 ? 1 : 0, startOffset, endOffset)
  return ran
}

const copyOf = seen => new Map([...seen].map(([url, ran]) => [url, ran.slice()]))

function mutate(corpus, tokens) {
  let input = pick(corpus)
  for (let steps = 1 + random(4); steps > 0; steps -= 1) input = pick(mutations)(input, corpus, tokens)
  return input.subarray(0, 20_000)
}

const pieces = (input, at, length, ...between) =>
  Buffer.concat([input.subarray(0, at), ...between, input.subarray(at + length)])
const place = input => random(input.length + 1)
const mutations = [
  (input, _, tokens) => pieces(input, place(input), 0, Buffer.from(pick(tokens))),
  (input, _, tokens) => pieces(input, place(input), random(8), Buffer.from(pick(tokens))),
  input => pieces(input, place(input), 0, Buffer.from(Array.from({ length: 1 + random(4) }, () => random(256)))),
  input => pieces(input, place(input), 1 + random(10)),
  input => pieces(input, place(input), 1, Buffer.from([random(256)])),
  (input, corpus) => pieces(input, place(input), random(20), pick(corpus).subarray(0, 200)),
  (input, corpus) => {
    const other = pick(corpus)
    return Buffer.concat([input.subarray(0, place(input)), other.subarray(place(other))])
  },
  input => {
    const at = place(input)
    const part = input.subarray(at, at + 1 + random(30))
    return pieces(input, at, 0, ...Array.from({ length: 1 + random(20) }, () => part))
  },
]

function pick(list) {
  return list[random(list.length)]
}

/** Numbers below a bound that are the same for the same seed (mulberry32). */
function generator(seed) {
  let state = seed >>> 0
  return below => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

const folder = mkdtempSync(join(tmpdir(), 'stele-fuzz-'))
const chosen = Object.entries(targets).filter(([name]) => options.target === undefined || options.target === name)
for (const [name, target] of chosen) await fuzz(name, await target({ folder }), time / chosen.length)
rmSync(folder, { recursive: true, force: true })
process.exit(failures > 0 ? 1 : 0)
