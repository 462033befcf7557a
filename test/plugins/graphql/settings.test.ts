import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { usableSettings } from '../../../core/foreign/strapi4/supported-settings.js'
import { arrangePlugins, type RawPlugin, settingsSchemaOf } from '../../../core/plugin/arrange.js'
import { graphql } from '../../../plugins/graphql/index.js'
import { readSettings, type Settings } from '../../../plugins/graphql/settings.js'

type Given = Readonly<Record<string, unknown>>

/** The settings of an app, checked and with their defaults. */
const checked = (config: Given): Settings =>
  arrangePlugins([{ plugin: graphql, config }], 'spec')[0]?.config as unknown as Settings

const read = (config: Given, dialect = 'spec', environment = 'production') =>
  readSettings(checked(config), { environment }, dialect)

/** Settings of a Strapi project, as far as they can be used here. */
const foreign = (config: Given) => usableSettings(config, settingsSchemaOf(graphql as unknown as RawPlugin))

describe('the settings', () => {
  it('have the defaults of Strapi 4, and limits', () => {
    const { settings, notes } = read({})
    assert.deepEqual(notes, [])
    assert.deepEqual(settings, {
      endpoint: '/graphql',
      shadowCRUD: true,
      shape: 'v4',
      depthLimit: undefined,
      defaultLimit: 10,
      maxLimit: -1,
      tokenLimit: 5000,
      introspection: false,
      subscriptions: false,
      schemaFile: undefined,
      http: { batchLimit: 10, persisted: 'auto', persistedFile: undefined, csrfHeaders: undefined },
    })
  })

  it('allow introspection while an app is developed, unless they say otherwise', () => {
    const introspection = (said: Given, environment: string) =>
      read({ apolloServer: said }, 'spec', environment).settings.introspection
    assert.equal(introspection({}, 'development'), true)
    assert.equal(introspection({ introspection: false }, 'development'), false)
    assert.equal(introspection({ introspection: true }, 'production'), true)
  })

  for (const [endpoint, path] of Object.entries({ '/graphql': '/graphql', 'gql/': '/gql', '/api/gql': '/api/gql' }))
    it(`name an endpoint: ${endpoint}`, () => assert.equal(read({ endpoint }).settings.endpoint, path))

  it('take amountLimit for maxLimit, but for clients of Strapi 4, and say so', () => {
    const found = (config: Given, dialect?: string) => {
      const { settings, notes } = read(config, dialect)
      return [settings.maxLimit, notes.length]
    }
    assert.deepEqual(found({ amountLimit: 50 }), [50, 1])
    assert.deepEqual(found({ amountLimit: 50, maxLimit: 20 }), [20, 0])
    assert.deepEqual(found({ amountLimit: 50 }, 'strapi4'), [-1, 0])
  })

  it('say which of those of Apollo have no effect', () => {
    const { notes } = read({ apolloServer: { cache: 'bounded', tracing: false, introspection: true } })
    assert.deepEqual(
      notes.map(note => note.split(' ')[0]),
      ['graphql.config.apolloServer.cache', 'graphql.config.apolloServer.tracing'],
    )
    assert.equal(read({ artifacts: { typegen: true } }).notes.length, 1)
  })

  it('choose what protects the endpoint', () => {
    const http = (apolloServer: Given, more: Given = {}) => read({ ...more, apolloServer }).settings.http
    assert.deepEqual(http({ csrfPrevention: true }).csrfHeaders, [
      'x-apollo-operation-name',
      'apollo-require-preflight',
    ])
    assert.deepEqual(http({ csrfPrevention: { requestHeaders: ['X-My'] } }).csrfHeaders, ['x-my'])
    assert.deepEqual(http({ csrfPrevention: false }).csrfHeaders, undefined)
    assert.equal(http({ allowBatchedHttpRequests: false }).batchLimit, 0)
    assert.equal(http({ persistedQueries: false }).persisted, false)
    assert.equal(http({ persistedQueries: { ttl: 900 } }).persisted, 'auto')
    assert.equal(http({ persistedQueries: false }, { persisted: 'only' }).persisted, 'only')
  })

  it('are refused where they mean nothing', () => {
    for (const config of [
      { endpoint: '/a b' },
      { endpoint: '/:id' },
      { tokenLimit: 0 },
      { maxLimits: 5 },
      { persisted: true },
      { shape: 'v5' },
    ])
      assert.throws(() => checked(config), /config\/plugins: graphql\.config/)
  })
})

it('a shape that is not known is refused with those that are', () =>
  assert.throws(() => checked({ shape: 'v5' }), /graphql\.config\.shape .*"v4".*"flat"/))

describe('the settings of a Strapi project', () => {
  const usual = {
    endpoint: '/graphql',
    shadowCRUD: true,
    playgroundAlways: true,
    landingPage: (request: unknown) => request,
    subscriptions: { path: '/subscriptions' },
    generateArtifacts: false,
    federation: false,
    depthLimit: 7,
    amountLimit: 100,
    defaultLimit: 100,
    maxLimit: -1,
    artifacts: { schema: './schema.graphql', typegen: '/a/types.d.ts' },
    apolloServer: { tracing: false, introspection: true, plugins: [{ serverWillStart() {} }], cache: 'bounded' },
  }

  it('are taken as they are', () => {
    const { settings, unusable } = foreign(usual)
    assert.deepEqual(unusable, [])
    const read = readSettings(checked(settings), { environment: 'production' }, 'strapi4').settings
    assert.deepEqual(
      [read.depthLimit, read.defaultLimit, read.maxLimit, read.introspection, read.schemaFile],
      [7, 100, -1, true, './schema.graphql'],
    )
  })

  const odd: readonly Given[] = [
    { endpoint: '/:any(.*)' },
    { endpoint: 5 },
    { depthLimit: '7', defaultLimit: '20', maxLimit: 'none', amountLimit: null },
    { depthLimit: 2.5, defaultLimit: 0, maxLimit: -5 },
    { apolloServer: null, artifacts: 'schema', shadowCRUD: 'yes' },
    { apolloServer: { introspection: 'yes', csrfPrevention: 'yes', persistedQueries: null } },
    { apolloServer: [], persisted: true, persistedFile: '', tokenLimit: 'many', batchLimit: -1 },
    { artifacts: { schema: {}, typegen: 5 } },
  ]
  for (const config of odd)
    it(`stop no start: ${JSON.stringify(config)}`, () => {
      const { settings } = foreign(config)
      const { http } = readSettings(checked(settings), { environment: 'production' }, 'strapi4').settings
      assert.equal(http.persisted, 'auto')
    })
})
