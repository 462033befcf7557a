import {
  type Caller,
  ForbiddenError,
  type RequestError,
  type RouteCall,
  ValidationError,
} from '../../../../../core/index.js'
import type { OperationContext, Resolver, RootAround } from '../../../../graphql/index.js'
import { checkNeeds, identify } from '../../../http/callers.js'
import { codeContext, setCall } from '../../../http/context.js'
import { CodeError, describeThrown, type ErrorObject } from '../../../http/errors.js'
import { type Guard, guardsOf } from '../../../http/policies.js'
import { limited } from '../../../time-limit.js'
import type { Bag, Fn, Loose, Runtime } from '../../../types.js'

const roots: readonly string[] = ['Query', 'Mutation']

/** The functions of code around fields: who may ask for them, policies, middlewares. */
export class Guarded {
  readonly #runtime: Runtime
  readonly #config: Bag
  readonly #contexts = new WeakMap<RouteCall, Promise<Bag>>()

  /** `config`: by `Query.articles`, `{ auth, policies, middlewares }`. */
  constructor(runtime: Runtime, config: Bag) {
    this.#runtime = runtime
    this.#config = config
  }

  /** A function of code as it answers its field. */
  resolver(type: string, name: string, resolve: Fn): Resolver {
    const path = `${type}.${name}`
    const needsCaller = roots.includes(type)
    const inner = this.#around(path, resolve)
    return (parent, args, context, info) =>
      this.#run(path, context, async asked => {
        if (needsCaller || isSaid(this.#config[path]?.auth)) check(this.#config[path]?.auth, context.call.caller)
        const value = await inner(parent, args, asked, info)
        return isList(value) ? this.#counted(value) : value
      })
  }

  /** The work around roots that the content answers. */
  rootsWithout(resolvers: Readonly<Record<string, Bag>>): Record<string, RootAround> {
    const made: Record<string, RootAround> = {}
    for (const [path, config] of Object.entries(this.#config)) {
      const [type = '', name = ''] = path.split('.')
      if (resolvers[type]?.[name] || !roots.includes(type)) continue
      const permits = isSaid(config?.auth)
      const run: RootAround['run'] = (next, args, context) =>
        this.#run(path, context, asked => {
          if (permits) check(config.auth, context.call.caller)
          return this.#around(path, (_: Loose, given: Loose) => next(given))(undefined, args, asked, {
            fieldName: name,
          })
        })
      made[path] = { permits, run }
    }
    return made
  }

  /** Middlewares, then policies, then the function. */
  #around(path: string, resolve: Fn): Fn {
    const { middlewares = [], policies = [] } = Object(this.#config[path]) as Bag
    const arounds = [middlewares].flat().map(one => this.#middleware(one))
    let guards: readonly Guard[] | undefined
    const guarded: Fn = async (parent, args, context, info) => {
      guards ??= guardsOf(policies, {}, this.#runtime)
      const about = { parent, args, context, info, state: context.state, http: context.koaContext }
      for (const guard of guards) await guard(about, 'graphql')
      return resolve(parent, args, context, info)
    }
    return arounds.reduceRight<Fn>(
      (next, around) =>
        (...given) =>
          around(next, ...given),
      guarded,
    )
  }

  /** `(next, parent, args, context, info)`, or the name of a middleware that makes such a function of its settings. */
  #middleware(given: Loose): Fn {
    if (typeof given === 'function') return given
    const { name, options = {} } = typeof given === 'string' ? { name: given } : (Object(given) as Bag)
    let made: Fn | undefined
    return (...all) => {
      const { http, strapi } = this.#runtime
      made ??= http.middlewareNamed(name)?.(options, { strapi })
      if (typeof made !== 'function') throw new Error(`Middleware ${name} not found.`)
      return made(...all)
    }
  }

  /** Runs code for a request: what it throws is told as where it answers routes. */
  async #run(path: string, { call }: OperationContext, work: (context: Bag) => Promise<unknown>): Promise<unknown> {
    const { within, http, settings, log } = this.#runtime
    const context = await this.#contextOf(call)
    const run = () => within(() => http.current.run(context.koaContext, () => work(context)))
    const limit = { milliseconds: settings.timeLimit ?? 0, log }
    try {
      return await limited(limit, { whose: `the resolver ${path}`, isAnswering: () => false, run })
    } catch (error) {
      throw toThrow(error)
    }
  }

  /** One for each request: `state` and `koaContext`. */
  #contextOf(call: RouteCall): Promise<Bag> {
    const known = this.#contexts.get(call)
    if (known) return known
    const made = this.#makeContext(call)
    this.#contexts.set(call, made)
    return made
  }

  async #makeContext(call: RouteCall): Promise<Bag> {
    const ctx = codeContext(call.ctx)
    setCall(ctx, call)
    ctx.state.route ??= { method: call.ctx.method, path: call.ctx.path, config: {}, info: { type: 'content-api' } }
    await identify(ctx.state, call.caller, this.#runtime.strapi)
    return { state: ctx.state, koaContext: ctx }
  }

  /** A list of entries with its page, as far as its arguments tell. */
  async #counted({ nodes, info }: Bag): Promise<Bag> {
    const { args, resourceUID } = Object(info) as Bag
    if (!args || !resourceUID) return { nodes }
    const total: number = await this.#runtime.strapi.entityService.count(resourceUID, args)
    const { start = 0, limit = total } = args as { start?: number; limit?: number }
    const isAll = limit <= 0
    return {
      nodes,
      pagination: {
        total,
        page: isAll ? 1 : Math.floor(start / limit) + 1,
        pageSize: isAll ? total - start : limit,
        pageCount: isAll ? 1 : Math.ceil(total / limit),
      },
    }
  }
}

const isSaid = (auth: unknown): boolean => auth !== undefined && auth !== null

const isList = (value: unknown): value is Bag => typeof value === 'object' && value !== null && 'nodes' in value

/** `false` lets every caller in; a scope is asked for, and without one an account. */
function check(auth: Loose, caller: Caller): void {
  if (auth === false) return
  const scopes: string[] = [auth?.scope ?? []].flat()
  try {
    checkNeeds({ scopes, anyone: scopes.length === 0 }, caller)
  } catch {
    throw new ForbiddenError('Forbidden access')
  }
}

/** The error of code as one of the server's: GraphQL has codes of its own for two of them. */
export function toThrow(error: unknown): unknown {
  const described = describeThrown(error)
  return described ? fieldError(described, error) : error
}

export function fieldError(described: ErrorObject, cause?: unknown): RequestError {
  const { status, name, message, details } = described
  if (name === 'ForbiddenError') return new ForbiddenError(message, Object(details))
  if (name === 'ValidationError' && status === 400) return new ValidationError(message, Object(details))
  return new CodeError(described, cause)
}
