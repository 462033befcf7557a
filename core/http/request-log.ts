import type { Context } from 'koa'
import { type FastLines, fastLinesOf, type Gathering, type Log } from '../log.js'
import { safePath } from '../observe/safe-path.js'
import { callerName, type Tally } from '../observe/tally.js'
import { type AtEnd, bytesOf, type TellRequest, telling, traceparentOf } from './observing.js'
import type { Route } from './routes.js'

/** What is done with a request where the log has requests: its line, and what the plugins that observe are told. */
export function logging(log: Log, share: number, observe: TellRequest | undefined): AtEnd | undefined {
  const fast = fastLinesOf(log)
  const tell = observe && telling(observe)
  if (share === 0 || !fast) return tell
  const lines = new RequestLines(fast)
  const write: AtEnd = (ctx, tally, aborted) => {
    if (share === 1 || ctx.res.statusCode >= 500 || Math.random() < share) lines.add(ctx, tally, aborted)
  }
  if (!tell) return write
  return (ctx, tally, aborted) => {
    write(ctx, tally, aborted)
    tell(ctx, tally, aborted)
  }
}

/** Requests whose lines are written together. */
const batch = 64

/** What the line of a request says. */
interface Noted {
  readonly requestId: string
  readonly method: string
  /** The route, or the path where there is none. */
  readonly place: Route | string
  readonly status: number
  /** Milliseconds since the process began. */
  readonly end: number
  /** How long it took, in hundredths of a millisecond. */
  readonly hundredths: number
  readonly traceparent: string | undefined
  readonly bytes: number | undefined
  readonly caller: string
  readonly statements: number
  readonly cached: keyof typeof endings
  readonly aborted: boolean
}

/**
 * The lines of requests. What a line says is noted, and put into words for many requests at once: the code that does it is
 * in the processor's caches then, where a line by itself takes four times as long. pino would cost as much as a tenth of a
 * cached response.
 */
class RequestLines {
  readonly #begin: FastLines['begin']
  readonly #gathering: Gathering
  #noted: Noted[] = []

  constructor(fast: FastLines) {
    this.#begin = fast.begin
    this.#gathering = fast.gather(() => this.#take())
  }

  add(ctx: Context, tally: Tally, aborted: boolean): void {
    this.#noted.push(notedOf(ctx, tally, aborted))
    if (this.#noted.length === batch) this.#gathering.now()
    else this.#gathering.soon()
  }

  #take(): string {
    const started = Date.now() - performance.now()
    let text = ''
    for (const noted of this.#noted) text += this.#begin(Math.floor(started + noted.end)) + lineOf(noted)
    this.#noted = []
    return text
  }
}

function notedOf(ctx: Context, tally: Tally, aborted: boolean): Noted {
  const { req, res } = ctx
  const { requestId, route } = ctx.state as { readonly requestId: string; readonly route?: Route }
  const now = performance.now()
  // Whole numbers take no memory of their own.
  return {
    requestId,
    method: req.method ?? '',
    place: route?.pattern === undefined ? ctx.path : route,
    status: res.statusCode,
    end: Math.floor(now),
    hundredths: Math.floor((now - tally.begun) * 100),
    traceparent: traceparentOf(req),
    bytes: bytesOf(ctx, tally.bytes),
    caller: callerName(tally.caller, tally.by),
    statements: tally.statements,
    cached: tally.cached ?? 'none',
    aborted,
  }
}

/** From the id of a request on, to the end of its line. */
function lineOf(noted: Noted): string {
  const { requestId, method, place, status, hundredths, traceparent, bytes, caller, statements, cached, aborted } =
    noted
  const traced = traceparent === undefined ? '' : `,"traceId":"${traceparent.slice(3, 35)}"`
  const sized = bytes === undefined ? '' : `,"bytes":${bytes}`
  const start = `"requestId":"${requestId}${openingOf(method, place, status)}${timeOf(hundredths)}${traced}${sized}`
  const end = aborted ? ',"aborted":true,"msg":"request"}' : ',"msg":"request"}'
  return `${start},"caller":${quoted(caller)}${endingOf(statements, cached)}${end}\n`
}

const plain = /^[\w .:/*-]*$/
/** Text as JSON; most of it needs no escape. */
const quoted = (text: string): string =>
  text === 'visitor' ? '"visitor"' : plain.test(text) ? `"${text}"` : JSON.stringify(text)

/** What lines of a route say before the time that a request took, by method and status: written once each. */
const openings = new Map<Route, Map<string, Map<number, string>>>()

function openingOf(method: string, place: Route | string, status: number): string {
  if (typeof place === 'string') return opening(method, `"path":${quoted(safePath(place))}`, status)
  const byMethod = openings.get(place) ?? new Map<string, Map<number, string>>()
  const byStatus = byMethod.get(method) ?? new Map<number, string>()
  const known = byStatus.get(status)
  if (known !== undefined) return known
  const written = opening(method, `"route":${quoted(place.pattern as string)}`, status)
  openings.set(place, byMethod.set(method, byStatus.set(status, written)))
  return written
}

const opening = (method: string, where: string, status: number): string =>
  `","method":"${method}",${where},"status":${status},"ms":`

/** Times up to a tenth of a second as they stand in lines, by their hundredths of a millisecond: the most usual ones. */
const times: string[] = []

function timeOf(hundredths: number): string {
  const known = times[hundredths]
  if (known !== undefined) return known
  // From the first on without a gap, which keeps it a plain list.
  while (times.length <= hundredths && hundredths < 10_000) times.push(String(times.length / 100))
  return String(hundredths / 100)
}

/** What lines say last, by the number of statements and what the cache said. */
const endings = { hit: [] as string[], miss: [] as string[], none: [] as string[] }

function endingOf(statements: number, cached: keyof typeof endings): string {
  const known = endings[cached][statements]
  if (known !== undefined) return known
  const text = `,"statements":${statements}${cached === 'none' ? '' : `,"cached":"${cached}"`}`
  if (statements < 100) endings[cached][statements] = text
  return text
}
