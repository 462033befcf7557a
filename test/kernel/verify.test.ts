import assert from 'node:assert/strict'
import { it } from 'vitest'
import { connect } from '../../core/boot/connect.js'
import { loadConfig } from '../../core/boot/load-config.js'
import { type AnyPlugin, definePlugin } from '../../core/index.js'
import { boot } from '../../core/kernel.js'
import { createLog } from '../../core/log.js'
import { wings } from '../../core/wings.js'
import { apiTokens } from '../../plugins/api-tokens/index.js'
import { audit } from '../../plugins/audit/index.js'
import { cdn } from '../../plugins/cdn/index.js'
import { draftAndPublish } from '../../plugins/draft-and-publish/index.js'
import { events } from '../../plugins/events/index.js'
import { trash } from '../../plugins/trash/index.js'
import { upload } from '../../plugins/upload/index.js'
import { usersPermissions } from '../../plugins/users-permissions/index.js'
import { versions } from '../../plugins/versions/index.js'
import { onEveryEngine } from '../support/every-engine.js'

const page = (options: object, uid = 'api::page.page') => ({
  uid,
  source: 'page.json',
  schema: {
    kind: 'collectionType',
    collectionName: uid.startsWith('api') ? 'pages' : 'own_pages',
    info: { singularName: 'page', pluralName: 'pages', displayName: 'Page' },
    options,
    attributes: { title: { type: 'string' } },
  },
})

const withType = (options: object) => definePlugin({ name: 'own', contentTypes: [page(options, 'plugin::own.page')] })

const refusing = definePlugin({
  name: 'refusing',
  checks: [
    {
      start: ({ types, config, purpose }) => {
        throw new Error(`${types.types.size} types, ${Object.keys(config).length} settings, to ${purpose}`)
      },
    },
  ],
})

interface RefusedStart {
  readonly plugins: readonly AnyPlugin[]
  readonly config?: Readonly<Record<string, unknown>>
  readonly options?: object
  readonly permissions?: unknown
  readonly says: RegExp
}

const secrets = { jwtSecret: 'a long secret of this test 1234' }
const cases: readonly RefusedStart[] = [
  { plugins: [refusing], says: /plugin refusing could not start: 2 types, 0 settings, to serve/ },
  { plugins: [upload], config: { provider: 'aws-s3' }, says: /s3Options\.params\.Bucket is missing/ },
  { plugins: [upload], config: { provider: 'nowhere' }, says: /upload\.config\.provider "nowhere" is not known/ },
  { plugins: [usersPermissions], says: /users-permissions could not start: it needs a secret/ },
  {
    plugins: [usersPermissions],
    config: secrets,
    permissions: { roles: { editor: { permissions: { 'api::nowhere': ['find'] } } } },
    says: /config\/permissions/,
  },
  { plugins: [apiTokens], config: { salt: 'abc' }, says: /the secret to hash tokens with/ },
  { plugins: [events, cdn], config: { types: { 'api::pag.page': {} } }, says: /cdn\.config\.types: there is no type/ },
  {
    plugins: [audit],
    config: { secret: 'a long secret of this test 1234', attributes: { 'api::nowhere.nowhere': {} } },
    says: /audit\.config\.attributes: there is no/,
  },
  {
    plugins: [withType({ trash: true }), trash],
    says: /options\.trash is for content types of the app/,
  },
  {
    plugins: [withType({ versions: true }), versions],
    says: /options\.versions is for content types of the app/,
  },
  {
    plugins: [draftAndPublish],
    options: { scheduling: true },
    says: /options\.scheduling needs options\.draftAndPublish/,
  },
]

onEveryEngine('a plugin that refuses the start', engine => {
  for (const { plugins, config = {}, options = {}, permissions, says } of cases)
    it(`adds nothing to the database: ${says.source}`, async () => {
      const fresh = await engine.fresh()
      try {
        const settings = await loadConfig(import.meta.dirname, {
          bare: true,
          env: { NODE_ENV: 'production' },
          overrides: { database: fresh.database, permissions },
        })
        const last = plugins.length - 1
        const offered = plugins.map((plugin, at) => ({ plugin, enabled: true, config: at === last ? config : {} }))
        const log = createLog('silent')
        await assert.rejects(
          boot({ wings, config: settings, log, plugins: offered, definitions: [page(options)] }),
          says,
        )
        const opened = await connect(settings, log)
        try {
          const { tables } = await opened.introspect()
          assert.deepEqual([...tables.keys()], [])
        } finally {
          await opened.close()
        }
      } finally {
        await fresh.drop()
      }
    })
})
