import assert from 'node:assert/strict'
import { beforeAll, it } from 'vitest'
import { superAdminCode } from '../../../../plugins/admin/content-types.js'
import type { PermissionRow } from '../../../../plugins/admin/rights/permissions.js'
import { apiTokens } from '../../../../plugins/api-tokens/index.js'
import { audit } from '../../../../plugins/audit/index.js'
import type { AuditRecord } from '../../../../plugins/audit/records.js'
import { usersPermissions } from '../../../../plugins/users-permissions/index.js'
import { contract, type World } from '../../../support/contract.js'
import { article, author, makeEditor, makeRole, may, mayAll, newsroom, own, tag } from './newsroom.js'

const setting = (action: string, conditions: readonly string[] = []): PermissionRow => ({
  ...{ action, subject: null, properties: {}, conditions },
})
const each = (name: string, actions: readonly string[]) => actions.map(action => setting(`${name}.${action}`))
const managing = [
  ...each('admin::api-tokens', ['create', 'read', 'update', 'regenerate', 'delete']),
  ...each('plugin::users-permissions.roles', ['create', 'read', 'update', 'delete']),
]

/** Editors who may manage tokens and roles of visitors, and something else each. */
const people = {
  clerk: managing,
  reader: [...managing, may('read', article), ...mayAll(['create', 'read'], tag)],
  desk: [
    ...managing,
    ...mayAll(['create', 'read', 'update', 'delete'], article),
    ...each('plugin::upload', ['read', 'assets.create']),
    setting('plugin::upload.assets.update', [own]),
    setting('plugin::i18n.locale.create'),
  ],
  chief: [...managing, ...mayAll(['create', 'read', 'update', 'delete', 'publish'], article)],
  part: [
    ...managing,
    may('read', article, { fields: ['title'] }),
    may('update', article),
    may('read', tag, { conditions: [own] }),
    may('read', author, { fields: ['name', 'email', 'articles'] }),
  ],
  german: [...managing, ...mayAll(['create', 'read', 'update', 'delete', 'publish'], article, { locales: ['de'] })],
  none: [] as PermissionRow[],
} as const
type Person = keyof typeof people | 'ada'

const world = {
  ...newsroom,
  plugins: [
    ...newsroom.plugins,
    [apiTokens, { salt: 'a salt for tests' }],
    [usersPermissions, { jwtSecret: 'a secret of tests' }],
    [audit, { secret: 'a secret of this test, long enough' }],
  ],
  rows: async () => undefined,
} as const satisfies World

