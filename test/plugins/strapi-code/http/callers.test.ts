import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { describe, it } from 'vitest'
import type { RunningProject } from '../support/project.js'
import { schemaOf, start } from '../support/written.js'

const core = (name: string) =>
  Object.fromEntries(
    [
      ['controllers', 'Controller'],
      ['services', 'Service'],
      ['routes', 'Router'],
    ].map(([folder, part]) => [
      `src/api/${name}/${folder}/${name}.js`,
      `module.exports = require('@strapi/strapi').factories.createCore${part}('api::${name}.${name}')`,
    ]),
  )

const actions = ['find', 'findOne', 'create', 'update', 'delete']

/** A project with a type that everybody may use, and a controller that tells who asks. */
const files = {
  'package.json': JSON.stringify({
    name: 'written',
    dependencies: { '@strapi/strapi': '4.26.2', '@strapi/plugin-users-permissions': '4.26.2' },
  }),
  'config/plugins.js':
    "module.exports = ({ env }) => ({ 'users-permissions': { config: { jwtSecret: env('JWT_SECRET') } } })",
  'config/admin.js': "module.exports = ({ env }) => ({ apiToken: { salt: env('API_TOKEN_SALT') } })",
  'src/api/note/content-types/note/schema.json': schemaOf('note', {
    title: { type: 'string' },
    file: { type: 'media', multiple: false },
    files: { type: 'media', multiple: true },
  }),
  ...core('note'),
  'src/api/who/controllers/who.js': `module.exports = {
    who({ state: { user, auth, isAuthenticated } }) {
      return {
        user: user ? { username: user.username, role: user.role.type, hash: user.password.slice(0, 2) } : null,
        strategy: auth?.strategy.name ?? null,
        same: auth ? auth.credentials === user : null,
        credentials: auth?.credentials ? { name: auth.credentials.name, permissions: auth.credentials.permissions } : null,
        ability: auth ? auth.ability !== null : null,
        isAuthenticated: isAuthenticated ?? null,
      }
    },
  }`,
  'src/api/who/routes/who.js': `module.exports = { routes: [
    { method: 'GET', path: '/who', handler: 'who.who' },
    { method: 'GET', path: '/open', handler: 'who.who', config: { auth: false } },
    { method: 'GET', path: '/function', handler: ctx => ({ function: ctx.state.auth.strategy.name }) },
    { method: 'GET', path: '/tokens', handler: 'who.who', config: { auth: { strategies: ['api-token'] } } },
    { method: 'GET', path: '/both', handler: 'who.who', config: { auth: { scope: ['api::who.who.who', 'api::note.note.find'] } } },
  ] }`,
  'src/index.js': `module.exports = { async bootstrap({ strapi }) {
    const role = type => strapi.query('plugin::users-permissions.role').findOne({ where: { type } })
    const grant = async (type, list) => {
      const { id } = await role(type)
      for (const action of list) await strapi.query('plugin::users-permissions.permission').create({ data: { action, role: id } })
    }
    await grant('public', [...${JSON.stringify(actions)}.map(action => 'api::note.note.' + action), 'api::who.who.who'])
    await grant('authenticated', ['api::who.who.who'])
    await strapi.plugin('users-permissions').service('user').add({ username: 'nora', email: 'nora@example.test', password: 'Passw0rd', provider: 'local', confirmed: true, role: (await role('authenticated')).id })
    const hash = text => require('crypto').createHmac('sha512', process.env.API_TOKEN_SALT).update(text).digest('hex')
    for (const [name, type] of [['full', 'full-access'], ['own', 'custom'], ['read', 'read-only']])
      await strapi.query('admin::api-token').create({ data: { name, type, description: '', accessKey: hash(name + '-key') } })
    const own = await strapi.query('admin::api-token').findOne({ where: { name: 'own' } })
    await strapi.query('admin::api-token-permission').create({ data: { action: 'api::who.who.who', token: own.id } })
  } }`,
}

const secret = 'written-users-jwt-secret'
const jwt = (id: number) => {
  const now = Math.floor(Date.now() / 1000)
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const text = `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ id, iat: now, exp: now + 600 })}`
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
}

