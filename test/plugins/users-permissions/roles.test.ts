import assert from 'node:assert/strict'
import { it } from 'vitest'
import { definePlugin, type KnownAction } from '../../../core/index.js'
import { events } from '../../../plugins/events/index.js'
import { Actions } from '../../../plugins/users-permissions/actions.js'
import { outlineOf, sampleFolder } from '../../openapi/outline.js'
import { type Body, contract, refused } from '../../support/contract.js'
import { pluginNames } from '../../support/plugin-names.js'
import { account, administration, asUser, plainError, userUid, world } from './people.js'

const tag = { attributes: { name: { type: 'string' } } }
const page = { kind: 'singleType', attributes: { name: { type: 'string' } } }
const editor = asUser(1)
const names = ['id', 'name', 'description', 'type', 'createdAt', 'updatedAt']
const tree = (switches: object) => ({ 'api::tag': { controllers: { tag: switches } } })
const on = { enabled: true, policy: '' }
const off = { enabled: false, policy: '' }

contract(
  'roles over HTTP',
  world({
    types: { tag, page },
    roles: { editor: [...administration, 'api::tag.tag.find'] },
    accounts: { eddie: { role: 'editor' }, alice: {}, bob: {} },
    rows: app => app.entries('api::tag.tag').create({ name: 'a' }),
  }),
  api => {
    const send = (method: string, path: string, body?: unknown, headers = editor) =>
      api.send(method, `/users-permissions${path}`, body, headers)
    const role = async (type: string): Promise<Body> =>
      (await send('GET', '/roles')).body.roles.find((one: Body) => one.type === type)

    it('are listed with how many accounts have them', async () => {
      const { status, body } = await send('GET', '/roles')
      assert.equal(status, 200)
      assert.deepEqual(
        body.roles.map(({ type, name, nb_users }: Body) => [type, name, nb_users]),
        [
          ['authenticated', 'Authenticated', 2],
          ['public', 'Public', 0],
          ['editor', 'editor', 1],
        ],
      )
      assert.deepEqual(Object.keys(body.roles[0]), [...names, 'nb_users'])
    })

    it('by id come with every action of the app, on or off', async () => {
      const { id } = await role('editor')
      const { body } = await send('GET', `/roles/${id}`)
      const { permissions, ...rest } = body.role
      assert.deepEqual(Object.keys(rest), names)
      assert.deepEqual(permissions['api::tag'].controllers.tag, {
        ...{ find: on, findOne: off, create: off, update: off, delete: off },
      })
      assert.deepEqual(permissions['api::page'].controllers.page, { find: off, update: off, delete: off })
      const { auth, user, role: roles, permissions: own } = permissions['plugin::users-permissions'].controllers
      assert.deepEqual(Object.keys(user), ['create', 'update', 'find', 'count', 'me', 'findOne', 'destroy'])
      assert.deepEqual(Object.keys(roles), ['createRole', 'findOne', 'find', 'updateRole', 'deleteRole'])
      assert.deepEqual(Object.keys(own), ['getPermissions'])
      for (const action of ['callback', 'connect', 'register', 'forgotPassword', 'resetPassword', 'changePassword'])
        assert.ok(action in auth, action)
      assert.deepEqual([auth.callback, auth.changePassword], [off, on])
    })

    it('there is a list of everything that can be granted', async () => {
      const { body } = await send('GET', '/permissions')
      assert.deepEqual(body.permissions['api::tag'].controllers.tag.find, off)
      assert.deepEqual(body.permissions['plugin::users-permissions'].controllers.user.find, off)
    })

    it('is made, changed and deleted; what it may do is replaced', async () => {
      const made = await send('POST', '/roles', { name: 'R', description: 'd', permissions: tree({ find: on }) })
      assert.deepEqual([made.status, made.body], [200, { ok: true }])
      const { id, ...rest } = await role('r')
      assert.deepEqual([rest.name, rest.description, rest.nb_users], ['R', 'd', 0])
      const user = await account(api.app, 'rudi', { role: 'r' })
      assert.equal((await api.get('/tags', asUser(user))).status, 200)

      const body = { name: 'R2', description: 'd2', permissions: tree({ find: off, findOne: { enabled: true } }) }
      assert.deepEqual((await send('PUT', `/roles/${id}`, body)).body, { ok: true })
      const changed = (await send('GET', `/roles/${id}`)).body.role
      assert.deepEqual([changed.name, changed.description, changed.type], ['R2', 'd2', 'r'])
      assert.deepEqual(changed.permissions['api::tag'].controllers.tag.findOne, on)
      assert.deepEqual(changed.permissions['api::tag'].controllers.tag.find, off)
      assert.equal((await api.get('/tags', asUser(user))).status, 403)
      assert.equal((await api.get('/tags/1', asUser(user))).status, 200)

      await send('PUT', `/roles/${id}`, { name: 'R3' })
      assert.equal((await api.get('/tags/1', asUser(user))).status, 403)
    })

    it('a role in use can be deleted: its accounts become public and stay', async () => {
      await send('POST', '/roles', { name: 'Short Lived', permissions: tree({ find: on }) })
      const { id } = await role('short_lived')
      const user = await account(api.app, 'sam', { role: 'short_lived' })
      assert.equal((await api.get('/tags', asUser(user))).status, 200)
      assert.deepEqual((await send('DELETE', `/roles/${id}`)).body, { ok: true })
      assert.equal((await api.get('/tags', asUser(user))).status, 403)
      const found = await api.app.entries(userUid).first({ where: { id: { $eq: user } }, populate: { role: true } })
      assert.equal((found as Body).role.type, 'public')
      assert.equal(
        await api.app.entries('plugin::users-permissions.permission').count({ role: { id: { $null: true } } }),
        0,
      )
      refused(await send('DELETE', `/roles/${id}`), { status: 404, message: 'Role not found' })
    })

    it('the role of visitors cannot be deleted', async () => {
      const { id } = await role('public')
      const { status, body } = await send('DELETE', `/roles/${id}`)
      assert.equal(status, 400)
      assert.deepEqual(body, plainError(400, 'ApplicationError', 'Cannot delete public role'))
    })

    it('that does not exist is a 404', async () => {
      for (const [method, body] of [['GET'], ['PUT', { name: 'x' }], ['DELETE']] as const)
        for (const id of ['99', 'abc', '0'])
          refused(await send(method, `/roles/${id}`, body), { status: 404, message: 'Role not found' })
    })

    it('refuses an empty body, a name that is none, and a type that is taken', async () => {
      const empty = plainError(400, 'ValidationError', 'Request body cannot be empty')
      for (const body of [{}, []]) assert.deepEqual((await send('POST', '/roles', body)).body, empty)
      assert.deepEqual((await send('PUT', '/roles/1', {})).body, empty)
      refused(await send('POST', '/roles', { name: 1 }), { status: 400, message: /^name must be a string$/ })
      refused(await send('POST', '/roles', { description: 'x' }), { status: 400, message: 'name is required' })
      refused(await send('POST', '/roles', { name: 'Public' }), {
        status: 400,
        message: 'type must be unique; another entry has this value',
      })
    })

    it('takes nothing else that is sent', async () => {
      const body = { id: 4711, name: 'Sly', users: [2], createdAt: '2020-01-01', permissions: 'all' }
      assert.equal((await send('POST', '/roles', body)).status, 200)
      const { id, createdAt, nb_users } = await role('sly')
      assert.ok(id < 100 && createdAt > '2024')
      assert.equal(nb_users, 0)
      await send('PUT', `/roles/${id}`, { id: 1, type: 'public', users: [2], permissions: [null, { controllers: 1 }] })
      assert.equal((await role('sly')).nb_users, 0)
    })

    it('is closed to who was not granted it', async () => {
      for (const [method, path, body] of [
        ['GET', '/roles'],
        ['GET', '/roles/1'],
        ['POST', '/roles', { name: 'x' }],
        ['PUT', '/roles/1', { permissions: tree({ find: on }) }],
        ['DELETE', '/roles/3'],
        ['GET', '/permissions'],
      ] as const)
        for (const headers of [asUser(2), {}])
          assert.equal((await send(method, path, body, headers as never)).status, 403)
    })
  },
)

