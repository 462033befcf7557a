import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { loadConfig } from '../../core/boot/load-config.js'
import { foreignProjects } from '../../core/foreign/known.js'
import { app } from './app.js'

/** The config folder as the generator of Strapi v4 lays it out. */
const project = {
  '.env': 'HOST=127.0.0.1\nPORT=1444\nAPP_KEYS=keyA==,keyB==\nADMIN_SECRET=s\nDATABASE_CLIENT=sqlite\n',
  'package.json': '{ "name": "older", "dependencies": {} }',
  'config/server.js': `module.exports = ({ env }) => ({
    host: env('HOST', '127.0.0.1'),
    port: env.int('PORT', 1337),
    url: env('PUBLIC_URL', ''),
    dirs: { public: env('PUBLIC_DIR', './public') },
    app: { keys: env.array('APP_KEYS') },
    webhooks: { populateRelations: env.bool('WEBHOOKS', false) },
  })`,
  'config/admin.js': `module.exports = ({ env }) => ({ auth: { secret: env('ADMIN_SECRET') }, flags: { nps: false } })`,
  'config/middlewares.js': `module.exports = [...(process.env.NOPE ? [] : ['strapi::logger']), 'strapi::errors']`,
  'config/cron-tasks.js': 'module.exports = { "* * * * *": () => {} }',
  'config/api.js': `module.exports = ({ env }) => ({
    rest: { defaultLimit: env.int('LIMIT', 20), maxLimit: env.int('MAX', 100), withCount: env.bool('COUNT', true) },
  })`,
  'config/plugins.js': `const path = require('path')
    module.exports = ({ env }) => ({
      'any-name': { config: { secret: env('ADMIN_SECRET'), missing: env('MISSING') } },
      email: { config: { provider: path.join('src', 'mail.js') } },
    })`,
  'config/database.js': `const path = require('path')
    module.exports = ({ env }) => {
      const client = env('DATABASE_CLIENT', 'sqlite')
      const connections = {
        mysql: {
          connection: { host: env('DATABASE_HOST', 'localhost'), port: env.int('DATABASE_PORT', 3306),
            database: env('DATABASE_NAME', 'strapi'), user: env('DATABASE_USERNAME', 'strapi'),
            password: env('DATABASE_PASSWORD', 'strapi'),
            ssl: env.bool('DATABASE_SSL', false) && { key: env('DATABASE_SSL_KEY', undefined) } },
          pool: { min: env.int('DATABASE_POOL_MIN', 2), max: env.int('DATABASE_POOL_MAX', 10) },
        },
        sqlite: {
          connection: { filename: path.resolve(__dirname, '..', env('DATABASE_FILENAME', '.tmp/data.db')) },
          useNullAsDefault: true,
        },
      }
      return { connection: { client, ...connections[client],
        acquireConnectionTimeout: env.int('DATABASE_CONNECTION_TIMEOUT', 60000) } }
    }`,
}

describe('an older project, opened in place', () => {
  it('is understood without a change', async () => {
    const folder = app(project)
    const config = await loadConfig(folder, { projects: foreignProjects, env: {} })
    assert.deepEqual([config.server.host, config.server.port, config.server.url], ['127.0.0.1', 1444, undefined])
    assert.equal(config.database.client, 'sqlite')
    assert.equal(config.database.filename, `${folder}/.tmp/data.db`)
    assert.equal(config.database.acquireTimeout, 60000)
    assert.deepEqual([config.api.rest.defaultLimit, config.api.rest.maxLimit, config.api.prefix], [20, 100, '/api'])
    assert.deepEqual(config.plugins, {
      'any-name': { enabled: true, config: { secret: 's' } },
      email: { enabled: true, config: { provider: 'src/mail.js' } },
    })
  })

  it('may use another engine', async () => {
    const { database } = await loadConfig(app(project), {
      projects: foreignProjects,
      env: { DATABASE_CLIENT: 'mysql', DATABASE_HOST: 'db' },
    })
    assert.deepEqual(
      [database.client, database.host, database.port, database.database, database.ssl, database.pool],
      ['mysql', 'db', 3306, 'strapi', false, { min: 2, max: 10 }],
    )
  })

  it('keeps what this server has no use for', async () => {
    const { foreign } = await loadConfig(app(project), { projects: foreignProjects, env: {} })
    assert.deepEqual(Object.keys(foreign).sort(), ['admin', 'cron-tasks', 'database', 'middlewares', 'server'])
    assert.deepEqual(foreign.server, {
      app: { keys: ['keyA==', 'keyB=='] },
      dirs: { public: './public' },
      webhooks: { populateRelations: false },
    })
    assert.deepEqual(foreign.database, { connection: { useNullAsDefault: true } })
    assert.deepEqual(foreign.middlewares, ['strapi::logger', 'strapi::errors'])
  })
})
