import {
  type AnyPlugin,
  type AskOptions,
  type Caller,
  type CallerContent,
  Finished,
  optional,
  type Route,
  type RouteCall,
} from '../../../../core/index.js'
import { callOf, queryTextOf } from '../../http/context.js'
import { NotCarried } from '../../not-carried.js'
import type { Bag, Fn, Loose, Runtime } from '../../types.js'
import { mustStandAlone } from './in-transaction.js'

/** An action of a controller of Strapi's plugin: here a route of this server's plugin, called with a `ctx` of code. */
export interface Original {
  readonly name: string
  readonly plugin: AnyPlugin
  /** The routes that answer under the action. */
  readonly routes: readonly Route<Loose>[]
  /** The one of them that a request means, by its place. */
  readonly choose?: ((ctx: Loose) => number) | undefined
  readonly paramsOf?: ((ctx: Loose) => Bag) | undefined
  /** The body as the route takes it. */
  readonly bodyOf?: ((ctx: Loose) => unknown) | undefined
  /** Writes of entries that code does in another way. */
  readonly writesOf?: ((call: RouteCall) => Partial<CallerContent> | undefined) | undefined
}

/** The action as code calls it: the response is in `ctx.body`. */
export function originalAction(runtime: Pick<Runtime, 'host' | 'data'>, original: Original): Fn {
  const { name, plugin, routes, choose, paramsOf, bodyOf, writesOf } = original
  return async ctx => {
    const call = callOf(ctx)
    const { run } = routes[choose?.(ctx) ?? 0] as Route<Loose>
    if (!call || typeof run !== 'function')
      throw new NotCarried(`the action ${name}`, 'it is called with the ctx of a request to a route')
    if (!reading.includes(name.split('.').at(-1) ?? '')) mustStandAlone(runtime, `the action ${name}`)
    const text = queryTextOf(ctx)
    const content = askedAs(call, text)
    const answer = await run({
      ...call,
      ctx: Object.create(call.ctx, { querystring: { value: text } }),
      caller: callerOf(ctx, call),
      params: { ...(paramsOf?.(ctx) ?? ctx.params) },
      query: ctx.query,
      body: bodyOf ? await bodyOf(ctx) : ctx.request.body,
      service: runtime.host?.service(optional(plugin)),
      content: { ...content, ...writesOf?.({ ...call, content }) },
    })
    if (answer !== undefined) ctx.body = answer instanceof Finished ? answer.value() : answer
    else if (ctx.body === undefined && ctx.status === 404) ctx.body = null
  }
}

/** Actions that write nothing. */
const reading: readonly string[] = ['me', 'find', 'findOne', 'count', 'getPermissions', 'listLocales']

type ContentCall = 'find' | 'findOne' | 'first' | 'count' | 'create' | 'update' | 'delete'
/** The place of the options among the arguments of each. */
const places: Readonly<Record<ContentCall, number>> = {
  find: 1,
  findOne: 2,
  first: 1,
  count: 1,
  create: 2,
  update: 3,
  delete: 2,
}

/** Reads and writes in the caller's name, with the query as code has left it, and whole: no client has had it before. */
function askedAs({ content }: RouteCall, text: string): CallerContent {
  const asked: Bag = {}
  for (const name of ['idOfSingle', 'once', 'transaction', 'shown'] as const)
    asked[name] = (...given: Loose[]) => (content as Loose)[name](...given)
  for (const [name, place] of Object.entries(places))
    asked[name] = (...given: Loose[]) => {
      const all = [...given]
      const options: AskOptions = { query: text, ...all[place], whole: true }
      all[place] = options
      return (content as Loose)[name](...all)
    }
  return asked as unknown as CallerContent
}

/** Code that has identified an account by itself puts it into `ctx.state.user`. */
function callerOf(ctx: Loose, { caller }: RouteCall): Caller {
  const { user } = ctx.state
  if (user?.id === undefined || user.id === caller.id) return caller
  return Object.create(caller, {
    id: { value: user.id, enumerable: true },
    user: { value: user, enumerable: true },
  }) as Caller
}
