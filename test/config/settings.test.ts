import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { loadConfig } from '../../core/boot/load-config.js'
import type { Config } from '../../core/config/types.js'
import { app, exporting, load, type World } from './app.js'

describe('settings', () => {
  const hosts = [
    { says: 'this machine alone while the app is developed', world: {}, host: '127.0.0.1' },
    { says: 'every address in production', world: { env: { NODE_ENV: 'production' } }, host: '0.0.0.0' },
    { says: 'what HOST says', world: { env: { HOST: '0.0.0.0' } }, host: '0.0.0.0' },
    {
      says: 'what config/server says',
      world: { files: { 'config/server.js': exporting({ host: '::1' }) }, env: { NODE_ENV: 'production' } },
      host: '::1',
    },
  ]
  for (const { says, world, host } of hosts)
    it(`listen on ${says}`, async () => assert.equal((await load(world)).server.host, host))

  it('are complete without any file', async () => {
    const folder = app({})
    assert.deepEqual(await loadConfig(folder, { env: {} }), {
      appDir: folder,
      project: 'stele',
      environment: 'development',
      server: {
        host: '127.0.0.1',
        port: 1337,
        proxy: false,
        allowWeakSecrets: false,
        compression: false,
        shutdownDeadline: 10000,
        requestTimeout: 300000,
        headersTimeout: 10000,
        keepAliveTimeout: 5000,
        body: { json: 1048576, form: 57344, text: 57344, multipart: 209715200 },
        cors: {
          enabled: true,
          origin: '*',
          methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'QUERY'],
          expose: [
            ...['ETag', 'X-Request-Id', 'Retry-After', 'Idempotency-Replayed', 'Content-Location'],
            ...['RateLimit', 'RateLimit-Policy', 'Server-Timing'],
          ],
          maxAge: 86400,
          credentials: false,
        },
        headers: {
          contentSecurityPolicy: "default-src 'none'; frame-ancestors 'none'; sandbox",
          referrerPolicy: 'no-referrer',
          strictTransportSecurity: 'max-age=31536000; includeSubDomains',
        },
        overload: { maxDelay: 200, maxBurstDelay: 10000 },
        idempotency: { maxAge: 86400, answer: 65536 },
      },
      database: {
        client: 'sqlite',
        filename: `${folder}/.tmp/data.db`,
        synchronous: 'full',
        ssl: false,
        timezone: 'Z',
        pool: { min: 0, max: 10 },
        acquireTimeout: 10000,
        statementTimeout: 2000,
        readYourWrites: true,
        soleWriter: false,
        replicas: [],
        maxLag: 5000,
      },
      api: {
        prefix: '/api',
        privateAttributes: [],
        rest: {
          defaultLimit: 25,
          withCount: true,
          public: [],
          flags: {},
          maxParameters: 1000,
          responseCache: 20,
          limits: { statements: 100, joins: 50, conditions: 500, entries: 50000, writes: 4000 },
        },
      },
      plugins: {},
      log: { level: 'info', requests: 1, format: 'auto' },
      foreign: {},
      notices: [],
    })
  })

  const rest = (value: unknown) => ({ 'config/api.js': exporting({ rest: value }) })
  const cases: (World & { says: string; of: (config: Config) => unknown; gives: unknown })[] = [
    {
      says: 'HOST and PORT',
      env: { HOST: '::1', PORT: '0' },
      of: c => [c.server.host, c.server.port],
      gives: ['::1', 0],
    },
    { says: 'an empty variable says nothing', env: { PORT: '' }, of: c => c.server.port, gives: 1337 },
    {
      says: 'a file wins over a variable',
      files: { 'config/server.js': exporting({ port: 2 }) },
      env: { PORT: '3' },
      of: c => c.server.port,
      gives: 2,
    },
    {
      says: 'an override wins over a file',
      files: { 'config/server.js': exporting({ port: 2 }) },
      overrides: { server: { port: 4 } },
      of: c => c.server.port,
      gives: 4,
    },
    {
      says: 'an empty url is none',
      files: { 'config/server.js': exporting({ url: '' }) },
      of: c => c.server.url,
      gives: undefined,
    },
    {
      says: 'headers never wait longer than the request',
      files: { 'config/server.js': exporting({ requestTimeout: 500 }) },
      of: c => c.server.headersTimeout,
      gives: 500,
    },
    {
      says: 'a single origin is a list of one',
      files: { 'config/server.js': exporting({ cors: { origin: 'https://a.test' } }) },
      of: c => c.server.cors.origin,
      gives: ['https://a.test'],
    },
    { says: 'LOG_LEVEL', env: { LOG_LEVEL: 'silent' }, of: c => c.log.level, gives: 'silent' },
    {
      says: 'config/log',
      files: { 'config/log.json': '{"level":"debug"}' },
      env: { LOG_LEVEL: 'silent' },
      of: c => c.log.level,
      gives: 'debug',
    },
    {
      says: 'STELE_REST_DIALECT',
      env: { STELE_REST_DIALECT: 'strapi4' },
      of: c => c.api.rest.dialect,
      gives: 'strapi4',
    },
    {
      says: 'rest.dialect',
      files: rest({ dialect: 'spec' }),
      env: { STELE_REST_DIALECT: 'strapi4' },
      of: c => c.api.rest.dialect,
      gives: 'spec',
    },
    {
      says: 'single flags of the dialect',
      files: rest({ strictParams: true, populateWithPagination: false }),
      of: c => c.api.rest.flags,
      gives: { strictParams: true, populateWithPagination: false },
    },
    { says: 'rest.maxLimit', files: rest({ maxLimit: 50 }), of: c => c.api.rest.maxLimit, gives: 50 },
    {
      says: 'rest.maxLimit -1 is no maximum',
      files: rest({ maxLimit: -1 }),
      of: c => c.api.rest.maxLimit,
      gives: null,
    },
    { says: 'rest.prefix', files: rest({ prefix: 'v1/' }), of: c => c.api.prefix, gives: '/v1' },
    { says: 'rest.prefix may be empty', files: rest({ prefix: '/' }), of: c => c.api.prefix, gives: '' },
    { says: 'rest.public: all', files: rest({ public: '*' }), of: c => c.api.rest.public, gives: true },
    { says: 'rest.public: none', files: rest({ public: false }), of: c => c.api.rest.public, gives: [] },
    {
      says: 'rest.public: actions',
      files: rest({ public: ['api::article.article.find'] }),
      of: c => c.api.rest.public,
      gives: ['api::article.article.find'],
    },
    {
      says: 'rest.public: by type',
      files: rest({ public: { article: ['find', 'findOne'], tag: true, page: '*' } }),
      of: c => c.api.rest.public,
      gives: { article: ['find', 'findOne'], tag: true, page: true },
    },
    {
      says: 'one limit leaves the others',
      files: rest({ limits: { joins: 5 } }),
      of: c => c.api.rest.limits,
      gives: { statements: 100, joins: 5, conditions: 500, entries: 50000, writes: 4000 },
    },
    {
      says: 'overrides of the api',
      files: rest({ strictParams: true }),
      overrides: { api: { rest: { prefix: '/x', defaultLimit: 2, strictParams: false } } },
      of: c => [c.api.prefix, c.api.rest.defaultLimit, c.api.rest.flags],
      gives: ['/x', 2, { strictParams: false }],
    },
    {
      says: 'responses.privateAttributes',
      files: { 'config/api.js': exporting({ responses: { privateAttributes: ['a'] } }) },
      of: c => c.api.privateAttributes,
      gives: ['a'],
    },
    {
      says: 'plugins in all their forms',
      files: {
        'config/plugins.js': exporting({
          a: true,
          b: false,
          c: { config: { x: 1 } },
          d: { enabled: false, resolve: './d' },
        }),
      },
      of: c => c.plugins,
      gives: {
        a: { enabled: true, config: {} },
        b: { enabled: false, config: {} },
        c: { enabled: true, config: { x: 1 } },
        d: { enabled: false, resolve: './d', config: {} },
      },
    },
    {
      says: 'an override of a plugin leaves its other settings',
      files: { 'config/plugins.js': exporting({ a: { config: { x: 1 } } }) },
      overrides: { plugins: { a: { enabled: false }, b: { config: { y: 1 } } } },
      of: c => c.plugins,
      gives: { a: { enabled: false, config: { x: 1 } }, b: { enabled: true, config: { y: 1 } } },
    },
    {
      says: 'permissions as they are written',
      files: { 'config/permissions.json': '{"public":["a"]}' },
      of: c => c.permissions,
      gives: { public: ['a'] },
    },
  ]
  for (const { says, of, gives, ...world } of cases) {
    it(says, async () => assert.deepEqual(of(await load(world)), gives))
  }
})
