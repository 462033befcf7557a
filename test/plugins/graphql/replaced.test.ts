import assert from 'node:assert/strict'
import { describe, it, vi } from 'vitest'
import { makeCode } from '../../../plugins/users-permissions/codes.js'
import { atStart, dependencies, granting } from '../strapi-code/plugins/support.js'
import type { OpenOptions, RunningProject } from '../strapi-code/support/project.js'
import { schemaOf, start } from '../strapi-code/support/written.js'

const user = 'plugin::users-permissions.user'
const actions = [`${user}.create`, `${user}.update`, `${user}.destroy`, `${user}.find`, `${user}.findOne`]
const roles = ['createRole', 'updateRole', 'deleteRole'].map(action => `plugin::users-permissions.role.${action}`)
const auth = 'plugin::users-permissions.auth'
const notes = ['create', 'find', 'findOne', 'update', 'delete'].map(action => `api::note.note.${action}`)

const nora = `await strapi.plugin('users-permissions').service('user').add({ username: 'nora', email: 'nora@example.test', password: 'Passw0rd', provider: 'local', confirmed: true, role: 1 })
await strapi.plugin('users-permissions').service('user').add({ username: 'owen', email: 'owen@example.test', password: 'Passw0rd', provider: 'local', confirmed: true, role: 1 })`

const files = (code: string) => ({
  'package.json': dependencies({ '@strapi/plugin-graphql': '4.26.2' }),
  'src/extensions/users-permissions/strapi-server.js': `
    const { ApplicationError, ValidationError } = require('@strapi/utils').errors
    module.exports = plugin => { const { controllers, services } = plugin; const { routes } = plugin.routes['content-api']
    const told = globalThis[Symbol.for('told of replaced')] = []
    ${code}; return plugin }`,
  'config/plugins.js': `module.exports = { 'users-permissions': { config: { email: { provider: 'file', providerOptions: { path: require('path').join(__dirname, 'mails') } } } } }`,
  'src/api/note/content-types/note/schema.json': schemaOf('note', { title: { type: 'string' } }),
  'src/api/note/content-types/note/lifecycles.js': `module.exports = {
    beforeCreate({ params }) { params.data.title += ' heard' },
    afterCreate({ result }) { globalThis[Symbol.for('told of replaced')].push(result.title) },
    beforeUpdate({ params }) { if (params.data.title === 'no') throw new (require('@strapi/utils').errors.ApplicationError)('not so') },
  }`,
  'src/api/note/controllers/note.js': `module.exports = require('@strapi/strapi').factories.createCoreController('api::note.note', () => ({ create: () => { throw new Error('the controller') } }))`,
  'src/api/note/services/note.js': `module.exports = require('@strapi/strapi').factories.createCoreService('api::note.note', () => ({ create: () => { throw new Error('the service') } }))`,
  'src/api/note/routes/note.js': `module.exports = require('@strapi/strapi').factories.createCoreRouter('api::note.note')`,
  ...atStart(
    `${nora}; ${granting('authenticated', ...actions, ...roles, `${auth}.changePassword`)}; { ${granting('public', ...notes)} }`,
  ),
})

const toldOf = () => (globalThis as Record<symbol, unknown>)[Symbol.for('told of replaced')]

async function asked(code: string, options: OpenOptions = {}, more: Readonly<Record<string, string>> = {}) {
  const project = await start({ ...files(code), ...more }, options)
  return Object.assign(askingOf(project), { project })
}

const askingOf =
  (project: RunningProject) =>
  async (query: string, auth = 'none') => {
    const { text, headers } = await project.send({ auth, method: 'POST', path: '/graphql', body: { query } })
    const { data, errors = [] } = JSON.parse(text)
    return {
      data,
      headers,
      errors: errors.map((one: { message: string; extensions: { code: string } }) => [
        one.extensions.code,
        one.message,
      ]),
    }
  }

const login = (password = 'Passw0rd') =>
  `mutation { login(input: { identifier: "nora", password: "${password}" }) { jwt user { username } } }`
const register = (name: string) =>
  `mutation { register(input: { username: "${name}", email: "${name}@example.test", password: "Passw0rd" }) { jwt user { username } } }`

