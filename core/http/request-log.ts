import type { Context } from 'koa'
import { callerName, type Tally } from '../content/tally.js'
import { LineBytes } from '../kit/line-bytes.js'
import { safePath } from '../kit/safe-path.js'
import { type FastLines, fastLinesOf, type Log } from '../log.js'
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
const batch = 512

/** Puts lines into words for many requests at once: code and memory are in the processor's caches then, and it takes a third. */
function linesOf({ begin, gather }: FastLines): AtEnd {
  const lines = new LineBytes()
  const notes = Array.from({ length: batch }, () => new Note())
  let noted = 0
  const { soon, now } = gather(() => {
    const started = Date.now() - performance.now()
    for (let index = 0; index < noted; index += 1) {
      const note = notes[index] as Note
      begin(lines, Math.floor(started + note.end))
      addFields(lines, note)
    }
    noted = 0
    return lines.take()
  })
  return (ctx, tally, aborted) => {
    notes[noted]?.take(ctx, tally, aborted)
    noted += 1
    if (noted === 1) soon()
    else if (noted === batch) now()
  }
}

/** What the line of a request says, in memory that is used again. */
class Note {
  requestId = ''
  method = ''
  place: Route | string = ''
  status = 0
  end = 0
  hundredths = 0
  traceparent: string | undefined
  bytes: number | undefined
  caller = ''
  statements = 0
  cached: Tally['cached']
  aborted = false

  take(ctx: Context, tally: Tally, aborted: boolean): void {
    const { req, res } = ctx
    const { requestId, route } = ctx.state as { readonly requestId: string; readonly route?: Route }
    const now = performance.now()
    this.requestId = requestId
    this.method = req.method ?? ''
    this.place = route?.pattern === undefined ? ctx.path : route
    this.status = res.statusCode
    this.end = Math.floor(now)
    this.hundredths = Math.floor((now - tally.begun) * 100)
    this.traceparent = traceparentOf(tally)
    this.bytes = bytesOf(ctx, tally.bytes)
    this.caller = callerName(tally.caller, tally.by)
    this.statements = tally.statements
    this.cached = tally.cached
    this.aborted = aborted
  }
}

/** From the id of a request on, to the end of its line. */
function addFields(lines: LineBytes, note: Note): void {
  const { method, place, status, traceparent, bytes } = note
  lines.add(parts.id)
  lines.text(note.requestId)
  lines.add(openingOf(method, place, status))
  lines.text(timeOf(note.hundredths))
  if (traceparent !== undefined) lines.text(`,"traceId":"${traceparent.slice(3, 35)}"`)
  if (bytes !== undefined) {
    lines.add(parts.bytes)
    lines.text(String(bytes))
  }
  lines.add(endOf(note))
}

const parts = {
  id: Buffer.from('"requestId":"'),
  bytes: Buffer.from(',"bytes":'),
}

type Ending = Pick<Note, 'caller' | 'statements' | 'cached' | 'aborted'>

/** Most lines that follow each other end alike. */
let last: Ending & { readonly bytes?: Uint8Array } = { caller: '', statements: -1, cached: undefined, aborted: false }

function endOf({ caller, statements, cached, aborted }: Ending): Uint8Array {
  const isAlike = statements === last.statements && cached === last.cached && aborted === last.aborted
  if (isAlike && caller === last.caller && last.bytes) return last.bytes
  const cache = cached === undefined ? '' : `,"cached":"${cached}"`
  const end = `${cache}${aborted ? ',"aborted":true' : ''},"msg":"request"}\n`
  const bytes = Buffer.from(`,"caller":${quoted(caller)},"statements":${statements}${end}`)
  last = { caller, statements, cached, aborted, bytes }
  return bytes
}

const plain = /^[\w .:/*-]*$/
/** Text as JSON; most of it needs no escape. */
const quoted = (text: string): string => (plain.test(text) ? `"${text}"` : JSON.stringify(text))

/** What lines of a route say before the time that a request took, by status: written once each. */
const openings = new Map<Route, Uint8Array[]>()

function openingOf(method: string, place: Route | string, status: number): Uint8Array {
  const route = typeof place === 'string' || method === 'HEAD' ? undefined : place
  const known = route && openings.get(route)?.[status]
  if (known !== undefined) return known
  const where =
    typeof place === 'string' ? `"path":${quoted(safePath(place))}` : `"route":${quoted(String(place.pattern))}`
  const opening = Buffer.from(`","method":"${method}",${where},"status":${status},"ms":`)
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