contract('permissions of the API are given by editors who have them', world, api => {
  const ids = new Map<Person, number>()
  beforeAll(async () => {
    for (const [name, rows] of Object.entries(people))
      ids.set(name as Person, await makeEditor(api.app, name, [await makeRole(api.app, name, rows)]))
    const [role] = await api.app.entries('admin::role').find({ where: { code: superAdminCode } })
    ids.set('ada', await makeEditor(api.app, 'ada', [Number(role?.id)]))
  })
  const send = (who: Person, method: string, path: string, body?: unknown) =>
    api.send(method, path, body, { 'x-editor': String(ids.get(who)) })
  let made = 0
  const wish = (data: object) => ({ data: { name: `token ${++made}`, type: 'custom', permissions: [], ...data } })
  const make = async (who: Person, data: object) => (await send(who, 'POST', '/api-tokens', wish(data))).status

  const whole = `${article}.`
  const given: readonly (readonly [Person, string, boolean])[] = [
    ['reader', `${whole}find`, true],
    ['reader', `${whole}findOne`, true],
    ['reader', `${whole}versions`, true],
    ['reader', `${whole}create`, false],
    ['reader', `${whole}deletedVersions`, false],
    ['reader', `${tag}.create`, true],
    ['reader', `${tag}.update`, false],
    ['reader', `${author}.find`, false],
    // Without the right to publish, as a program publishes with every create.
    ['desk', `${whole}find`, true],
    ['desk', `${whole}delete`, true],
    ['desk', `${whole}create`, false],
    ['desk', `${whole}update`, false],
    ['desk', `${whole}createLocalization`, false],
    ['desk', `${whole}restore`, false],
    ['desk', `${whole}publish`, false],
    ['desk', 'plugin::upload.content-api.find', true],
    ['desk', 'plugin::upload.content-api.destroy', false],
    ['desk', 'plugin::upload.content-api.upload', false],
    ['desk', 'plugin::i18n.locales.createLocale', true],
    ['desk', 'plugin::i18n.locales.deleteLocale', false],
    ['chief', `${whole}create`, true],
    ['chief', `${whole}update`, true],
    ['chief', `${whole}createLocalization`, true],
    ['chief', `${whole}restore`, true],
    ['chief', `${whole}publish`, true],
    ['chief', `${whole}purge`, false],
    ['chief', 'plugin::users-permissions.role.updateRole', true],
    ['chief', 'plugin::users-permissions.auth.register', false],
    // Programs have neither attributes, nor entries, nor languages of their own.
    ['part', `${whole}find`, false],
    ['part', `${whole}update`, false],
    ['part', `${tag}.find`, false],
    ['part', `${author}.find`, true],
    ['german', `${whole}find`, false],
    ['german', `${whole}update`, false],
    ['ada', `${whole}purge`, true],
    ['ada', 'plugin::users-permissions.auth.register', true],
  ]
  for (const [who, permission, isGiven] of given) {
    it(`${who} gives ${isGiven ? 'a token' : 'no token'} ${permission}`, async () => {
      assert.equal(await make(who, { permissions: [permission] }), isGiven ? 201 : 403)
      const empty = await send(who, 'POST', '/api-tokens', wish({}))
      const { id } = empty.body.data
      const changed = await send(who, 'PUT', `/api-tokens/${id}`, { data: { permissions: [permission] } })
      assert.equal(changed.status, isGiven ? 200 : 403, changed.text)
      const left = await send(who, 'GET', `/api-tokens/${id}`)
      assert.deepEqual(left.body.data.permissions, isGiven ? [permission] : [])
    })

    it(`${who} gives ${isGiven ? 'a role' : 'no role'} of visitors ${permission}`, async () => {
      const cut = permission.lastIndexOf('.')
      const [group, controller] = permission.slice(0, cut).split('.') as [string, string]
      const on = { [permission.slice(cut + 1)]: { enabled: true } }
      const tree = (switches: object) => ({ [group]: { controllers: { [controller]: switches } } })
      const status = async (method: string, path: string, permissions: object) => {
        const sent = { name: `Role ${++made}`, permissions }
        return (await send(who, method, `/users-permissions/roles${path}`, sent)).status
      }
      assert.equal(await status('POST', '', tree(on)), isGiven ? 200 : 403)
      assert.equal(await status('POST', '', tree({})), 200)
      const roles = await api.app.entries('plugin::users-permissions.role').find({ sort: 'id:desc', limit: 1 })
      const id = Number(roles[0]?.id)
      assert.equal(await status('PUT', `/${id}`, tree(on)), isGiven ? 200 : 403)
      // What a role has already is sent back with the rest, and given by nobody.
      if (isGiven) assert.equal(await status('PUT', `/${id}`, tree(on)), 200)
      const where = { role: { id: { $eq: id } } }
      const stored = await api.app.entries('plugin::users-permissions.permission').find({ where })
      assert.deepEqual(
        stored.map(({ action }) => action),
        isGiven ? [permission] : [],
      )
    })
  }

  it('tokens that reach all are those of Super Admins', async () => {
    for (const type of ['full-access', 'read-only']) {
      assert.equal(await make('chief', { type, permissions: undefined }), 403)
      const token = (await send('ada', 'POST', '/api-tokens', wish({ type, permissions: undefined }))).body.data
      const path = `/api-tokens/${token.id}`
      assert.equal((await send('chief', 'POST', `${path}/regenerate`)).status, 403)
      assert.equal((await send('chief', 'PUT', path, { data: { name: `renamed ${type}` } })).status, 200)
      const custom = (await send('chief', 'POST', '/api-tokens', wish({}))).body.data
      assert.equal((await send('chief', 'PUT', `/api-tokens/${custom.id}`, { data: { type } })).status, 403)
      assert.equal((await send('ada', 'POST', `${path}/regenerate`)).status, 200)
      assert.equal((await send('chief', 'DELETE', path)).status, 200)
    }
  })

  it('the key of a token is for those who may what it may', async () => {
    const token = (await send('chief', 'POST', '/api-tokens', wish({ permissions: [`${article}.create`] }))).body.data
    assert.match(token.accessKey, /^[0-9a-f]{256}$/)
    const regenerate = (who: Person) => send(who, 'POST', `/api-tokens/${token.id}/regenerate`)
    assert.equal((await regenerate('reader')).status, 403)
    assert.equal((await regenerate('chief')).status, 200)
    // A change keeps what the token has.
    const renamed = await send('reader', 'PUT', `/api-tokens/${token.id}`, { data: { name: 'renamed' } })
    assert.deepEqual([renamed.status, renamed.body.data.permissions], [200, [`${article}.create`]])
    const key = (await regenerate('chief')).body.data.accessKey
    const published = await api.send(
      'POST',
      '/articles',
      { data: { title: 'by a program' } },
      { authorization: `Bearer ${key}` },
    )
    assert.equal(published.status, 200)
  })

  it('each route has a permission of the panel', async () => {
    const { id } = (await send('ada', 'POST', '/api-tokens', wish({}))).body.data
    const requests = [
      ['GET', '/api-tokens', 'read'],
      ['GET', `/api-tokens/${id}`, 'read'],
      ['POST', '/api-tokens', 'create'],
      ['PUT', `/api-tokens/${id}`, 'update'],
      ['POST', `/api-tokens/${id}/regenerate`, 'regenerate'],
      ['DELETE', `/api-tokens/${id}`, 'delete'],
    ] as const
    const all = [...new Set(requests.map(([, , right]) => right))]
    for (const [method, path, needed] of requests) {
      const body = method === 'POST' || method === 'PUT' ? wish({}) : undefined
      const as = async (rights: readonly string[]) => {
        const name = `keeper ${++made}`
        const role = await makeRole(api.app, name, each('admin::api-tokens', rights))
        const editor = await makeEditor(api.app, name.replace(' ', '-'), [role])
        return (await api.send(method, path, body, { 'x-editor': String(editor) })).status
      }
      assert.equal(await as(all.filter(right => right !== needed)), 403, `${method} ${path}`)
      assert.equal(Math.floor((await as([needed])) / 100), 2, `${method} ${path}`)
    }
    assert.equal((await send('none', 'GET', '/api-tokens')).status, 403)
  })

  it('locales and roles of visitors, too', async () => {
    const requests = [
      ['POST', '/i18n/locales', { code: 'es' }, 'plugin::i18n.locale.create'],
      ['PUT', '/i18n/locales/es', { name: 'Spanish' }, 'plugin::i18n.locale.update'],
      ['DELETE', '/i18n/locales/es?entries=keep', undefined, 'plugin::i18n.locale.delete'],
      ['POST', '/users-permissions/roles', { name: 'Members' }, 'plugin::users-permissions.roles.create'],
      ['GET', '/users-permissions/roles', undefined, 'plugin::users-permissions.roles.read'],
      ['GET', '/users-permissions/roles/1', undefined, 'plugin::users-permissions.roles.read'],
      ['GET', '/users-permissions/permissions', undefined, 'plugin::users-permissions.roles.read'],
      ['PUT', '/users-permissions/roles/1', { name: 'Authenticated' }, 'plugin::users-permissions.roles.update'],
      ['DELETE', '/users-permissions/roles/1', undefined, 'plugin::users-permissions.roles.delete'],
    ] as const
    const all = [...new Set(requests.map(([, , , right]) => right))]
    for (const [method, path, body, needed] of requests) {
      const as = async (rights: readonly string[]) => {
        const name = `admin-${++made}`
        const editor = await makeEditor(api.app, name, [
          await makeRole(
            api.app,
            name,
            rights.map(one => setting(one)),
          ),
        ])
        return api.send(method, path, body, { 'x-editor': String(editor) })
      }
      assert.equal((await as(all.filter(right => right !== needed))).status, 403, `${method} ${path}`)
      const reply = await as([needed])
      assert.equal(reply.status, 200, `${method} ${path} ${reply.text}`)
    }
  })

  it('who did it is recorded', async () => {
    await send('reader', 'POST', '/api-tokens', wish({ permissions: [`${article}.find`] }))
    const records = api.app.plugins.find(({ spec }) => spec.name === 'audit')?.service as AuditRecord
    const found = await records.list({ limit: 2 })
    assert.deepEqual(
      found.map(({ uid, actor }) => [uid, actor]).sort(),
      ['admin::api-token', 'admin::api-token-permission'].map(uid => [uid, `admin ${ids.get('reader')}`]),
    )
  })
})