/** Actions of its own, with and without a controller in their names. */
const odd = definePlugin({
  name: 'odd',
  actions: [
    { uid: 'plugin::odd', action: 'look' },
    { uid: 'plugin::odd', action: 'twice' },
    { uid: 'plugin::odd.odd', action: 'twice' },
    { uid: 'plugin::odd.page', action: 'turn' },
    { uid: 'odd', action: 'bare' },
  ],
})

/** Actions missing from the tree: of no controller, or of no plugin of this app. */
const unsaid = ['plugin::events.listen', 'plugin::odd.look', 'plugin::odd.twice', 'odd.bare', 'api::former.former.find']

const roundWorld = world({
  types: { tag },
  roles: { editor: administration },
  accounts: { eddie: { role: 'editor' } },
})
contract(
  'a role that is read over HTTP',
  { ...roundWorld, plugins: [events, odd, ...(roundWorld.plugins ?? [])] },
  api => {
    const path = '/users-permissions/roles'
    const permission = 'plugin::users-permissions.permission'
    const grantsOf = async (role: number) => {
      const found = await api.app.entries(permission).find({ where: { role: { id: { $eq: role } } } })
      return found.map(({ action }) => String(action)).sort()
    }
    const named = async (type: string) => {
      const { roles } = (await api.get(path, editor)).body
      return roles.find((one: Body) => one.type === type).id as number
    }
    const wholeOf = async (id: number) => (await api.get(`${path}/${id}`, editor)).body.role as Body
    const treeOf = async (id: number) => (await wholeOf(id)).permissions as Body

    it('and sent back keeps every permission, and those alone are taken away that the tree switches off', async () => {
      const all = (await api.get('/users-permissions/permissions', editor)).body.permissions as Body
      assert.deepEqual(all['plugin::odd'].controllers, { odd: { twice: off }, page: { turn: off } })
      const everything = JSON.parse(JSON.stringify(all).replaceAll('false', 'true'))
      const made = await api.send('POST', path, { name: 'Whole', permissions: everything }, editor)
      assert.equal(made.status, 200, made.text)
      const id = await named('whole')
      for (const action of unsaid) await api.app.entries(permission).create({ action, role: id })
      const before = await grantsOf(id)
      const tree = await treeOf(id)
      assert.equal(JSON.stringify(tree), JSON.stringify(everything))
      const send = (permissions: unknown) => api.send('PUT', `${path}/${id}`, { name: 'Whole', permissions }, editor)
      assert.equal((await send(tree)).status, 200)
      assert.deepEqual(await grantsOf(id), before)
      tree['plugin::odd'].controllers.odd.twice.enabled = false
      assert.equal((await send(tree)).status, 200)
      assert.deepEqual(
        await grantsOf(id),
        before.filter(action => action !== 'plugin::odd.odd.twice'),
      )
      assert.equal((await send({})).status, 200)
      assert.deepEqual(await grantsOf(id), [...unsaid].sort())
      assert.equal((await api.send('DELETE', `${path}/${id}`, undefined, editor)).status, 200)
      assert.deepEqual(await grantsOf(id), [])
    })

    it('and sent back as a whole is taken without a description, too', async () => {
      const made = await api.send('POST', path, { name: 'Bare', description: null, permissions: {} }, editor)
      assert.equal(made.status, 200, made.text)
      const id = await named('bare')
      const role = await wholeOf(id)
      assert.equal(role.description, null)
      const sent = await api.send('PUT', `${path}/${id}`, role, editor)
      assert.equal(sent.status, 200, sent.text)
      const { updatedAt: _, ...kept } = role
      const { updatedAt: __, ...read } = await wholeOf(id)
      assert.deepEqual(read, kept)
      await api.send('PUT', `${path}/${id}`, { description: 'd' }, editor)
      assert.equal((await wholeOf(id)).description, 'd')
      await api.send('PUT', `${path}/${id}`, { description: null }, editor)
      assert.equal((await wholeOf(id)).description, null)
      refused(await api.send('PUT', `${path}/${id}`, { description: 1 }, editor), {
        ...{ status: 400, message: 'description must be a string' },
      })
      assert.equal((await api.send('DELETE', `${path}/${id}`, undefined, editor)).status, 200)
    })
  },
)

