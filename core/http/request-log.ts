import type { Context } from 'koa'
import { type FastLines, fastLinesOf, type Log } from '../log.js'
import { safePath } from '../observe/safe-path.js'
import { callerName, type Tally } from '../observe/tally.js'
import { type AtEnd, bytesOf, type TellRequest, telling, traceparentOf } from './observing.js'
import type { Route } from './routes.js'

/** What is done with a request where the log has requests: its line, and what the plugins that observe are told. */
export function logging(log: Log, share: number, observe: TellRequest | undefined): AtEnd | undefined {
  const fast = fastLinesOf(log)
  const tell = observe && telling(observe)
  if (share === 0 || !fast) return tell
  const add = linesOf(fast)
  const write: AtEnd = (ctx, tally, aborted) => {
    if (share === 1 || ctx.res.statusCode >= 500 || Math.random() < share) add(ctx, tally, aborted)
  }
  if (!tell) return write
  return (ctx, tally, aborted) => {
    write(ctx, tally, aborted)
    tell(ctx, tally, aborted)
  }
}

/** Requests whose lines are written together. */
const batch = 64

/** Puts lines into words for many requests at once: the code is in the processor's caches then, and takes a quarter. */
function linesOf({ begin, gather }: FastLines): AtEnd {
  let waiting: Noted[] = []
  const { soon, now } = gather(() => {
    const started = Date.now() - performance.now()
    let text = ''
    for (const noted of waiting) text += begin(Math.floor(started + noted.end)) + lineOf(noted)
    waiting = []
    return text
  })
  return (ctx, tally, aborted) => {
    if (waiting.push(notedOf(ctx, tally, aborted)) === batch) now()
    else soon()
  }
}

/** What the line of a request says. Whole numbers take no memory of their own. */
function notedOf(ctx: Context, tally: Tally, aborted: boolean) {
  const { req, res } = ctx
  const { requestId, route } = ctx.state as { readonly requestId: string; readonly route?: Route }
  const now = performance.now()
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
    cached: tally.cached,
    aborted,
  }
}

type Noted = ReturnType<typeof notedOf>

/** From the id of a request on, to the end of its line. */
function lineOf(noted: Noted): string {
  const { requestId, method, place, status, hundredths, traceparent, bytes, caller, statements, cached } = noted
  let fields = `"requestId":"${requestId}${openingOf(method, place, status)}${timeOf(hundredths)}`
  if (traceparent !== undefined) fields += `,"traceId":"${traceparent.slice(3, 35)}"`
  if (bytes !== undefined) fields += `,"bytes":${bytes}`
  fields += `,"caller":${quoted(caller)},"statements":${statements}`
  if (cached !== undefined) fields += cached === 'hit' ? ',"cached":"hit"' : ',"cached":"miss"'
  return noted.aborted ? `${fields},"aborted":true,"msg":"request"}\n` : `${fields},"msg":"request"}\n`
}

const plain = /^[\w .:/*-]*$/
/** Text as JSON; most of it needs no escape. */
const quoted = (text: string): string => (plain.test(text) ? `"${text}"` : JSON.stringify(text))

/** What lines of a route say before the time that a request took, by status: written once each. */
const openings = new Map<Route, string[]>()

function openingOf(method: string, place: Route | string, status: number): string {
  const opening = (where: string) => `","method":"${method}",${where},"status":${status},"ms":`
  if (typeof place === 'string') return opening(`"path":${quoted(safePath(place))}`)
  const where = () => opening(`"route":${quoted(place.pattern as string)}`)
  if (method === 'HEAD') return where()
  const known = openings.get(place) ?? []
  if (known.length === 0) openings.set(place, known)
  known[status] ??= where()
  return known[status]
}

/** Times up to a tenth of a second as lines have them, by their hundredths of a millisecond; a list without gaps. */
const times: string[] = []

function timeOf(hundredths: number): string {
  const known = times[hundredths]
  if (known !== undefined) return known
  while (times.length <= hundredths && hundredths < 10_000) times.push(String(times.length / 100))
  return String(hundredths / 100)
}
