import type { Context, Next } from 'koa'
import { type Caller, RateLimitError } from '../../core/index.js'
import { actorOf, isVisitor, senderOf } from '../../core/plugin-kit.js'
import type { Counter, CountResult } from './counter.js'
import type { RouteLimit } from './routes.js'
import type { Limit, Settings } from './settings.js'

/** A limit on a request: its name in headers, and the sender whose requests are counted together. */
interface Policy {
  readonly name: string
  readonly sender: string
  readonly limit: Limit
  /** Completes the sentence of a refusal. */
  readonly of: string
}

/** Refuses the requests of senders beyond their limits, and says in headers how much is left. */
export function limiting(settings: Settings, routes: ReadonlyMap<string, RouteLimit>, counter: Counter) {
  const policiesOf = policies(settings, routes)
  return (ctx: Context, next: Next): Promise<void> => {
    const under = policiesOf(ctx)
    if (under.length === 0) return next()
    const go = (counts: readonly CountResult[]): Promise<void> => {
      tell(ctx, under, counts, counter)
      return next()
    }
    const counts = under.map(({ sender, limit }) => counter.count(sender, limit))
    return counts.some(counted => counted instanceof Promise)
      ? Promise.all(counts).then(go)
      : go(counts as readonly CountResult[])
  }
}

/** The limits of a request: that of its caller, and that of its route. */
function policies({ address, caller: known, callers }: Settings, routes: ReadonlyMap<string, RouteLimit>) {
  const named = new Map(Object.entries(callers))
  return (ctx: Context): readonly Policy[] => {
    const caller = ctx.state.caller as Caller
    const actor = isVisitor(caller) ? undefined : actorOf(caller)
    const own = actor === undefined ? address : (named.get(actor) ?? known)
    const route = routes.size > 0 ? routes.get(`${ctx.state.route.method} ${ctx.state.route.pattern}`) : undefined
    // A caller without a limit by name has none on any route.
    const isFree = actor !== undefined && named.get(actor) === false
    if (isFree || route?.limit === false) return none
    const sender = actor ?? senderOf(ctx.ip)
    const name = actor === undefined ? 'address' : 'caller'
    const general = own ? [{ name, sender, limit: own, of: '' }] : none
    if (!route?.limit) return general
    return [...general, { ...route, limit: route.limit, sender: `${sender} ${route.name}`, of: ` of ${route.name}` }]
  }
}

const none: readonly Policy[] = []

/** Says how much is left, and refuses the request if it is beyond a limit: the client may come again when all let it. */
function tell(ctx: Context, under: readonly Policy[], counts: readonly CountResult[], counter: Counter): void {
  const said = under.map((policy, index) => {
    const { passes, left, ends } = counts[index] as CountResult
    const max = counter.maxOf(policy.limit)
    return { ...policy, max, passes, left, seconds: Math.max(1, Math.ceil(ends / 1000)) }
  })
  ctx.set('RateLimit-Policy', said.map(({ name, max, limit }) => `"${name}";q=${max};w=${limit.interval}`).join(', '))
  ctx.set('RateLimit', said.map(({ name, left, seconds }) => `"${name}";r=${left};t=${seconds}`).join(', '))
  const beyond = said.filter(({ passes }) => !passes)
  const [first] = beyond
  if (!first) return
  const seconds = Math.max(...beyond.map(one => one.seconds))
  throw new RateLimitError(
    seconds,
    `More than ${first.max} requests${first.of} in ${first.limit.interval} seconds; try again later`,
  )
}