it('the tree has a place of its own for every action of a controller, of every plugin', async () => {
  const plugins = {
    ...Object.fromEntries(pluginNames().map(name => [name, true])),
    'draft-and-publish': { enabled: true, config: { restrictPreview: true } },
    ...{ trash: { enabled: true, config: { all: true } }, versions: { enabled: true, config: { all: true } } },
  }
  const { actions } = await outlineOf(sampleFolder, { overrides: { plugins } })
  const tree = new Actions(actions)
  const names = actions.map(({ uid, action }: KnownAction) => `${uid}.${action}`)
  for (const part of ['plugin::events.listen', 'plugin::openapi.read', 'plugin::metrics.read', '.preview', '.versions'])
    assert.ok(
      names.some(name => name.endsWith(part)),
      part,
    )
  for (const { uid, action } of actions) {
    const name = `${uid}.${action}`
    assert.deepEqual([...tree.enabledIn(tree.tree(new Set([name])))], tree.has(name) ? [name] : [])
    assert.equal(tree.has(name), uid.includes('.'), name)
  }
})

contract(
  'visitors',
  world({ types: { tag }, roles: { editor: administration }, accounts: { eddie: { role: 'editor' } } }),
  api => {
    it('are refused with 403, and asked for credentials once nothing at all is open to them', async () => {
      assert.equal((await api.get('/tags')).status, 403)
      const { body } = await api.get('/users-permissions/roles', editor)
      const { id } = body.roles.find(({ type }: Body) => type === 'public')
      await api.send('PUT', `/users-permissions/roles/${id}`, { name: 'Public', permissions: tree({}) }, editor)
      const answer = await api.get('/tags')
      assert.equal(answer.status, 401)
      assert.deepEqual(answer.body, plainError(401, 'UnauthorizedError', 'Missing or invalid credentials'))
    })
  },
)

