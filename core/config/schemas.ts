import { dialectFlags, dialects } from '../dialect.js'
import { engines } from './engines.js'
import { logLevels } from './types.js'

/** A JSON schema whose `description` ends the sentence "right would be ...". */
export interface Schema {
  readonly description: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly [keyword: string]: unknown
}

/** Settings of older projects that this server has no use for: accepted, kept, never an error. */
export const foreign: Schema = { description: 'anything' }

const anything: Schema = { description: 'anything at all' }
const flag: Schema = { type: 'boolean', description: 'true or false' }
const text: Schema = { type: 'string', description: 'text' }
const texts: Schema = { type: 'array', items: text, description: 'a list of texts' }
const milliseconds = integer(0, 'a number of milliseconds')
const bytes = integer(0, 'a number of bytes')
const count = integer(1, 'an integer from 1')

// Files that say env('PORT', 1337) give a number or, once the variable is set, text.
const port: Schema = {
  type: ['integer', 'string'],
  minimum: 0,
  maximum: 65535,
  pattern: '^([0-9]{1,4}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])$',
  description: 'a port from 0 to 65535',
}

const server = object({
  host: text,
  port,
  url: text,
  proxy: { type: ['boolean', 'array'], items: text, description: 'true, false or a list of addresses' },
  shutdownDeadline: milliseconds,
  requestTimeout: milliseconds,
  headersTimeout: milliseconds,
  keepAliveTimeout: milliseconds,
  body: object({ json: bytes, form: bytes, text: bytes, multipart: bytes }),
  cors: object({
    enabled: flag,
    origin: { type: ['string', 'array'], items: text, description: '"*", an origin or a list of origins' },
    maxAge: integer(0, 'a number of seconds'),
    credentials: flag,
  }),
  overload: object({ maxDelay: milliseconds }),
  idempotency: object({ maxAge: integer(0, 'a number of seconds'), answer: integer(0, 'a number of characters') }),
  ...ignored('app', 'dirs', 'webhooks', 'cron', 'logger', 'emitErrors', 'socket', 'globalProxy', 'http', 'transfer'),
})

const ssl: Schema = { type: ['boolean', 'object'], description: 'true, false or an object of TLS options' }
const account = { database: text, user: text, password: text, ssl }

const target = {
  filename: text,
  host: { type: ['string', 'array'], minItems: 1, items: text, description: 'a host or a list of hosts' },
  port,
  ...account,
  schema: text,
  timezone: text,
} satisfies Record<string, Schema>

const client = oneOf(Object.keys(engines))
const connections = integer(0, 'a number of connections')
const pool = { min: connections, max: count }
const ownKeys = {
  synchronous: oneOf(['full', 'normal']),
  acquireTimeout: milliseconds,
  statementTimeout: milliseconds,
  readYourWrites: flag,
  replicas: {
    type: 'array',
    items: object({ host: text, port, ...account, name: text, username: text }),
    description: 'a list of replicas like { "host": "db-2", "port": 3306 }',
  },
  maxLag: integer(100, 'a number of milliseconds from 100'),
} satisfies Record<string, Schema>

const flatDatabase = object({
  client,
  url: text,
  ...target,
  name: text,
  username: text,
  pool: object(pool),
  ...ownKeys,
})

/** The shape of older projects, which is the query builder's: settings inside `connection`, the place inside that. */
const nestedDatabase = object({
  connection: object({
    client,
    connection: object({
      connectionString: text,
      ...target,
      ...ignored('charset', 'socketPath', 'keepAlive', 'options', 'application_name', 'connectTimeout', 'flags'),
      ...ignored('dateStrings', 'supportBigNumbers', 'bigNumberStrings', 'decimalNumbers', 'multipleStatements'),
      ...ignored('connectionTimeoutMillis', 'statement_timeout', 'query_timeout', 'insecureAuth', 'typeCast', 'family'),
    }),
    pool: object({
      ...pool,
      acquireTimeoutMillis: milliseconds,
      ...ignored('createTimeoutMillis', 'destroyTimeoutMillis', 'idleTimeoutMillis', 'reapIntervalMillis'),
      ...ignored('createRetryIntervalMillis', 'propagateCreateError', 'afterCreate', 'log'),
    }),
    acquireConnectionTimeout: milliseconds,
    ...ignored('useNullAsDefault', 'debug', 'settings', 'asyncStackTraces', 'searchPath', 'version', 'options'),
  }),
  ...ownKeys,
  ...ignored('settings'),
})

const names: Schema = { type: 'array', items: text, description: 'a list of action names' }
const rest = {
  defaultLimit: count,
  maxLimit: {
    type: ['integer', 'null'],
    minimum: -1,
    not: { const: 0 },
    description: 'an integer from 1, or -1 for no maximum',
  },
  withCount: flag,
  public: {
    anyOf: [
      { enum: [true, false, '*'] },
      { type: 'array', items: { type: 'string', pattern: '^\\S+\\.\\w+$' } },
      { type: 'object', additionalProperties: { anyOf: [{ enum: [true, '*'] }, names] } },
    ],
    description:
      'true, a list like ["api::article.article.find"] or an object like { "article": ["find"], "tag": true }',
  },
  format: text,
  dialect: oneOf(Object.keys(dialects)),
  maxParameters: count,
  keptAnswers: { type: 'integer', minimum: 0, description: 'a number of MiB, or 0 for none' },
  limits: object({ statements: count, joins: count, conditions: count, entries: count }),
} satisfies Record<string, Schema>

const prefix: Schema = { type: 'string', pattern: '^[^\\s?#]*$', description: 'a path like "/api"' }
const flags = Object.fromEntries(dialectFlags.map(name => [name, flag]))

const plugins: Schema = {
  type: 'object',
  additionalProperties: {
    type: ['boolean', 'object'],
    properties: { enabled: flag, resolve: text, config: { type: 'object', description: 'an object' } },
    additionalProperties: false,
    description: 'true, false or an object of enabled, resolve and config',
  },
  description: 'an object of plugins by name',
}

const log = object({ level: oneOf(logLevels) })

/** The files this server reads; any other file in config/ is foreign. */
export const files: Readonly<Record<string, Schema>> = {
  server,
  database: flatDatabase,
  api: object({ rest: object({ prefix, ...rest, ...flags }), responses: object({ privateAttributes: texts }) }),
  plugins,
  permissions: anything,
  log,
}

/** The files that older projects write differently: the schema by which they are checked when this is one. */
export function schemaOf(name: string, value: unknown): Schema | undefined {
  const nested = name === 'database' && typeof value === 'object' && value !== null && 'connection' in value
  return nested ? nestedDatabase : Object.hasOwn(files, name) ? files[name] : undefined
}

/** What a caller of loadConfig may override: the settings as they are once loaded. */
export const overrides: Schema = object({
  appDir: text,
  environment: text,
  server,
  database: flatDatabase,
  api: object({ prefix, privateAttributes: texts, rest: object({ ...rest, flags: object(flags) }) }),
  plugins,
  permissions: anything,
  log,
  foreign: anything,
})

function object(properties: Record<string, Schema>): Schema {
  return { type: 'object', properties, additionalProperties: false, description: 'an object' }
}

function integer(minimum: number, description: string): Schema {
  return { type: 'integer', minimum, description }
}

function oneOf(values: readonly string[]): Schema {
  return { enum: values, description: `one of ${values.join(', ')}` }
}

function ignored(...keys: string[]): Record<string, Schema> {
  return Object.fromEntries(keys.map(key => [key, foreign]))
}