const asked = async (project: RunningProject, path: string, auth = 'none') => {
  const { status, text } = await project.send({ auth, method: 'GET', path })
  return [status, JSON.parse(text)] as const
}

describe('a caller, as code sees it', () => {
  it('is a visitor, an account with its role, or a token', async () => {
    const project = await start(files)
    const visitor = {
      ...{ user: null, strategy: 'users-permissions', same: false, credentials: null },
      ...{ ability: true, isAuthenticated: true },
    }
    assert.deepEqual(await asked(project, '/api/who'), [200, visitor])
    const user = { username: 'nora', role: 'authenticated', hash: '$2' }
    assert.deepEqual(await asked(project, '/api/who', jwt(1)), [200, { ...visitor, user, same: true, credentials: {} }])
    const token = (name: string, permissions: readonly string[], ability: boolean) => ({
      ...{ ...visitor, strategy: 'api-token', ability },
      credentials: { name, permissions },
    })
    assert.deepEqual(await asked(project, '/api/who', 'own-key'), [200, token('own', ['api::who.who.who'], true)])
    assert.deepEqual(await asked(project, '/api/tokens', 'full-key'), [200, token('full', [], false)])
    assert.equal((await asked(project, '/api/who', 'read-key'))[0], 403)
    const none = { user: null, strategy: null, same: null, credentials: null, ability: null, isAuthenticated: null }
    for (const auth of ['none', 'garbage', jwt(1)])
      assert.deepEqual(await asked(project, '/api/open', auth), [200, none])
  })

  it('needs all scopes of a route, and one of its strategies', async () => {
    const project = await start(files)
    const status = async (path: string, auth?: string) => (await asked(project, path, auth))[0]
    assert.equal(await status('/api/both'), 200)
    assert.equal(await status('/api/both', jwt(1)), 403)
    assert.equal(await status('/api/both', 'own-key'), 403)
    assert.equal(await status('/api/both', 'full-key'), 200)
    assert.equal(await status('/api/tokens', 'own-key'), 200)
    assert.equal(await status('/api/tokens', 'read-key'), 403)
    for (const auth of ['none', jwt(1), 'garbage']) assert.equal(await status('/api/tokens', auth), 401)
    assert.deepEqual(await asked(project, '/api/function', 'full-key'), [200, { function: 'api-token' }])
    assert.equal(await status('/api/function', 'own-key'), 403)
    const [, { error }] = await asked(project, '/api/function')
    assert.deepEqual([error.status, error.message], [401, 'Unauthorized'])
  })
})

describe('standard creates of a project with code', () => {
  const created = async (project: RunningProject, request: object) => {
    const { status, text, headers } = await project.send({
      auth: 'none',
      method: 'POST',
      path: '/api/notes?populate=*',
      ...request,
    })
    return { status, data: JSON.parse(text).data, replayed: headers['idempotency-replayed'] }
  }

  it('take a form with files', async () => {
    const project = await start(files)
    const file = (field: string, filename: string) => ({ field, filename, type: 'text/plain', text: `of ${filename}` })
    const { status, data } = await created(project, {
      multipart: {
        fields: [['data', { title: 'form' }]],
        files: [file('files.file', 'a.txt'), file('files.files', 'b.txt'), file('files.files', 'c.txt')],
      },
    })
    assert.equal(status, 200)
    assert.equal(data.attributes.title, 'form')
    assert.equal(data.attributes.file.data.attributes.name, 'a.txt')
    assert.deepEqual(
      data.attributes.files.data.map((one: { attributes: { name: string } }) => one.attributes.name).sort(),
      ['b.txt', 'c.txt'],
    )
  })

  it('are done once for a key of idempotency', async () => {
    const project = await start(files)
    const send = () => created(project, { headers: { 'idempotency-key': 'one' }, body: { data: { title: 'once' } } })
    const [first, second] = [await send(), await send()]
    assert.deepEqual([first.status, second.status, second.data.id, second.replayed], [200, 200, first.data.id, 'true'])
  })
})
