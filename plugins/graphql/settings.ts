import type { Config, SettingsOf } from '../../core/index.js'
import type { ShapeName } from './model/parts.js'

const count = { type: 'integer', minimum: 1 } as const

/** `config/plugins: graphql.config`, with all that Strapi 4 has there. */
export const schema = {
  type: 'object',
  properties: {
    /** The path, from the root of the server. */
    endpoint: { type: 'string', pattern: '^/?[\\w.~-]+(/[\\w.~-]+)*/?$', default: '/graphql' },
    /** The schema has the content types; otherwise only what plugins add. */
    shadowCRUD: { type: 'boolean', default: true },
    /** The shape of the schema: that of Strapi 4, or that of Strapi 5, where nothing is around entries. */
    shape: { enum: ['v4', 'flat'], default: 'v4' },
    /** The deepest level of a field, counted from 0; none by default. */
    depthLimit: { type: 'integer', minimum: 0 },
    /** The older name of `maxLimit`. */
    amountLimit: { type: 'integer' },
    /** The entries of a list that asks for no number of them. */
    defaultLimit: { type: 'integer', minimum: 1, default: 10 },
    /** The most entries of a list, at any level; -1 is no limit. */
    maxLimit: { type: 'integer', minimum: -1 },
    /** The most tokens of a document. */
    tokenLimit: { ...count, default: 5000 },
    /** The most operations of a batch. */
    batchLimit: { ...count, default: 10 },
    /** Documents that clients name by their hashes: those that they have sent, only those of a file, or none. */
    persisted: { enum: ['auto', 'only', false], default: 'auto' },
    /** A JSON file, from the folder of the app, with documents by their hashes. */
    persistedFile: { type: 'string', minLength: 1 },
    /** The schema is written to a file while the app is developed. */
    artifacts: {
      type: 'object',
      properties: { schema: { type: ['string', 'boolean'] }, typegen: { type: ['string', 'boolean'] } },
      default: {},
    },
    apolloServer: {
      type: 'object',
      properties: {
        introspection: { type: 'boolean' },
        csrfPrevention: { type: ['boolean', 'object'] },
        persistedQueries: { type: ['boolean', 'object'] },
        allowBatchedHttpRequests: { type: 'boolean' },
      },
      default: {},
    },
    /** `true`: changes of entries can be followed, where the plugin events is enabled. Strapi 4 has other settings here. */
    subscriptions: {},
    // These have no effect here: there is no page.
    playgroundAlways: {},
    landingPage: {},
    generateArtifacts: {},
  },
} as const

export type Settings = SettingsOf<typeof schema>

/** The settings as the plugin uses them, read once at start. */
export interface GraphqlSettings {
  /** With a slash in front and none at the end. */
  readonly endpoint: string
  readonly shadowCRUD: boolean
  readonly shape: ShapeName
  readonly depthLimit: number | undefined
  readonly defaultLimit: number
  /** -1 is no limit. */
  readonly maxLimit: number
  readonly tokenLimit: number
  readonly introspection: boolean
  readonly subscriptions: boolean
  /** The file that the schema is written to, from the folder of the app. */
  readonly schemaFile: string | undefined
  readonly http: HttpSettings
}

export interface HttpSettings {
  /** 0 refuses batches. */
  readonly batchLimit: number
  readonly persisted: 'auto' | 'only' | false
  readonly persistedFile: string | undefined
  /** Headers of which a request that browsers send without a preflight needs one; undefined if it needs none. */
  readonly csrfHeaders: readonly string[] | undefined
}

interface ReadSettings {
  readonly settings: GraphqlSettings
  /** Sentences for the log: settings that have no effect, or another one. */
  readonly notes: readonly string[]
}

/** Reads the settings; those of another server's project have been made to fit the schema before. */
export function readSettings(given: Settings, app: Pick<Config, 'environment'>, dialect: string): ReadSettings {
  const { apolloServer, artifacts, persisted, persistedFile } = given
  const { introspection, csrfPrevention, persistedQueries, allowBatchedHttpRequests } = apolloServer
  const isDeveloping = app.environment !== 'production'
  const usesAmount = given.amountLimit !== undefined && given.maxLimit === undefined && dialect !== 'strapi4'
  const http: HttpSettings = {
    batchLimit: allowBatchedHttpRequests === false ? 0 : given.batchLimit,
    persisted: persistedQueries === false && persisted === 'auto' ? false : (persisted as HttpSettings['persisted']),
    persistedFile,
    csrfHeaders: csrfHeadersOf(csrfPrevention),
  }
  const settings: GraphqlSettings = {
    endpoint: pathOf(given.endpoint),
    shadowCRUD: given.shadowCRUD,
    shape: given.shape as ShapeName,
    depthLimit: given.depthLimit,
    defaultLimit: given.defaultLimit,
    maxLimit: given.maxLimit ?? (usesAmount ? atLeast(-1, given.amountLimit) : -1),
    tokenLimit: given.tokenLimit,
    introspection: introspection ?? isDeveloping,
    subscriptions: given.subscriptions === true,
    schemaFile: schemaFileOf(artifacts.schema),
    http,
  }
  return { settings, notes: notesOf(given, usesAmount) }
}

/** The path of the endpoint, with a slash in front and none at the end. */
export const pathOf = (endpoint: string): string => `/${endpoint.replace(/^\/|\/$/g, '')}`

const atLeast = (least: number, value = least): number => Math.max(least, value)

const schemaFileOf = (said: unknown): string | undefined => {
  if (said === true) return 'schema.graphql'
  return typeof said === 'string' && said !== '' ? said : undefined
}

const usualCsrfHeaders = ['x-apollo-operation-name', 'apollo-require-preflight']

function csrfHeadersOf(said: unknown): readonly string[] | undefined {
  if (said === undefined || said === false) return undefined
  const { requestHeaders } = Object(said) as { readonly requestHeaders?: unknown }
  return Array.isArray(requestHeaders) ? requestHeaders.map(name => String(name).toLowerCase()) : usualCsrfHeaders
}

const knownOfApollo = Object.keys(schema.properties.apolloServer.properties)

function notesOf({ apolloServer, artifacts, amountLimit }: Settings, usesAmount: boolean): string[] {
  const ignored = Object.keys(apolloServer).filter(name => !knownOfApollo.includes(name))
  const { typegen } = artifacts
  return [
    ...ignored.map(name => `graphql.config.apolloServer.${name} has no effect: there is no Apollo Server here`),
    ...(usesAmount ? [`graphql.config.amountLimit (${amountLimit}) is used as maxLimit; rename it`] : []),
    ...(typegen ? ['graphql.config.artifacts.typegen has no effect: no types of the schema are written'] : []),
  ]
}
