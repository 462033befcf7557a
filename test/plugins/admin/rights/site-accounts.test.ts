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
  beforeAll(async () => {
    open = await openProjectOfEditors([graphql])
    const rights = ['create', 'read', 'update', 'delete'].map(right => may(right, user))
    const roles = { action: 'plugin::users-permissions.roles.read', subject: null, properties: {}, conditions: [] }
    all = await makeEditor(open.app, 'all', [await makeRole(open.app, 'all', [...rights, roles])])
    const fields = ['username', 'email', 'password', 'blocked', 'role', 'resetPasswordToken']
    const limited = [may('read', user, { fields }), may('update', user, { fields: ['username'], conditions: [own] })]
    few = await makeEditor(open.app, 'few', [await makeRole(open.app, 'few', limited)])
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

  it('are not changed beyond the rows', async () => {
    assert.equal((await send(few, 'POST', '/users', {})).status, 403)
    assert.equal((await send(few, 'DELETE', '/users/1')).status, 403)
    assert.equal((await send(few, 'PUT', '/users/1', { username: 'taken' })).status, 404)
    assert.equal((await send(few, 'GET', '/users/me')).status, 403)
    assert.equal((await send(few, 'GET', '/users-permissions/roles')).status, 403)
    assert.equal((await send(all, 'GET', '/users-permissions/roles')).status, 200)
    assert.equal((await send(all, 'PUT', '/users-permissions/roles/1', { name: 'x' })).status, 403)
    const mutation = 'mutation { updateUsersPermissionsUser(id: 1, data: { username: "taken" }) { data { id } } }'
    const { body } = await ask(open.app, few, { method: 'POST', path: '/graphql', body: { query: mutation } })
    assert.ok(body.errors)
    assert.equal((await open.app.entries(user).first({ where: { id: 1 } }))?.username, 'alice')
  })
})
