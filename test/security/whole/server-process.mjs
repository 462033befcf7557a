import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createJiti } from 'jiti'
import { createTestApp } from '../../../dist/core/index.js'
import { createLog } from '../../../dist/core/log.js'
import { apiTokens } from '../../../dist/plugins/api-tokens/index.js'
import { draftAndPublish } from '../../../dist/plugins/draft-and-publish/index.js'
import { graphql } from '../../../dist/plugins/graphql/index.js'
import { i18n } from '../../../dist/plugins/i18n/index.js'
import { upload } from '../../../dist/plugins/upload/index.js'
import { usersPermissions } from '../../../dist/plugins/users-permissions/index.js'

/** A server with all plugins on, in a process of its own: it says where it is and what clients know, and ends with its input. */
const { parent, database, dialect, settings = {}, server = {}, many } = JSON.parse(process.argv[2] ?? '{}')
const here = createJiti(import.meta.url)
const { fill, salt, secret } = await here.import('./fill.ts')
const { addMany } = await here.import('./many.ts')
const { components, permissions, types } = await here.import('./schema.ts')
const folder = mkdtempSync(join(parent, 'attacked-'))
const app = await createTestApp({
  types,
  components,
  plugins: [
    [i18n, { locales: ['fr', 'de'] }],
    draftAndPublish,
    [
      usersPermissions,
      {
        jwtSecret: secret,
        ratelimit: { enabled: false },
        email: { provider: 'file', providerOptions: { path: join(folder, 'mail.jsonl') } },
        sessions: { enabled: true },
        ...settings,
      },
    ],
    [upload, { folder: join(folder, 'uploads') }],
    [apiTokens, { salt }],
    [graphql, { apolloServer: { introspection: false } }],
  ],
  config: {
    permissions,
    database: database ?? { client: 'sqlite', filename: join(folder, 'data.db') },
    // Clients of tests are busy with one answer for longer than others stay open.
    server: { host: '127.0.0.1', port: 0, keepAliveTimeout: 60_000, ...server },
    api: { rest: { dialect } },
  },
  log: createLog('error'),
})
const known = await fill(app)
if (many) await addMany(app, many)
const { port } = await app.listen()
const hashes = await app.entries('admin::api-token').find({ fields: ['accessKey'] })
process.send?.({
  ...known,
  url: `http://127.0.0.1:${port}`,
  folder,
  routes: app.routes.map(({ method, path, at, action, uid }) => ({ method, path, at, action, uid })),
  secrets: [secret, salt, ...hashes.map(({ accessKey }) => accessKey)],
})
process.on('message', question => {
  // A property written to a prototype is there for all objects.
  if (question === 'polluted') process.send?.([...Object.keys(Object.prototype), ...Object.keys(Array.prototype)])
  if (question === 'tables') void count().then(counts => process.send?.(counts))
})
const count = async () => {
  const counts = {}
  for (const { table } of app.types.types.values()) {
    const { sql, bindings } = app.store.knex(table).count('*').toSQL().toNative()
    counts[table] = Number((await app.store.reader.all(sql, bindings))[0]?.[0])
  }
  return counts
}
process.on('disconnect', async () => {
  await app.close()
  rmSync(folder, { recursive: true, force: true })
  process.exit()
})
