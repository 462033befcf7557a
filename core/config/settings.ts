import { type DialectName, dialects } from '../dialect.js'
import { type Address, addresses, readAddress, readTls, type Tls, tlsWord } from './address.js'
import { type EngineName, engineOf, engines, isFile, kindOf, usualEngine } from './engines.js'
import {
  bytes,
  count,
  flag,
  form,
  integer,
  milliseconds,
  objectOf,
  oneOf,
  port,
  seconds,
  secretText,
  share,
  text,
  texts,
} from './forms.js'
import { optional, schemaOfRows, setting, type ValuesOf } from './setting.js'

// One row a setting: a sentence, the form of its value, its default, and the environment variable that sets it. The
// schema that checks it, its type and its line on the page (README.md) follow from the row.

const KiB = 1024
const MiB = 1024 * KiB

const header = form<string | false>({
  type: ['string', 'boolean'],
  not: { const: true },
  pattern: '^[\\x20-\\x7e]+$',
  description: 'the text of the header, or false to leave it out',
})

/** The request headers that the API itself reads, and those that every request may have. */
export const apiHeaders: readonly string[] = [
  ...['Content-Type', 'Authorization', 'Origin', 'Accept', 'Cache-Control', 'If-None-Match', 'If-Match'],
  ...['Idempotency-Key', 'Prefer', 'X-Request-Id', 'traceparent', 'tracestate'],
]

