import type { Context } from 'koa'
import { type FastLines, fastLinesOf, type Log } from '../log.js'
import { safePath } from '../observe/safe-path.js'
import { callerName, type Tally } from '../observe/tally.js'
import { type AtEnd, bytesOf, type TellRequest, telling, traceparentOf } from './observing.js'
import type { Route } from './routes.js'

/** What is done with a request where the log has requests: its line, and what the plugins that observe are told. */
export function logging(log: Log, share: number, observe: TellRequest | undefined): AtEnd | undefined {
  const [fast, tell] = [fastLinesOf(log), observe && telling(observe)]
  if (share === 0 || !fast) return tell
  const add = linesOf(fast)
  const addSome: AtEnd = (ctx, tally, aborted) => {
    if (ctx.res.statusCode >= 500 || Math.random() < share) add(ctx, tally, aborted)
  }
  const write = share === 1 ? add : addSome
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
    if (waiting.push(notedOf(ctx, tally, aborted)) === 1) soon()
    else if (waiting.length === batch) now()
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
    traceparent: traceparentOf(tally),
    bytes: bytesOf(ctx, tally.bytes),
    caller: callerName(tally.caller, tally.by),
    statements: tally.statements,
    cached: tally.cached,
    aborted,
  }
}

type Noted = ReturnType<typeof notedOf>

/** From the id of a request on, to the end of its line; one template, as a text that grows costs more to write. */
function lineOf(noted: Noted): string {
  const { requestId, method, place, status, hundredths, traceparent, bytes, caller, statements, cached } = noted
  const trace = traceparent === undefined ? '' : `,"traceId":"${traceparent.slice(3, 35)}"`
  const size = bytes === undefined ? '' : `,"bytes":${bytes}`
  const cache = cached === undefined ? '' : cached === 'hit' ? ',"cached":"hit"' : ',"cached":"miss"'
  const end = noted.aborted ? ',"aborted":true,"msg":"request"}\n' : ',"msg":"request"}\n'
  return `"requestId":"${requestId}${openingOf(method, place, status)}${timeOf(hundredths)}${trace}${size}${callerField(caller)},"statements":${statements}${cache}${end}`
}

/** Most requests that follow each other have the same caller. */
let last = { caller: '', field: '' }

function callerField(caller: string): string {
  if (caller !== last.caller) last = { caller, field: `,"caller":${quoted(caller)}` }
  return last.field
}

const plain = /^[\w .:/*-]*$/
/** Text as JSON; most of it needs no escape. */
const quoted = (text: string): string => (plain.test(text) ? `"${text}"` : JSON.stringify(text))

/** What lines of a route say before the time that a request took, by status: written once each. */
const openings = new Map<Route, string[]>()

function openingOf(method: string, place: Route | string, status: number): string {
  const route = typeof place === 'string' || method === 'HEAD' ? undefined : place
  const known = route && openings.get(route)?.[status]
  if (known !== undefined) return known
  const where =
    typeof place === 'string' ? `"path":${quoted(safePath(place))}` : `"route":${quoted(String(place.pattern))}`
  const opening = `","method":"${method}",${where},"status":${status},"ms":`
  if (route) openings.set(route, Object.assign(openings.get(route) ?? [], { [status]: opening }))
  return opening
}

/** Times up to a tenth of a second as lines have them, by their hundredths of a millisecond; a list without gaps. */
const times: string[] = []

function timeOf(hundredths: number): string {
  const known = times[hundredths]
  if (known !== undefined) return known
  while (times.length <= hundredths && hundredths < 10_000) times.push(String(times.length / 100))
  return String(hundredths / 100)
}
