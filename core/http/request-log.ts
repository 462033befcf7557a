import { fastLinesOf, type Log } from '../log.js'
import { safePath } from '../observe/safe-path.js'
import type { RequestSeen } from '../observe/seen.js'
import type { TellRequest } from './observing.js'

/** What is notified of a request where the log has requests: the log, and the plugins that observe. */
export function loggingTeller(log: Log, share: number, observe: TellRequest | undefined): TellRequest | undefined {
  const lines = fastLinesOf(log)
  if (share === 0 || !lines) return observe
  const write = (seen: RequestSeen) => {
    if (share === 1 || seen.status >= 500 || Math.random() < share) lines.info(fieldsOf(seen))
  }
  if (!observe) return write
  return seen => {
    write(seen)
    observe(seen)
  }
}

const plain = /^[\w .:/*-]*$/
/** Text as JSON; most of it needs no escape. */
const quoted = (text: string): string => (plain.test(text) ? `"${text}"` : JSON.stringify(text))

/** Routes as JSON; an app has as many as it has. */
const routes = new Map<string, string>()

function routeField(route: string): string {
  const known = routes.get(route)
  if (known !== undefined) return known
  const field = `"route":${quoted(route)}`
  routes.set(route, field)
  return field
}

/** The line of a request, written by hand: pino would cost as much as a tenth of a cached response. */
function fieldsOf(seen: RequestSeen): string {
  const { requestId, traceparent, method, route, status, ms, bytes, caller, statements, cached, aborted } = seen
  const where = route === undefined ? `"path":${quoted(safePath(seen.path))}` : routeField(route)
  let fields = `"requestId":"${requestId}","method":"${method}",${where},"status":${status},"ms":${Math.trunc(ms * 100) / 100}`
  if (traceparent !== undefined) fields += `,"traceId":"${traceparent.slice(3, 35)}"`
  if (bytes !== undefined) fields += `,"bytes":${bytes}`
  fields += isVisitor(caller) ? ',"caller":"visitor"' : `,"caller":${quoted(callerName(caller))}`
  fields += `,"statements":${statements}`
  if (cached !== undefined) fields += cached === 'hit' ? ',"cached":"hit"' : ',"cached":"miss"'
  return aborted ? `${fields},"aborted":true,"msg":"request"` : `${fields},"msg":"request"`
}

/** A plugin may know what visitors may do; who they are it does not know. */
const isVisitor = (caller: RequestSeen['caller']): boolean =>
  caller !== undefined && caller.actor === undefined && caller.id === undefined

/** Who asked, as the log says it: `user 3`, `token 5`, `visitor`. */
export function callerName(caller: RequestSeen['caller']): string {
  if (!caller) return 'unknown'
  if (isVisitor(caller)) return 'visitor'
  const { actor, id, by } = caller
  return actor ?? (by === undefined ? String(id) : `${by} ${id}`)
}