/** `config/server` */
export const server = {
  /** The address to listen on. In development only this machine can reach the server. */
  host: setting(
    text,
    {
      shown: '`127.0.0.1`; `0.0.0.0` in production',
      // A server under development may be open to every client that can reach it: by default only this machine can.
      of: ({ environment }) => (environment === 'production' ? '0.0.0.0' : '127.0.0.1'),
    },
    'HOST',
  ),
  /** The port to listen on; 0 picks a free port. */
  port: setting(port, 1337, 'PORT'),
  /** The address by which clients know the server, if it differs from `host` and `port`; an empty one is none. */
  url: optional(form<string | undefined>(text.schema, (said: string) => said || undefined)),
  /**
   * The senders whose `X-Forwarded-*` headers are trusted: none, all, or the listed addresses. With a list, the client is the
   * last address that is not in it.
   */
  proxy: setting(
    form<boolean | readonly string[]>({
      type: ['boolean', 'array'],
      items: text.schema,
      description: 'true, false or a list of addresses',
    }),
    false,
  ),
  /**
   * In production the server refuses to start with a secret that is short, repetitive or found in examples; with `true`
   * it starts with a warning, for a project whose secret cannot be changed yet.
   */
  allowWeakSecrets: setting(flag, false, 'STELE_ALLOW_WEAK_SECRETS'),
  /**
   * Responses with entries are compressed for clients that accept `br` or `gzip`, from 1 kB on. Leave it off where a proxy
   * or a CDN does that.
   */
  compression: setting(flag, false, 'STELE_COMPRESSION'),
  /** The time that requests in flight have to finish when the server stops. */
  shutdownDeadline: setting(milliseconds, 10_000),
  /**
   * The maximum time for receiving a request with its body (large files arrive slowly), and for a client to read its response; 0
   * means no limit.
   */
  requestTimeout: setting(milliseconds, 300_000),
  /** The maximum time for receiving the headers of a request, never more than `requestTimeout`. */
  headersTimeout: setting(milliseconds, 10_000),
  /** The time for which an idle connection stays open. */
  keepAliveTimeout: setting(milliseconds, 5_000),
  /** The maximum size of each kind of body; larger ones get 413. */
  body: {
    /** The maximum size of a JSON body; larger bodies, of any kind, get 413. */
    json: setting(bytes, MiB),
    /** The maximum size of a form. */
    form: setting(bytes, 56 * KiB),
    /** The maximum size of a plain text. */
    text: setting(bytes, 56 * KiB),
    /** The maximum size of all parts together, for plugins that accept files. */
    multipart: setting(bytes, 200 * MiB),
  },
  /** The permissions of pages of other origins. */
  cors: {
    /** Pages of other origins may read responses. */
    enabled: setting(flag, true),
    /** The origins whose pages may read responses. */
    origin: setting(
      form<'*' | readonly string[]>(
        { type: ['string', 'array'], items: text.schema, description: '"*", an origin or a list of origins' },
        (said: string | readonly string[]) => {
          const listed = [said].flat()
          return listed.includes('*') ? '*' : listed
        },
      ),
      '*',
    ),
    /** Headers that requests from other origins may have; a list replaces the default list. */
    headers: optional(
      texts,
      undefined,
      `${apiHeaders.map(name => `\`${name}\``).join(', ')}, and the headers that enabled plugins read`,
    ),
    /** Methods that requests from other origins may use; a list replaces the default list. */
    methods: setting(texts, ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'QUERY']),
    /** Response headers that other origins may read. */
    expose: setting(texts, [
      ...['ETag', 'X-Request-Id', 'Retry-After', 'Idempotency-Replayed', 'Content-Location'],
      ...['RateLimit', 'RateLimit-Policy', 'Server-Timing'],
    ]),
    /** The time for which a browser caches a preflight response. */
    maxAge: setting(seconds, 86_400),
    /** Cross-origin requests may include cookies; requires a list of origins. */
    credentials: setting(flag, false),
  },
  /** Security headers of every response. */
  headers: {
    /** `Content-Security-Policy` of every response, but for stored files, which have their own policy. */
    contentSecurityPolicy: setting(header, "default-src 'none'; frame-ancestors 'none'; sandbox"),
    /** `Referrer-Policy` of every response. */
    referrerPolicy: setting(header, 'no-referrer'),
    /** `Strict-Transport-Security` of every response. */
    strictTransportSecurity: setting(header, 'max-age=31536000; includeSubDomains'),
  },
  /** The limits of the queue beyond which requests are rejected. */
  overload: {
    /**
     * Maximum queueing delay. Once the expected delay has exceeded it for a second, or as soon as it would be twice as
     * long, new requests get 503 with `Retry-After` immediately. A queued request gets the same response once it has
     * waited two and a quarter times as long. While more than half as many requests are rejected as are served, the limit
     * drops to one eighth. `0` rejects no requests. Each worker measures its own queue.
     */
    maxDelay: setting(milliseconds, 200),
    /**
     * The maximum queueing delay of a request when many arrive at once; 0 treats a burst as overload. See [More requests than can
     * be served](../../test/soak/README.md#more-requests-than-can-be-served).
     */
    maxBurstDelay: setting(milliseconds, 10_000),
  },
  /** The records of creates that let clients retry them. */
  idempotency: {
    /** The time for which an `Idempotency-Key` is stored; with `0` the header is ignored. */
    maxAge: setting(seconds, 86_400),
    /**
     * Maximum length of a response that is stored to be sent again on a retry; for a longer one the entry is read from
     * the database again.
     */
    answer: setting(integer(0, 'a number of characters'), 64 * KiB),
  },
}

const tls = form<Tls>(
  { type: ['boolean', 'string', 'object', 'null'], description: 'true, false, no-verify or an object of TLS options' },
  readTls,
)

/** `config/database: replicas`, one of them: as much as differs from the database itself. */
export const replica = {
  host: optional(text),
  port: optional(port),
  database: optional(text),
  user: optional(text),
  password: optional(text),
  ssl: optional(tls),
  /** Another name of `database`. */
  name: optional(text),
  /** Another name of `user`. */
  username: optional(text),
}

/** `config/database` */
export const database = {
  /** The engine; the names of drivers are also accepted. */
  client: setting<EngineName>(
    {
      schema: oneOf([...engines.keys()]).schema,
      read: (said: string) => engineOf(said) as EngineName,
      fromText: engineOf,
      accepts: 'sqlite, mysql or postgres',
    },
    usualEngine,
    'DATABASE_CLIENT',
  ),
  /**
   * All connection settings in one value: `mysql://user:password@host:port/name`, the same with `postgres:`, or
   * `sqlite:path`.
   */
  url: optional<Address>(
    { schema: text.schema, fromText: readAddress, accepts: addresses, isSecret: true },
    'DATABASE_URL',
  ),
  /**
   * SQLite: the file, relative to the app, or `:memory:`; a new file has mode 0600. Where nothing names it and one of the
   * two usual files exists, that one is used.
   */
  filename: setting(
    text,
    {
      shown: '`.tmp/data.db`; `data/data.db` in production',
      of: ({ filename = '.tmp/data.db' }) => filename,
    },
    'DATABASE_FILENAME',
  ),
  /**
   * The address of the database server; on MySQL it may be a list, `['db1', 'db2:3307']` or `DATABASE_HOST=db1,db2:3307`:
   * see [A cluster](../engines/README.md#a-cluster-of-database-servers).
   */
  host: setting<string | readonly string[]>(
    {
      schema: { type: ['string', 'array'], minItems: 1, items: text.schema, description: 'a host or a list of hosts' },
      fromText: said => said,
    },
    '127.0.0.1',
    'DATABASE_HOST',
  ),
  /** The port of the database server. */
  port: setting(
    port,
    {
      shown: '`3306` on MySQL, `5432` on PostgreSQL',
      // A file has no port, and is not asked for one.
      of: ({ client = usualEngine }) => kindOf(client).port ?? 0,
    },
    'DATABASE_PORT',
  ),
  /** The name of the database on the server. */
  database: optional(text, 'DATABASE_NAME'),
  /** The account that the server uses there. */
  user: optional(text, 'DATABASE_USERNAME'),
  /** The password of this account. */
  password: optional(secretText, 'DATABASE_PASSWORD'),
  /**
   * Encryption of the connection: off, on with a verified certificate, on without verifying it, or the driver's options: see
   * [TLS](#tls-to-the-database).
   */
  ssl: setting({ ...tls, fromText: tlsWord, accepts: 'true, false or no-verify' }, false, 'DATABASE_SSL'),
  /** PostgreSQL: the schema that holds the tables. */
  schema: optional(text),
  /** MySQL and PostgreSQL: the time zone in which dates are stored: `Z`, an offset or `local`. */
  timezone: setting(text, {
    shown: '`Z`; `local` in a project opened in place',
    // Another server keeps dates as the clock of its own process shows them.
    of: ({ project }) => (project === 'stele' ? 'Z' : 'local'),
  }),
  /** Another name of `database`. */
  name: optional(text),
  /** Another name of `user`. */
  username: optional(text),
  /** The connections to the database server. */
  pool: {
    /** Minimum pool size. */
    min: setting(integer(0, 'a number of connections'), 0),
    /** Maximum pool size, never less than `pool.min`. */
    max: setting(count, 10),
  },
  /** SQLite: with `full` every commit survives a power failure, with `normal` the last ones may be lost. */
  synchronous: setting(oneOf(['full', 'normal']), 'full'),
  /** The time that a request waits for a connection. */
  acquireTimeout: setting(milliseconds, 10_000),
  /**
   * The maximum time of one statement; 0 means no limit. On SQLite it applies to every filter, every count and sorting through
   * relations; a read that takes longer than 250 ms continues in a thread, except inside a write and in memory.
   */
  statementTimeout: setting(milliseconds, {
    shown: '`10000`; `2000` on SQLite, `250` in memory',
    // SQLite has one thread for long statements, and none for a database in memory: all other requests wait for those.
    of: ({ client = usualEngine, filename }) => (!isFile(client) ? 10_000 : filename === ':memory:' ? 250 : 2000),
  }),
  /** Reads on a Galera cluster first wait for all writes that any node has acknowledged. */
  readYourWrites: setting(flag, true),
  /**
   * MySQL, and MariaDB without a binary log: only stele writes to the database, with this setting in all of its processes and
   * commands. Then [responses are cached](../cache/README.md).
   */
  soleWriter: setting(flag, false),
  /** Read replicas that serve `GET` requests: see [Read replicas](../engines/README.md#read-replicas). */
  replicas: setting(
    form<readonly ValuesOf<typeof replica>[]>({
      type: 'array',
      items: objectOf(schemaOfRows(replica)),
      description: 'a list of replicas like { "host": "db-2", "port": 3306 }',
    }),
    [],
  ),
  /** The maximum lag of a response from a replica. */
  maxLag: setting(integer(100, 'a number of milliseconds from 100'), 5000),
}

