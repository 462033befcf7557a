import type { IncomingHttpHeaders } from 'node:http'
import type { Context } from 'koa'
import type { ServerConfig } from '../config/types.js'
import type { Caching } from '../content/parts.js'
import type { Tally } from '../content/tally.js'
import type { Dialect } from '../dialect.js'
import type { Session } from '../engines/engine.js'
import type { Log } from '../log.js'
import type { Caller } from '../query/ask.js'
import type { PluginMiddleware } from './below.js'
import type { BodyParser, BodyReaders } from './body.js'
import type { Freshness } from './freshness.js'
import type { EndListener } from './observing.js'
import type { MiddlewarePlace } from './parts.js'
import type { FormattedError } from './responses/errors.js'
import type { Gate } from './responses/headers.js'
import type { Route } from './routes.js'

type ErrorObject = Readonly<Record<string, unknown>>

export interface HttpParts {
  readonly prefix: string
  readonly routes: readonly Route[]
  /** Makes those of requests that use the usual routes, when the first one comes. */
  readonly usualRoutes: () => readonly Route[]
  readonly server: ServerConfig
  readonly dialect: Dialect
  /** `production`, or a name for where the app is developed or tested. */
  readonly environment: string
  readonly log: Log
  readonly callerOf: (ctx: Context) => Caller | Promise<Caller>
  /** The caller of a request without credentials. */
  readonly visitor: () => Caller | Promise<Caller>
  /** Parses the bodies that plugins do not read. */
  readonly parser: BodyParser
  /** Bodies that plugins read, by media type. */
  readonly bodies: BodyReaders
  /** Updates the data that plugins cache from the database, if that is due. */
  readonly refresh: () => Promise<void> | undefined
  /** Middleware of plugins, by the stage before which it runs. */
  readonly middleware: Readonly<Record<MiddlewarePlace, readonly PluginMiddleware[]>>
  /** The error that a client gets for one of the database. */
  readonly explain: (error: unknown) => unknown
  readonly formatError: (route: Route | undefined, error: ErrorObject, wanted?: string) => FormattedError
  /** The format that a request asks for by its headers; absent if no format can be asked for so. */
  readonly chooseFormat?: ((sent: IncomingHttpHeaders) => string | undefined) | undefined
  /** The headers by which any response may vary. */
  readonly varies: readonly string[]
  /** The request headers that plugins read. */
  readonly requestHeaders: readonly string[]
  readonly health: Health
  /** The headers for caches, and a test for callers who have the permissions of requests without credentials. */
  readonly caching?: (Pick<Caching, 'otherwise'> & { readonly isVisitor: (caller: Caller) => boolean }) | undefined
  /** Called with every request; absent if no plugin observes requests. */
  readonly observe?: EndListener | undefined
  /** The same with the log in front: told instead where the level of the log is `info` or below. */
  readonly observeLogged?: EndListener | undefined
  /** Headers that say the cost of a response; absent if no plugin adds any. */
  readonly costHeaders?: ((tally: Tally) => string[]) | undefined
  /** The session of reads, unless `freshness` chooses another one. */
  readonly reader: Session
  /** Chooses the responses that may be slightly stale; absent if none may. */
  readonly freshness?: Freshness | undefined
}

export interface Health {
  readonly gate: Gate
  /** Names the parts that requests need and that are missing; none if the server is ready. */
  ready(): Promise<readonly string[]>
  /** Facts that keep no request from being served and that an operator should know. */
  notes(): Promise<readonly string[]>
}
