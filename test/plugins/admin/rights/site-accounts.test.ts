import assert from 'node:assert/strict'
import { afterAll, beforeAll, it } from 'vitest'
import { graphql } from '../../../../plugins/graphql/index.js'
import { onSqlite } from '../../../support/engines.js'
import { makeEditor, makeRole, may, own } from './newsroom.js'
import { type Asked, ask, type EditorsProject, openProjectOfEditors } from './world.js'

const user = 'plugin::users-permissions.user'

onSqlite('accounts of the site, for editors', () => {
  let open: EditorsProject
  let all: number
  let few: number
  let none: number
  let makers: number
  beforeAll(async () => {
    open = await openProjectOfEditors([graphql])
    const rights = ['create', 'read', 'update', 'delete'].map(right => may(right, user))
    const roles = { action: 'plugin::users-permissions.roles.read', subject: null, properties: {}, conditions: [] }
    all = await makeEditor(open.app, 'all', [await makeRole(open.app, 'all', [...rights, roles])])
    const fields = ['username', 'email', 'password', 'blocked', 'role', 'resetPasswordToken']
    const limited = [may('read', user, { fields }), may('update', user, { fields: ['username'], conditions: [own] })]
    few = await makeEditor(open.app, 'few', [await makeRole(open.app, 'few', limited)])
    none = await makeEditor(open.app, 'none', [
      await makeRole(open.app, 'none', [may('read', user, { fields: ['username'] })]),
    ])
    const made = { fields: ['username', 'email', 'password', 'role'] }
    makers = await makeEditor(open.app, 'makers', [
      await makeRole(open.app, 'makers', [may('create', user, made), may('read', user, { fields: ['username'] })]),
    ])
  })
  afterAll(() => open.close())

  const send = (id: number, method: Asked['method'], path: string, body?: unknown) =>
    ask(open.app, id, { method, path: `/api${path}`, body })

  it('are made, read, changed and deleted in their own form, and belong to the editor', async () => {
    const account = { username: 'new', email: 'new@example.test', password: 'a password', role: 1 }
    const made = await send(all, 'POST', '/users', account)
    assert.equal(made.status, 201, JSON.stringify(made.body))
    const id = Number(made.body.id)
    const [stored] = await open.app
      .entries(user)
      .find({ where: { id }, everything: true, populate: { createdBy: true } })
    assert.equal((stored?.createdBy as { id: number } | undefined)?.id, all)
    assert.equal((await send(all, 'PUT', `/users/${id}`, { blocked: true })).body.blocked, true)
    assert.equal((await send(all, 'GET', '/users/count')).body, 5)
    assert.equal((await send(all, 'DELETE', `/users/${id}`)).status, 200)
  })

  it('show no password and no code, whatever is listed and asked', async () => {
    await open.app.entries(user).update(1, { resetPasswordToken: 'a-code', confirmationToken: 'another-code' })
    for (const id of [all, few, 1]) {
      for (const path of ['/users', '/users/1', '/users?populate=*'])
        assert.doesNotMatch(
          JSON.stringify((await send(id, 'GET', path)).body),
          /a-code|another-code|\$2[aby]\$|assword"|Token"/,
          `${id} ${path}`,
        )
      assert.equal((await send(id, 'GET', '/users?filters[resetPasswordToken][$startsWith]=a')).status, 400)
      for (const query of ['sort=confirmationToken', 'fields=resetPasswordToken', 'fields=password'])
        assert.equal((await send(id, 'GET', `/users?${query}`)).status, 400, query)
    }
    const { body } = await send(few, 'GET', '/users/1')
    assert.deepEqual(Object.keys(body).sort(), ['blocked', 'createdAt', 'email', 'id', 'updatedAt', 'username'])
    const set = await send(all, 'PUT', '/users/1', { resetPasswordToken: 'mine', confirmationToken: 'mine' })
    assert.equal(set.status, 200)
    const [stored] = await open.app.entries(user).find({ where: { id: 1 }, everything: true })
    assert.deepEqual([stored?.resetPasswordToken, stored?.confirmationToken], ['a-code', 'another-code'])
  })

  it('have roles whose names are shown to who may read or write the role of an account, and nothing else of them', async () => {
    const { body } = await send(few, 'GET', '/users?populate=role&filters[role][name]=Authenticated&fields=id')
    assert.deepEqual(body[0].role, { id: 1, name: 'Authenticated' })
    for (const id of [few, makers])
      assert.deepEqual((await send(id, 'GET', '/users-permissions/roles')).body, {
        roles: [
          { id: 1, name: 'Authenticated' },
          { id: 2, name: 'Public' },
          { id: 3, name: 'Editor' },
        ],
      })
    for (const query of ['filters[role][type]=public', 'filters[role][users][id]=1', 'sort=role.description'])
      assert.equal((await send(few, 'GET', `/users?${query}`)).status, 400, query)
    assert.equal((await send(none, 'GET', '/users?filters[role][name]=Public')).status, 400)
    assert.equal((await send(all, 'GET', '/users-permissions/roles')).body.roles[0].nb_users, 3)
  })

  it('get a role that the editor chooses, also without the permission to see what roles may', async () => {
    const account = { username: 'chosen', email: 'chosen@example.test', password: 'a password' }
    const made = await send(makers, 'POST', '/users', { ...account, role: { connect: [{ id: 2 }] } })
    assert.equal(made.status, 201, JSON.stringify(made.body))
    const stored = await open.app
      .entries(user)
      .first({ where: { username: { $eq: 'chosen' } }, populate: { role: true } })
    assert.equal((stored?.role as { id: number } | undefined)?.id, 2)
    await open.app.entries(user).delete(Number(stored?.id))
  })

  it('are not changed beyond the rows', async () => {
    assert.equal((await send(few, 'POST', '/users', {})).status, 403)
    assert.equal((await send(few, 'DELETE', '/users/1')).status, 403)
    assert.equal((await send(few, 'PUT', '/users/1', { username: 'taken' })).status, 404)
    assert.equal((await send(few, 'GET', '/users/me')).status, 403)
    assert.equal((await send(none, 'GET', '/users-permissions/roles')).status, 403)
    assert.equal((await send(few, 'GET', '/users-permissions/roles/1')).status, 403)
    assert.equal((await send(all, 'GET', '/users-permissions/roles')).status, 200)
    assert.equal((await send(all, 'PUT', '/users-permissions/roles/1', { name: 'x' })).status, 403)
    const mutation = 'mutation { updateUsersPermissionsUser(id: 1, data: { username: "taken" }) { data { id } } }'
    const { body } = await ask(open.app, few, { method: 'POST', path: '/graphql', body: { query: mutation } })
    assert.ok(body.errors)
    assert.equal((await open.app.entries(user).first({ where: { id: 1 } }))?.username, 'alice')
  })
})
