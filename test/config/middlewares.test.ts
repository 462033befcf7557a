import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { loadConfig } from '../../core/boot/load-config.js'
import { foreignProjects } from '../../core/foreign/known.js'
import { readMiddlewares } from '../../core/foreign/strapi4/middlewares.js'
import { createTestApp } from '../../core/index.js'
import { app, load } from './app.js'

const MiB = 1024 * 1024
const project = { 'package.json': JSON.stringify({ dependencies: { '@strapi/strapi': '4.26.2' } }) }
const loaded = (middlewares: string, more: Record<string, string> = {}) =>
  load({ files: { ...project, 'config/middlewares.js': `module.exports = ${middlewares}`, ...more } })

describe('config/middlewares of a project of Strapi 4', () => {
  it('sets the limits of bodies', async () => {
    const { server } = await loaded(`['strapi::errors', { name: 'strapi::body', config: {
      jsonLimit: '5mb', formLimit: '1.5 MB', textLimit: 2048, formidable: { maxFileSize: 300 * 1024 * 1024 } } }]`)
    assert.deepEqual(server.body, { json: 5 * MiB, form: 1.5 * MiB, text: 2048, multipart: 300 * MiB })
  })

  it('sets what pages of other origins may do', async () => {
    const { server } = await loaded(`[{ name: 'strapi::cors', config: {
      origin: ['https://a.test', 'https://b.test'], headers: 'X-One, X-Two', methods: ['GET', 'HEAD'],
      credentials: true, expose: ['X-Three'], maxAge: 60, keepHeaderOnError: true } }]`)
    assert.deepEqual(server.cors, {
      enabled: true,
      origin: ['https://a.test', 'https://b.test'],
      headers: ['X-One', 'X-Two'],
      methods: ['GET', 'HEAD'],
      expose: ['X-Three'],
      maxAge: 60,
      credentials: true,
    })
    const listed = await loaded(`[{ name: 'strapi::cors', config: { origin: 'https://a.test, https://b.test' } }]`)
    assert.deepEqual(listed.server.cors.origin, ['https://a.test', 'https://b.test'])
  })

  it('sets the headers of security', async () => {
    const { server } = await loaded(`[{ name: 'strapi::security', config: {
      contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'self'"], 'img-src': ['data:', 'https:'], upgradeInsecureRequests: null } },
      hsts: { maxAge: 60, includeSubDomains: false, preload: true }, referrerPolicy: { policy: ['origin', 'no-referrer'] } } }]`)
    assert.deepEqual(server.headers, {
      contentSecurityPolicy: "default-src 'self'; img-src data: https:",
      strictTransportSecurity: 'max-age=60; preload',
      referrerPolicy: 'origin,no-referrer',
    })
    const off = await loaded(
      `[{ name: 'strapi::security', config: { contentSecurityPolicy: false, hsts: false, referrerPolicy: false } }]`,
    )
    assert.deepEqual(off.server.headers, {
      contentSecurityPolicy: false,
      strictTransportSecurity: false,
      referrerPolicy: false,
    })
    const extended = await loaded(
      `[{ name: 'strapi::security', config: { contentSecurityPolicy: { directives: { 'script-src': ['https:'] } } } }]`,
    )
    assert.match(String(extended.server.headers.contentSecurityPolicy), /^default-src 'self'; .*script-src https:/)
  })

  it('gives way to config/server, and to itself in another app', async () => {
    const body = `[{ name: 'strapi::body', config: { jsonLimit: '5mb' } }]`
    const over = await loaded(body, { 'config/server.js': 'module.exports = { body: { json: 10 } }' })
    assert.equal(over.server.body.json, 10)
    const folder = app({ 'config/middlewares.js': `module.exports = ${body}` })
    assert.equal((await loadConfig(folder, { projects: foreignProjects, env: {} })).server.body.json, MiB)
  })

  const rows: { says: string; entry: unknown; unread: string[]; server?: object }[] = [
    { says: 'a standard one without settings', entry: 'strapi::logger', unread: [] },
    {
      says: 'settings that are read',
      entry: { name: 'strapi::body', config: { jsonLimit: '1kb' } },
      unread: [],
      server: { body: { json: 1024 } },
    },
    { says: 'an own one', entry: 'global::timer', unread: ['global::timer'] },
    { says: 'a file', entry: { resolve: '../x' }, unread: ['../x'] },
    {
      says: 'a file in place of a standard one',
      entry: { name: 'strapi::cors', resolve: './x' },
      unread: ['strapi::cors'],
    },
    {
      says: 'settings of one that is not here',
      entry: { name: 'strapi::session', config: { key: 'x' } },
      unread: ['strapi::session: key'],
    },
    {
      says: 'single settings',
      entry: { name: 'strapi::body', config: { jsonLimit: 'much', multipart: false, formidable: { maxFields: 3 } } },
      unread: ['strapi::body: jsonLimit', 'strapi::body: multipart', 'strapi::body: formidable.maxFields'],
    },
    {
      says: 'an origin that is a function: no other origin is let in',
      entry: { name: 'strapi::cors', config: { origin: () => '*' } },
      unread: ['strapi::cors: origin is a function: no other origin may read responses'],
      server: { cors: { origin: [] } },
    },
    {
      says: 'credentials for everybody',
      entry: { name: 'strapi::cors', config: { origin: '*', credentials: true } },
      unread: ['strapi::cors: credentials, which need listed origins'],
      server: { cors: { origin: '*' } },
    },
    {
      says: 'what the server always does',
      entry: { name: 'strapi::security', config: { noSniff: false, frameguard: { action: 'deny' } } },
      unread: ['strapi::security: noSniff', 'strapi::security: frameguard'],
    },
  ]
  for (const { says, entry, unread, server = {} } of rows)
    it(`tells of ${says}: ${unread.join(', ') || 'nothing'}`, () => {
      const read = readMiddlewares([entry])
      assert.deepEqual(read.unread, unread)
      assert.deepEqual(read.server, server)
    })
})

describe('config/server', () => {
  it('names the headers that pages of other origins may send and read, and those of security', async () => {
    const world = await createTestApp({
      config: {
        server: {
          cors: { headers: ['X-Mine'], expose: ['X-Yours'], methods: ['GET'] },
          headers: { strictTransportSecurity: false, contentSecurityPolicy: "default-src 'self'" },
        },
      },
    })
    try {
      const origin = 'https://a.test'
      const preflight = await world.inject({
        method: 'OPTIONS',
        url: '/api/x',
        headers: { origin, 'access-control-request-method': 'GET', 'access-control-request-headers': 'x-mine' },
      })
      assert.equal(preflight.headers['access-control-allow-headers'], 'X-Mine')
      assert.equal(preflight.headers['access-control-allow-methods'], 'GET')
      const { headers } = await world.inject({ url: '/api/x', headers: { origin } })
      assert.equal(headers['access-control-expose-headers'], 'X-Yours')
      assert.equal(headers['content-security-policy'], "default-src 'self'")
      assert.equal(headers['strict-transport-security'], undefined)
      assert.equal(headers['referrer-policy'], 'no-referrer')
      assert.equal(headers['x-content-type-options'], 'nosniff')
    } finally {
      await world.close()
    }
  })
})