contract('a fresh database', world({ types: { tag } }), api => {
  it('has the two roles of Strapi 4 with what they may do there', async () => {
    const roles = await api.app
      .entries('plugin::users-permissions.role')
      .find({ sort: 'id', populate: { permissions: true } })
    assert.deepEqual(
      roles.map(({ name, description, type, permissions }) => ({
        ...{ name, description, type },
        actions: (permissions as Body[]).map(({ action }) => action.replace('plugin::users-permissions.', '')),
      })),
      [
        {
          name: 'Authenticated',
          description: 'Default role given to authenticated user.',
          type: 'authenticated',
          actions: ['user.me', 'auth.changePassword'],
        },
        {
          name: 'Public',
          description: 'Default role given to unauthenticated user.',
          type: 'public',
          actions: [
            ...['callback', 'connect', 'forgotPassword', 'resetPassword', 'register'],
            ...['emailConfirmation', 'sendEmailConfirmation'],
          ].map(action => `auth.${action}`),
        },
      ],
    )
  })

  it('lets no one read content', async () => {
    for (const method of ['GET', 'POST', 'PUT', 'DELETE'])
      for (const path of ['/tags', '/tags/1']) {
        const { status } = await api.send(method, path, { data: {} })
        assert.ok(status === 403 || status === 405, `${method} ${path} ${status}`)
      }
  })
})
