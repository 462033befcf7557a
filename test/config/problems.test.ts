import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import type { Overrides } from '../../core/config/types.js'
import { exporting, load } from './app.js'

describe('a wrong setting stops the server with one sentence', () => {
  const cases: { says: string; file?: string; value?: unknown; env?: NodeJS.ProcessEnv; message: string }[] = [
    {
      says: 'a misspelt key names the nearest one',
      file: 'api',
      value: { rest: { defaultLimt: 10 } },
      message: 'config/api: rest.defaultLimt is not a setting; did you mean rest.defaultLimit?',
    },
    {
      says: 'a misspelt flag of the dialect too',
      file: 'api',
      value: { rest: { strictParam: true } },
      message: 'config/api: rest.strictParam is not a setting; did you mean rest.strictParams?',
    },
    {
      says: 'a key like no other names those there are',
      file: 'log',
      value: { colour: 'red' },
      message: 'config/log: colour is not a setting; known here are level, requests, format',
    },
    {
      says: 'a wrong type',
      file: 'api',
      value: { rest: { defaultLimit: 'ten' } },
      message: 'config/api: rest.defaultLimit is "ten"; expected an integer from 1',
    },
    {
      says: 'a number out of range',
      file: 'api',
      value: { rest: { maxLimit: 0 } },
      message: 'config/api: rest.maxLimit is 0; expected an integer from 1, or -1 for no maximum',
    },
    {
      says: 'a list where none belongs',
      file: 'server',
      value: { body: { json: [1] } },
      message: 'config/server: body.json is a list; expected a number of bytes',
    },
    {
      says: 'a choice',
      file: 'api',
      value: { rest: { dialect: 'v3' } },
      message: 'config/api: rest.dialect is "v3"; expected one of spec, strapi4',
    },
    {
      says: 'something that may have several shapes, in one sentence',
      file: 'api',
      value: { rest: { public: { article: [1], tag: 'find' } } },
      message:
        'config/api: rest.public is an object; expected true, a list like ["api::article.article.find"] or an object like { "article": ["find"], "tag": true }',
    },
    {
      says: 'a plugin that is neither on nor off',
      file: 'plugins',
      value: { own: 'yes' },
      message: 'config/plugins: own is "yes"; expected true, false or an object of enabled, resolve and config',
    },
    {
      says: 'a misspelt key of a plugin',
      file: 'plugins',
      value: { own: { enabld: true } },
      message: 'config/plugins: own.enabld is not a setting; did you mean own.enabled?',
    },
    {
      says: 'a file that is no object',
      file: 'server',
      value: 'localhost',
      message: 'config/server is "localhost"; expected an object',
    },
    {
      says: 'a database that is none of the three',
      file: 'database',
      value: { connection: { client: 'oracle' } },
      message:
        'config/database: connection.client is "oracle"; expected one of sqlite, mysql, postgres, better-sqlite3, sqlite3, mysql2, mariadb, pg, postgresql',
    },
    {
      says: 'a misspelt key inside the connection',
      file: 'database',
      value: { connection: { client: 'mysql', connection: { pasword: 'x' } } },
      message:
        'config/database: connection.connection.pasword is not a setting; did you mean connection.connection.password?',
    },
    {
      says: 'a password is not repeated',
      file: 'database',
      value: { client: 'mysql', name: 'a', password: 12345 },
      message: 'config/database: password is a number; expected text',
    },
    {
      says: 'a file in the overlay is named as such',
      file: 'env/development/server',
      value: { port: -1 },
      message: 'config/env/development/server: port is -1; expected a port from 0 to 65535',
    },
    {
      says: 'a text port is checked like a number',
      file: 'server',
      value: { port: '65536' },
      message: 'config/server: port is "65536"; expected a port from 0 to 65535',
    },
    {
      says: 'headers may not take longer than the request',
      file: 'server',
      value: { requestTimeout: 5, headersTimeout: 6 },
      message: 'config/server: headersTimeout is 6, more than requestTimeout, which is 5',
    },
    {
      says: 'cookies for every origin',
      file: 'server',
      value: { cors: { credentials: true } },
      message: 'config/server: cors.credentials is true while cors.origin is "*"; list the origins',
    },
    {
      says: 'a pool that is larger than it may be',
      file: 'database',
      value: { pool: { min: 5, max: 2 } },
      message: 'config/database: pool.min is 5, more than pool.max, which is 2',
    },
    {
      says: 'PORT',
      env: { PORT: 'abc' },
      message: 'The environment variable PORT is "abc"; expected a port from 0 to 65535',
    },
    {
      says: 'DATABASE_CLIENT',
      env: { DATABASE_CLIENT: 'oracle' },
      message: 'The environment variable DATABASE_CLIENT is "oracle"; expected sqlite, mysql or postgres',
    },
    {
      says: 'LOG_LEVEL',
      env: { LOG_LEVEL: 'loud' },
      message:
        'The environment variable LOG_LEVEL is "loud"; expected one of trace, debug, info, warn, error, fatal, silent',
    },
    {
      says: 'STELE_REST_DIALECT',
      env: { STELE_REST_DIALECT: 'v3' },
      message: 'The environment variable STELE_REST_DIALECT is "v3"; expected one of spec, strapi4',
    },
  ]
  for (const { says, file, value, env, message } of cases) {
    it(says, async () => {
      const files = file ? { [`config/${file}.js`]: exporting(value) } : {}
      await assert.rejects(load({ files, env }), { name: 'BootError', message })
    })
  }

  const fromFile: { says: string; text: string; env: NodeJS.ProcessEnv; message: string }[] = [
    {
      says: 'a file that read a number from a variable names the variable',
      text: 'module.exports = ({ env }) => ({ host: env("HOST"), port: env.int("PORT", 1) })',
      env: { PORT: 'abc', HOST: '::1' },
      message: 'config/server: port is NaN (from PORT="abc"); expected a port from 0 to 65535',
    },
    {
      says: 'a file that read text from a variable names the variable',
      text: 'module.exports = ({ env }) => ({ port: env("PORT", 1) })',
      env: { PORT: 'abc' },
      message: 'config/server: port is "abc" (from PORT); expected a port from 0 to 65535',
    },
  ]
  for (const { says, text, env, message } of fromFile) {
    it(says, () => assert.rejects(load({ files: { 'config/server.js': text }, env }), { name: 'BootError', message }))
  }

  it('tells everything that is wrong at once, a sentence a line', async () => {
    const files = {
      'config/api.js': exporting({ rest: { withCount: 1 }, respones: {} }),
      'config/server.js': exporting({ hots: 'a' }),
    }
    await assert.rejects(load({ files }), {
      message: [
        'config/api: respones is not a setting; did you mean responses?',
        'config/api: rest.withCount is 1; expected true or false',
        'config/server: hots is not a setting; did you mean host?',
      ].join('\n'),
    })
  })

  it('does not ask for a variable where a file has answered', async () => {
    const config = await load({ files: { 'config/server.js': exporting({ port: 1 }) }, env: { PORT: 'tcp://x' } })
    assert.equal(config.server.port, 1)
  })

  it('checks overrides like files', async () => {
    const overrides = { server: { prot: 1 } } as Overrides
    await assert.rejects(load({ overrides }), {
      message: 'overrides: server.prot is not a setting; did you mean server.port?',
    })
  })
})