const { client, url, name, username, pool, ...placed } = database
const { filename, host, port: serverPort, database: named, user, password, ssl, schema, timezone, ...others } = placed

/** The settings that say where a database is: files of older projects have them one object deeper. */
export const place = { filename, host, port: serverPort, database: named, user, password, ssl, schema, timezone }
/** The settings of a database that are in the same place in every file. */
export const elsewhere = others

type Actions = true | readonly string[]
type PublicPermissions = true | readonly string[] | Readonly<Record<string, Actions>>

const actionNames = { type: 'array', items: text.schema, description: 'a list of action names' }
const opened = form<PublicPermissions>(
  {
    anyOf: [
      { enum: [true, false, '*'] },
      { type: 'array', items: { type: 'string', pattern: '^\\S+\\.\\w+$' } },
      { type: 'object', additionalProperties: { anyOf: [{ enum: [true, '*'] }, actionNames] } },
    ],
    description:
      'true, a list like ["api::article.article.find"] or an object like { "article": ["find"], "tag": true }',
  },
  (said: boolean | '*' | readonly string[] | Readonly<Record<string, Actions | '*'>>) => {
    if (said === true || said === '*') return true
    if (said === false) return []
    if (Array.isArray(said)) return said
    return Object.fromEntries(Object.entries(said).map(([name, actions]) => [name, actions === '*' ? true : actions]))
  },
)

