import assert from 'node:assert/strict'
import { beforeAll, it } from 'vitest'
import { apiTokens } from '../../../plugins/api-tokens/index.js'
import { audit } from '../../../plugins/audit/index.js'
import { events } from '../../../plugins/events/index.js'
import { usersPermissions } from '../../../plugins/users-permissions/index.js'
import { type Body, contract } from '../../support/contract.js'
import type { Editor } from './project.js'
import { signIn, world } from './world.js'

const secret = 'a secret of this test, long enough'
const [article, tag] = ['api::article.article', 'api::tag.tag']

/** The permissions of an account that may read these sections, and change some things there. */
const given = [
  ...['admin::webhooks.read', 'admin::audit-logs.read', 'plugin::i18n.locale.update'],
  ...['admin::api-tokens.read', 'admin::api-tokens.create', 'plugin::users-permissions.roles.read'],
]

contract(
  'sections of the settings for an account with some permissions',
  {
    ...world,
    plugins: [
      ...world.plugins,
      events,
      [apiTokens, { salt: secret }],
      [audit, { secret, show: 'value' }],
      [usersPermissions, { jwtSecret: secret }],
    ] as never,
    config: { webhooks: { build: { url: 'https://ci.example.com/' } } },
  },
  api => {
    let ada: Editor
    let ben: Editor
    beforeAll(async () => {
      ada = await signIn(api.app, 'Super Admin', 'ada@example.test')
      ben = await signIn(api.app, 'Author', 'ben@example.test')
      const { id } = (await api.app.entries('admin::role').first({ where: { name: { $eq: 'Author' } } })) as Body
      for (const action of given) await api.app.entries('admin::permission').create({ action, role: id } as never)
      const all = { action: 'plugin::content-manager.explorer.read', properties: {}, conditions: [], role: id }
      await api.app.entries('admin::permission').create({ ...all, subject: tag } as never)
    })

    it('are those that its permissions open, with what it may do there', async () => {
      const { settings, sectionRights } = await ben.meta()
      assert.deepEqual(settings, ['tokens', 'webhooks', 'languages', 'api-roles', 'activity', 'profile'])
      assert.deepEqual(sectionRights, { tokens: ['create'], languages: ['updateLocale'] })
      assert.deepEqual((await ada.meta()).sectionRights.webhooks, ['create', 'update', 'delete'])
    })

    const refused: [string, string, object?][] = [
      ['POST', 'events/webhooks', { data: {} }],
      ['POST', 'events/webhooks/config:build/test'],
      ['POST', 'events/deliveries/1/replay'],
      ['POST', 'i18n/locales', { code: 'es' }],
      ['DELETE', 'i18n/locales/1'],
      ['GET', 'i18n/locales/1/entries'],
      ['DELETE', 'api-tokens/1'],
      ['POST', 'api-tokens/1/regenerate'],
      ['POST', 'users-permissions/roles', { name: 'x' }],
      ['DELETE', 'users-permissions/roles/1'],
    ]
    for (const [method, path, body] of refused)
      it(`are no way around the others: ${method} ${path}`, async () =>
        assert.equal((await ben.ask(method, `/console/api/${path}`, body)).status, 403))

    it('offer for tokens what the account may do itself', async () => {
      const { body } = await ben.get('/console/api/api-tokens/actions')
      assert.deepEqual(body.meta, { mayGiveAll: false })
      const mayGive = (uid: string, action: string) =>
        body.data.find((one: Body) => one.uid === uid && one.action === action)?.mayGive
      assert.deepEqual([mayGive(tag, 'find'), mayGive(tag, 'create'), mayGive(article, 'find')], [true, false, false])
      assert.equal(
        body.data.some(({ uid }: Body) => uid === 'plugin::api-tokens'),
        false,
      )
      const all = (await ada.get('/console/api/api-tokens/actions')).body
      assert.deepEqual([all.meta.mayGiveAll, all.data.every((one: Body) => one.mayGive)], [true, true])
    })

    it('show the record with values of what the account may read alone, and names of editors', async () => {
      await ada.ask('POST', '/console/api/tags', { data: { name: 'Rye' } })
      await ada.ask('POST', '/console/api/authors', { data: { name: 'Ann' } })
      const last = async (editor: Editor, type: string) =>
        (await editor.get(`/console/api/audit/records?type=${type}&limit=1`)).body.data[0]
      assert.deepEqual((await last(ben, tag)).changes.name, { to: 'Rye' })
      assert.deepEqual((await last(ben, 'api::author.author')).changes.name, {})
      assert.deepEqual((await last(ada, 'api::author.author')).changes.name, { to: 'Ann' })
      const { actor, name } = await last(ben, tag)
      assert.deepEqual([actor, name], ['admin 1', 'Super Admin'])
    })
  },
)