describe('actions of accounts that the code of a project replaces', () => {
  it('are those that GraphQL runs', async () => {
    const ask = await asked(`
      const { callback, register, emailConfirmation } = controllers.auth
      controllers.auth.callback = async ctx => {
        told.push([ctx.method, ctx.path, ctx.params.provider, ctx.request.body, ctx.state.user?.username])
        if (ctx.request.body.password === 'thrown') throw new ValidationError('no such password')
        if (ctx.request.body.password === 'locked') return ctx.forbidden('locked out')
        if (ctx.request.body.password === 'broken') throw new Error('a secret')
        if (ctx.request.body.password === 'second') return { second: 'factor' }
        ctx.set('x-code', 'ran'); ctx.cookies.set('seen', 'yes', { signed: false })
        await callback(ctx)
        ctx.body.user.username += ' by code'
      }
      controllers.auth.register = async ctx => {
        if (ctx.request.body.username === 'evil') throw new ApplicationError('not you', { why: 1 })
        return register(ctx)
      }
      controllers.auth.forgotPassword = ctx => { told.push(ctx.request.body); ctx.send({ ok: true }) }
      controllers.auth.resetPassword = ctx => ctx.badRequest('closed')
      controllers.auth.changePassword = ctx => ({ jwt: 'none', user: { id: ctx.state.user.id, username: ctx.state.user.username } })
      controllers.auth.emailConfirmation = ctx => { told.push(ctx.query.confirmation); return emailConfirmation(ctx) }
    `)
    const { data, headers } = await ask(login(), 'user2')
    assert.deepEqual([typeof data.login.jwt, data.login.user.username], ['string', 'nora by code'])
    assert.equal(headers['x-code'], 'ran')
    assert.match(String(headers['set-cookie']), /seen=yes/)
    assert.match(String(headers['content-type']), /json/)
    const body = { identifier: 'nora', password: 'Passw0rd', provider: 'local' }
    assert.deepEqual(toldOf(), [['POST', '/api/auth/local', 'local', body, 'owen']])
    assert.deepEqual((await ask(login('thrown'))).errors, [['BAD_USER_INPUT', 'no such password']])
    assert.deepEqual((await ask(login('locked'))).errors, [['FORBIDDEN', 'locked out']])
    const broken = (await ask(login('broken'))).errors
    assert.equal(broken[0][0], 'INTERNAL_SERVER_ERROR')
    assert.doesNotMatch(broken[0][1], /secret/)
    assert.match((await ask(login('second'))).errors[0][1], /replaces this action/)
    assert.deepEqual((await ask(login('wrong'))).errors, [['BAD_USER_INPUT', 'Invalid identifier or password']])
    assert.deepEqual((await ask(register('evil'))).errors, [['STRAPI_APPLICATION_ERROR', 'not you']])
    assert.equal((await ask(register('good'))).data.register.user.username, 'good')
    assert.deepEqual((await ask('mutation { forgotPassword(email: "x@example.test") { ok } }')).data, {
      forgotPassword: { ok: true },
    })
    const passwords = 'password: "Passw0rd2", passwordConfirmation: "Passw0rd2"'
    assert.deepEqual((await ask(`mutation { resetPassword(code: "c", ${passwords}) { jwt } }`)).errors, [
      ['STRAPI_BAD_REQUEST_ERROR', 'closed'],
    ])
    const change = `mutation { changePassword(currentPassword: "Passw0rd", ${passwords}) { jwt user { username } } }`
    assert.deepEqual((await ask(change)).errors[0][0], 'FORBIDDEN')
    assert.deepEqual((await ask(change, 'user1')).data.changePassword, { jwt: 'none', user: { username: 'nora' } })
    assert.deepEqual((await ask('mutation { emailConfirmation(confirmation: "wrong") { jwt } }')).errors, [
      ['BAD_USER_INPUT', 'Invalid token'],
    ])
    assert.deepEqual((toldOf() as unknown[]).at(-1), 'wrong')
  })

  it('are run for accounts and roles that are written', async () => {
    const ask = await asked(`
      const { create, destroy } = controllers.user
      controllers.user.create = async ctx => { ctx.request.body.username += ' by code'; return create(ctx) }
      controllers.user.update = ctx => { throw new ApplicationError('nobody changes ' + ctx.params.id) }
      controllers.user.destroy = async ctx => { if (ctx.params.id === '2') throw new ApplicationError('not this one'); told.push(ctx.path); return destroy(ctx) }
      controllers.role.createRole = ctx => { told.push(ctx.request.body.name); ctx.send({ ok: true }) }
      controllers.role.updateRole = ctx => { told.push(ctx.params.role); ctx.send({ ok: true }) }
      controllers.role.deleteRole = ctx => { throw new ApplicationError('roles stay') }
    `)
    const answer = '{ data { id attributes { username } } }'
    const by = 'user1'
    const made = await ask(
      `mutation { createUsersPermissionsUser(data: { username: "a", email: "a@example.test", password: "Passw0rd", role: "1" }) ${answer} }`,
      by,
    )
    assert.deepEqual(made.errors, [])
    const { id, attributes } = made.data.createUsersPermissionsUser.data
    assert.equal(attributes.username, 'a by code')
    const update = `mutation { updateUsersPermissionsUser(id: "1", data: { username: "b" }) ${answer} }`
    assert.deepEqual((await ask(update, by)).errors, [['STRAPI_APPLICATION_ERROR', 'nobody changes 1']])
    const remove = (which: string) => `mutation { deleteUsersPermissionsUser(id: "${which}") ${answer} }`
    assert.deepEqual((await ask(remove('2'), by)).errors, [['STRAPI_APPLICATION_ERROR', 'not this one']])
    assert.equal((await ask(remove(id))).errors[0][0], 'FORBIDDEN')
    const removed = await ask(remove(id), by)
    assert.deepEqual([removed.errors, removed.data.deleteUsersPermissionsUser.data.attributes], [[], attributes])
    assert.deepEqual((await ask(remove(id), by)).data.deleteUsersPermissionsUser, { data: null })
    assert.deepEqual((await ask('mutation { createUsersPermissionsRole(data: { name: "r" }) { ok } }', by)).data, {
      createUsersPermissionsRole: { ok: true },
    })
    assert.deepEqual((await ask('mutation { updateUsersPermissionsRole(id: "2", data: {}) { ok } }', by)).errors, [])
    assert.deepEqual((await ask('mutation { deleteUsersPermissionsRole(id: "2") { ok } }', by)).errors, [
      ['STRAPI_APPLICATION_ERROR', 'roles stay'],
    ])
    assert.deepEqual(toldOf(), [`/api/users/${id}`, 'r', '2'])
  })

  it('are run with the policies and middlewares of their routes, and with services of the code', async () => {
    const ask = await asked(`
      const route = name => routes.find(({ handler, method }) => handler === name && method === 'POST')
      route('auth.register').config.policies = [ctx => ctx.request.body.username !== 'evil']
      route('auth.callback').config.middlewares.push((ctx, next) => { told.push(ctx.request.body.identifier); return next() })
      const { jwt } = services
      plugin.services = { ...services, jwt: parts => ({ ...jwt(parts), issue: ({ id }) => 'token of ' + id }) }
    `)
    assert.equal((await ask(register('evil'))).errors[0][0], 'FORBIDDEN')
    assert.deepEqual((await ask(register('good'))).data.register, { jwt: 'token of 3', user: { username: 'good' } })
    assert.equal((await ask(login())).data.login.jwt, 'token of 1')
    assert.deepEqual(toldOf(), ['nora'])
    // Work that follows the response is done, and an address is confirmed without a page to go to.
    const accounts = ask.project.app.entries(user)
    const asksReset = await ask('mutation { forgotPassword(email: "nora@example.test") { ok } }')
    assert.deepEqual([asksReset.errors, asksReset.data], [[], { forgotPassword: { ok: true } }])
    await vi.waitFor(async () => {
      const found = await accounts.first({ where: { resetPasswordToken: { $notNull: true } } })
      assert.equal(found?.username, 'nora')
    })
    const { sent, stored } = makeCode(40, 3600)
    await accounts.update(2, { confirmed: false, confirmationToken: stored })
    const { data } = await ask(
      `mutation { emailConfirmation(confirmation: "${sent}") { jwt user { username confirmed } } }`,
    )
    assert.deepEqual(data.emailConfirmation, { jwt: 'token of 2', user: { username: 'owen', confirmed: true } })
  })

  it('may have been taken away', async () => {
    const ask = await asked(
      `plugin.routes['content-api'].routes = routes.filter(({ handler }) => handler !== 'auth.register'); controllers.auth.callback = ctx => ctx.send({ jwt: 'x', user: { id: 1, username: 'x' } })`,
    )
    assert.equal((await ask(register('good'))).errors[0][0], 'FORBIDDEN')
    assert.equal((await ask(login())).data.login.jwt, 'x')
  })

  it('are refused in the words of the code also where it has global middlewares', async () => {
    const code = `controllers.auth.callback = ctx => { throw new ApplicationError('not now') }
      controllers.auth.register = ctx => ctx.send({ jwt: 'x', user: { id: 1, username: 'x' } })`
    const names = ['errors', 'security', 'cors', 'poweredBy', 'query', 'body'].map(name => `strapi::${name}`)
    const middlewares = `module.exports = ${JSON.stringify([...names, 'global::all'])}`
    const all = 'module.exports = () => (ctx, next) => next()'
    const ask = await asked(code, {}, { 'config/middlewares.js': middlewares, 'src/middlewares/all.js': all })
    assert.deepEqual((await ask(login())).errors, [['STRAPI_APPLICATION_ERROR', 'not now']])
    assert.equal((await ask(register('good'))).data.register.jwt, 'x')
  })

  it('are not done by the server in their place where the code does not run', async () => {
    const file = 'src/extensions/users-permissions/strapi-server.js'
    const code = 'module.exports = plugin => { plugin.controllers.auth.callback = ctx => ctx.send({}); return plugin }'
    const ask = await asked('', { variables: { STELE_STRAPI_CODE: '0' } }, { [file]: code })
    assert.deepEqual((await ask(login())).errors[0][0], 'STRAPI_NOT_IMPLEMENTED_ERROR')
    assert.equal((await ask(register('good'))).data.register.user.username, 'good')
  })
})

it('mutations of the content are heard by lifecycles, and not by controllers and services of the code', async () => {
  const ask = await asked('')
  const { data, errors } = await ask('mutation { createNote(data: { title: "a" }) { data { attributes { title } } } }')
  assert.deepEqual([errors, data?.createNote.data.attributes], [[], { title: 'a heard' }])
  assert.deepEqual(toldOf(), ['a heard'])
  const { errors: refused } = await ask('mutation { updateNote(id: 1, data: { title: "no" }) { data { id } } }')
  assert.deepEqual(refused, [['STRAPI_APPLICATION_ERROR', 'not so']])
})