/** `config/api` */
export const api = {
  /** The REST API. */
  rest: {
    /** The prefix of every path; an empty one is none. "api/", "/api" and "/api/" are the same path. */
    prefix: setting(
      form<string>({ type: 'string', pattern: '^[^\\s?#]*$', description: 'a path like "/api"' }, (said: string) => {
        const path = said.replace(/^\/+|\/+$/g, '')
        return path && `/${path}`
      }),
      '/api',
    ),
    /** Entries per page if the request does not specify a number. */
    defaultLimit: setting(count, 25),
    /** Maximum number of entries per page. */
    maxLimit: optional(
      form<number | null>(
        {
          type: ['integer', 'null'],
          minimum: -1,
          not: { const: 0 },
          description: 'an integer from 1, or -1 for no maximum',
        },
        (said: number | null) => (said === -1 ? null : said),
      ),
      undefined,
      '`100`; none in the `strapi4` dialect',
    ),
    /** A page includes the total number of entries, unless the request says otherwise. */
    withCount: setting(flag, true),
    /** The permissions of anonymous requests, see below. */
    public: setting(opened, []),
    /** The response format of types that do not choose one; plugins provide formats. */
    format: optional(text, undefined, 'the standard one'),
    /**
     * The dialect of requests and responses, see [The two dialects](../http/README.md#the-two-dialects); individual flags are set
     * next to it.
     */
    dialect: optional(oneOf(Object.keys(dialects) as DialectName[]), 'STELE_REST_DIALECT', '`spec`'),
    /** Maximum number of values in one query string; more get 400. */
    maxParameters: setting(count, 1000),
    /** Size of the response cache in MiB; [a cached response](../cache/README.md) is used until a row has changed. */
    responseCache: setting(integer(0, 'a number of MiB, or 0 for none'), 20),
    /** The cost of one request; checked before it runs, as far as that can be told then. */
    limits: {
      /**
       * Maximum number of SQL statements per request: one for the query, one for the total, one for each populated path. In
       * a large dynamic zone, the components count that stand there.
       */
      statements: setting(count, 100),
      /** Maximum number of relations that filters and sort follow. */
      joins: setting(count, 50),
      /** Maximum number of comparisons in filters. */
      conditions: setting(count, 500),
      /** Maximum number of entries in one response, populated ones included. */
      entries: setting(count, 50_000),
      /** Maximum number of SQL statements in the transaction of one write, which others may have to wait for; more get 413. */
      writes: setting(count, 4000),
    },
  },
  /** Rules for every response. */
  responses: {
    /** Attributes that no response includes, regardless of their type's definition. */
    privateAttributes: setting(texts, []),
  },
}

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

/** `config/log` */
export const log = {
  /** The least severe lines that the log has. */
  level: setting(oneOf(logLevels), 'info', 'LOG_LEVEL'),
  /**
   * The share of requests that get a line at the level `info`: 1 for all, 0.01 for one in a hundred, 0 for none. With a
   * share above 0, every request that fails with a status from 500 on gets its line.
   */
  requests: setting(share, 1, 'LOG_REQUESTS'),
  /** The format of lines: JSON, text for people, or `auto`, which is text at a terminal and JSON elsewhere. */
  format: setting(oneOf(['auto', 'json', 'text']), 'auto', 'LOG_FORMAT'),
}
