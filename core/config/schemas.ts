import { dialectFlags } from '../dialect.js'
import { flag, milliseconds, objectOf, type Schema, text } from './forms.js'
import { schemaOfRows } from './setting.js'
import { api, database, elsewhere, log as logRows, place, server as serverRows } from './settings.js'

/** Settings of older projects that this server has no use for: accepted, kept, never an error. */
export const foreign: Schema = { description: 'anything' }

const anything: Schema = { description: 'anything at all' }

const server = objectOf({
  ...schemaOfRows(serverRows),
  ...ignored('app', 'dirs', 'webhooks', 'cron', 'logger', 'emitErrors', 'socket', 'globalProxy', 'http', 'transfer'),
})

const flatDatabase = objectOf(schemaOfRows(database))

const { client, pool } = database

/** The shape of older projects, which is the query builder's: settings inside `connection`, the place inside that. */
const nestedDatabase = objectOf({
  connection: objectOf({
    ...schemaOfRows({ client }),
    connection: objectOf({
      connectionString: text.schema,
      ...schemaOfRows(place),
      ...ignored('charset', 'socketPath', 'keepAlive', 'options', 'application_name', 'connectTimeout', 'flags'),
      ...ignored('dateStrings', 'supportBigNumbers', 'bigNumberStrings', 'decimalNumbers', 'multipleStatements'),
      ...ignored('connectionTimeoutMillis', 'statement_timeout', 'query_timeout', 'insecureAuth', 'typeCast', 'family'),
    }),
    pool: objectOf({
      ...schemaOfRows(pool),
      acquireTimeoutMillis: milliseconds.schema,
      ...ignored('createTimeoutMillis', 'destroyTimeoutMillis', 'idleTimeoutMillis', 'reapIntervalMillis'),
      ...ignored('createRetryIntervalMillis', 'propagateCreateError', 'afterCreate', 'log'),
    }),
    acquireConnectionTimeout: milliseconds.schema,
    ...ignored('useNullAsDefault', 'debug', 'settings', 'asyncStackTraces', 'searchPath', 'version', 'options'),
  }),
  ...schemaOfRows(elsewhere),
  ...ignored('settings'),
})

const { prefix, ...rest } = schemaOfRows(api.rest) as Record<string, Schema> & Record<'prefix', Schema>
const responses = schemaOfRows(api.responses)
const flags = Object.fromEntries(dialectFlags.map(name => [name, flag.schema]))

const plugins: Schema = {
  type: 'object',
  additionalProperties: {
    type: ['boolean', 'object'],
    properties: { enabled: flag.schema, resolve: text.schema, config: { type: 'object', description: 'an object' } },
    additionalProperties: false,
    description: 'true, false or an object of enabled, resolve and config',
  },
  description: 'an object of plugins by name',
}

const log = objectOf(schemaOfRows(logRows))

/** The files this server reads; any other file in config/ is foreign. */
export const files: Readonly<Record<string, Schema>> = {
  server,
  database: flatDatabase,
  api: objectOf({ rest: objectOf({ prefix, ...rest, ...flags }), responses: objectOf(responses) }),
  plugins,
  permissions: anything,
  webhooks: anything,
  console: anything,
  log,
}

/** The files that older projects write differently: the schema by which they are checked when this is one. */
export function schemaOf(name: string, value: unknown): Schema | undefined {
  const nested = name === 'database' && typeof value === 'object' && value !== null && 'connection' in value
  return nested ? nestedDatabase : Object.hasOwn(files, name) ? files[name] : undefined
}

/** The overrides of a caller of loadConfig: the settings of the files, by their names, and those of the surroundings. */
export const overrides: Schema = objectOf({ ...files, environment: text.schema, foreign: anything })

function ignored(...keys: string[]): Record<string, Schema> {
  return Object.fromEntries(keys.map(key => [key, foreign]))
}
