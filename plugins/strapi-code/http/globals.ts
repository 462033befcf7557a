import { createRequire } from 'node:module'
import path from 'node:path'
import type { Context } from 'koa'
import { NotFoundError, RequestError } from '../../../core/index.js'
import { needsBroken } from '../check/broken.js'
import { load } from '../project/modules.js'
import { makeSendable, takeBack } from '../sending.js'
import { limited, type TimeLimit } from '../time-limit.js'
import type { Bag, Loose, Project, Strapi } from '../types.js'
import { codeContext, holdsText } from './context.js'
import { CodeError, describeThrown, type ErrorObject, errorBody, toThrow } from './errors.js'
import { exportedPart } from './parts-of-project.js'
import type { Around } from './policies.js'
import { around } from './running.js'

/** An entry of `config/middlewares`. */
interface Entry {
  readonly name: string
  readonly resolve?: string | undefined
  readonly config: Loose
}

/** The middlewares whose work this server does itself, wherever they stand in the list. */
const ours = [
  ...['errors', 'security', 'cors', 'poweredBy', 'query', 'body', 'session', 'favicon', 'public', 'logger'],
  ...['compression', 'ip', 'responseTime', 'responses'],
].map(name => `strapi::${name}`)

const readEntry = (entry: Loose): Entry => {
  const { name, resolve, config } = typeof entry === 'string' ? ({ name: entry } as Bag) : Object(entry)
  return { name: name ?? resolve ?? '', resolve, config: config ?? {} }
}

interface Parts {
  readonly project: Project
  readonly strapi: Strapi
  readonly run: <T>(ctx: Loose, work: () => T) => T
  /** Reads a body that is no form with files. */
  readonly readPlain: (ctx: Loose) => Promise<void>
  readonly limit: TimeLimit
}

/** The global middlewares of a project, in their order. */
export class Globals {
  readonly #parts: Parts
  readonly #entries: readonly Entry[]
  readonly #hasOwn: boolean
  readonly #used: Around[] = []

  constructor(parts: Parts) {
    this.#parts = parts
    const listed = parts.strapi.config.get('middlewares', [])
    this.#entries = (Array.isArray(listed) ? listed : []).map(readEntry)
    this.#hasOwn = this.#entries.some(({ name, resolve }) => resolve !== undefined || !ours.includes(name))
  }

  /** True where the project has any of its own. */
  get isNeeded(): boolean {
    return this.#hasOwn || this.#used.length > 0
  }

  /** `strapi.server.use`: behind those of the list. */
  use(middleware: Around): void {
    this.#used.push(middleware)
  }

  /** Throws where one is not there. */
  check(): void {
    for (const entry of this.#entries) this.#factoryOf(entry)
  }

  /** All of them as one: around everything that the server does from the routes on. */
  middleware(): (ctx: Context, next: () => Promise<unknown>) => Promise<void> {
    const { run, limit } = this.#parts
    let made: readonly Around[] | undefined
    return async (koa, next) => {
      made ??= this.#madeOr501()
      const ctx = codeContext(koa)
      // The tag of a response says nothing of what middlewares make of it.
      delete koa.req.headers['if-none-match']
      const held = new Held(ctx)
      const inner = async () => {
        await held.around(next, false)
        holdsText(ctx)
      }
      const all = made.map(one => (one === errorsHere ? held.errors : one))
      try {
        await limited(limit, {
          whose,
          isAnswering: () => koa.respond === false || koa.res.headersSent,
          run: pause => run(ctx, () => around([...all, ...this.#used], ctx, () => pause(inner))),
        })
      } catch (error) {
        takeBack(koa)
        throw toThrow(error, whose)
      }
      held.release()
      await makeSendable(koa, whose, limit.log)
    }
  }

  /** A request that would have to pass what could not be loaded passes nothing. */
  #madeOr501(): readonly Around[] {
    try {
      return this.#made()
    } catch (cause) {
      throw needsBroken(cause)
    }
  }

  #made(): readonly Around[] {
    const { strapi, readPlain } = this.#parts
    let isFirst = true
    return this.#entries.flatMap((entry): Around[] => {
      if (entry.name === 'strapi::body') return [(ctx, next) => readPlain(ctx).then(next)]
      // The middlewares before it see errors as responses.
      if (entry.name === 'strapi::errors') return isFirst ? [] : [errorsHere]
      const factory = this.#factoryOf(entry)
      if (factory === undefined) return []
      isFirst = false
      const made = factory(entry.config, { strapi })
      return typeof made === 'function' ? [made] : []
    })
  }

  /** The function that makes a middleware; undefined of those that this server does itself. */
  #factoryOf({ name, resolve }: Entry): Loose {
    if (resolve === undefined && ours.includes(name)) return undefined
    const { project } = this.#parts
    const found =
      resolve === undefined ? exportedPart(project, 'middlewares', name) : resolved(project.appDir, resolve, name)
    if (typeof found !== 'function') throw new Error(`Middleware ${name} not found.`)
    return found
  }
}

const whose = 'a middleware of config/middlewares'

const errorsHere: Around = (_, next) => next()

function resolved(appDir: string, request: string, name: string): Loose {
  const require = createRequire(path.join(appDir, 'package.json'))
  let file: string
  try {
    file = require.resolve(
      path.isAbsolute(request) || request.startsWith('.') ? path.resolve(appDir, request) : request,
    )
  } catch {
    throw new Error(`Could not load middleware "${name === request ? request : `${name}" from "${request}`}".`)
  }
  return load(file)
}

/** An error that middlewares see as a response: it is the server's again where they leave it as it is. */
class Held {
  readonly #ctx: Loose
  #error: unknown
  #status = 0
  #body: string | undefined

  constructor(ctx: Loose) {
    this.#ctx = ctx
  }

  /** Runs what follows. Refusals of the server become responses; with `all`, every error does. */
  async around(next: () => Promise<unknown>, all: boolean): Promise<void> {
    try {
      await next()
    } catch (error) {
      const shown = describe(error, all)
      if (!shown) throw error
      const ctx = this.#ctx
      ctx.status = shown.status
      if (shown.error) ctx.body = errorBody(shown.error)
      this.#error = error
      this.#status = shown.status
      this.#body = JSON.stringify(ctx.body)
    }
  }

  /** Stands where `strapi::errors` does. */
  readonly errors: Around = (_, next) => this.around(next, true)

  /** Throws the error that nothing has changed. */
  release(): void {
    const { status, body } = this.#ctx
    if (this.#error === undefined || status !== this.#status || JSON.stringify(body) !== this.#body) return
    throw this.#error instanceof Error ? toThrow(this.#error, '') : this.#error
  }
}

interface Shown {
  readonly status: number
  /** Without one, the response has no body yet. */
  readonly error?: ErrorObject
}

function describe(error: unknown, all: boolean): Shown | undefined {
  if (error instanceof RequestError && !(error instanceof CodeError)) {
    const { status, name, message, details } = error
    if (status === 405 || (error instanceof NotFoundError && message === 'Not Found')) return { status }
    if (all || status === 401 || status === 403) return { status, error: { status, name, message, details } }
  }
  if (!all) return undefined
  const described = describeThrown(error) ?? {
    status: 500,
    name: 'InternalServerError',
    message: 'Internal Server Error',
  }
  return { status: described.status, error: described }
}
