import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import type { RunningProject } from './support/project.js'
import { start } from './support/written.js'

const factories = "require('@strapi/strapi').factories"

const note = JSON.stringify({
  kind: 'collectionType',
  collectionName: 'notes',
  info: { singularName: 'note', pluralName: 'notes', displayName: 'note' },
  options: { draftAndPublish: false },
  attributes: {
    title: { type: 'string' },
    hidden: { type: 'string', private: true },
    pin: { type: 'password' },
    owner: { type: 'relation', relation: 'manyToOne', target: 'plugin::users-permissions.user' },
  },
})

const actions = ['find', 'findOne', 'create', 'update', 'delete'] as const

/** A project with a type, its files, and one entry with an owner. */
const files = (controller: string, routes: string, more: Readonly<Record<string, string>> = {}) => ({
  'package.json': JSON.stringify({
    name: 'guards',
    dependencies: { '@strapi/strapi': '4.26.2', '@strapi/plugin-users-permissions': '4.26.2' },
  }),
  'src/api/note/content-types/note/schema.json': note,
  'src/api/note/services/note.js': `module.exports = ${factories}.createCoreService('api::note.note')`,
  'src/api/note/controllers/note.js': `module.exports = ${factories}.createCoreController('api::note.note', ${controller})`,
  'src/api/note/routes/0-own.js': `module.exports = { routes: ${routes} }`,
  'src/api/note/routes/note.js': `module.exports = ${factories}.createCoreRouter('api::note.note')`,
  'src/index.js': `module.exports = { async bootstrap({ strapi }) {
    const user = await strapi.plugin('users-permissions').service('user').add({ username: 'ann', email: 'ann@x.org', password: 'Secret-of-Ann-1', confirmed: true, provider: 'local', resetPasswordToken: 'hidden-token' })
    await strapi.entityService.create('api::note.note', { data: { title: 'one', hidden: 'hidden-value', pin: 'Secret-pin-1', owner: user.id } })
    const [authenticated, visitor] = await Promise.all(['authenticated', 'public'].map(type => strapi.query('plugin::users-permissions.role').findOne({ where: { type } })))
    await strapi.query('plugin::users-permissions.user').update({ where: { id: user.id }, data: { role: authenticated.id } })
    for (const action of (strapi.config.get('granted') || { all: [] }).all)
      for (const role of [authenticated, visitor]) await strapi.query('plugin::users-permissions.permission').create({ data: { action, role: role.id } })
  } }`,
  ...more,
})

const granted = (...names: string[]) => ({ 'config/granted.js': `module.exports = { all: ${JSON.stringify(names)} }` })

const secret = /\$2[aby]\$|hidden-value|hidden-token|Secret/

async function ask(project: RunningProject, path: string, auth = 'none') {
  const { status, text } = await project.send({ auth, method: 'GET', path })
  return { status, text }
}

describe('hashes and private values', () => {
  const open = (name: string) =>
    `{ method: 'GET', path: '/own/${name}', handler: 'note.${name}', config: { auth: false } }`
  const controller = `({ strapi }) => ({
    async find(ctx) { return super.find(ctx) },
    async findOne(ctx) { return super.findOne(ctx) },
    async list(ctx) { return super.find(ctx) },
    async first(ctx) { ctx.params.id = 1; return super.findOne(ctx) },
    async sanitized(ctx) {
      const entries = await strapi.entityService.findMany('api::note.note', { populate: '*' })
      return this.transformResponse(await this.sanitizeOutput(entries, ctx))
    },
    async raw(ctx) {
      const entries = await strapi.db.query('api::note.note').findMany({ populate: true })
      return this.sanitizeOutput(entries, ctx)
    },
    async queried(ctx) {
      const { results } = await strapi.service('api::note.note').find(await this.sanitizeQuery(ctx))
      return this.sanitizeOutput(results, ctx)
    },
    async users(ctx) {
      const { sanitize } = require('@strapi/utils')
      const users = await strapi.query('plugin::users-permissions.user').findMany({ populate: true })
      return sanitize.contentAPI.output(users, strapi.getModel('plugin::users-permissions.user'), { auth: ctx.state.auth })
    },
    async deep(ctx) {
      ctx.query = { ...ctx.query, populate: { owner: { fields: ['password', 'resetPasswordToken'], populate: '*' } }, fields: ['pin', 'hidden', 'title'] }
      return super.find(ctx)
    },
  })`
  const names = ['list', 'first', 'sanitized', 'raw', 'queried', 'users', 'deep']
  const queries = [
    '',
    'populate=*',
    'populate=deep',
    'populate[owner]=*',
    'populate[owner][populate]=*',
    'populate[owner][fields][0]=password',
    'populate[owner][fields][0]=*',
    'fields[0]=pin&fields[1]=hidden',
    'fields=*&populate=owner.role.users',
    'sort=pin',
    'sort=owner.password',
    'populate[__proto__][fields]=password',
  ]

  it('leave by no way on which code asks for nothing of them', async () => {
    for (const rights of [
      [],
      ['find', 'findOne'].map(name => `api::note.note.${name}`),
      ['plugin::users-permissions.user.find', ...actions.map(name => `api::note.note.${name}`)],
    ]) {
      const project = await start(files(controller, `[${names.map(open)}]`, granted(...rights)))
      for (const auth of ['none', 'user1'])
        for (const path of [...names.map(name => `/api/own/${name}`), '/api/notes', '/api/notes/1'])
          for (const query of queries) {
            const { status, text } = await ask(project, `${path}?${query}`, auth)
            assert.doesNotMatch(text, secret, `${auth} ${path}?${query}`)
            assert.ok(
              status !== 500 || path === '/api/own/deep' || /sanitized|raw|users/.test(path),
              `${status} ${auth} ${path}?${query} ${text}`,
            )
          }
      // Without this the rest would show nothing.
      const { text } = await ask(project, '/api/own/sanitized')
      assert.match(text, /one/)
      await project.close()
    }
  })

  it('are found out by no filter or order', async () => {
    const project = await start(
      files(controller, `[${names.map(open)}]`, granted(...actions.map(name => `api::note.note.${name}`))),
    )
    for (const auth of ['none', 'user1'])
      for (const path of ['/api/own/list', '/api/own/first', '/api/own/queried', '/api/notes'])
        for (const at of [
          '[hidden]',
          '[pin]',
          '[owner][password]',
          '[owner][resetPasswordToken]',
          '[$or][0][owner][password]',
          '[$not][hidden]',
        ]) {
          const [right, wrong] = await Promise.all(
            [/hidden/.test(at) ? 'hidden-v' : at.includes('Token') ? 'hidden-t' : '$2', 'zzz'].map(start =>
              ask(project, `${path}?filters${at}[$startsWith]=${encodeURIComponent(start)}`, auth),
            ),
          )
          assert.deepEqual(right, wrong, `${auth} ${path} ${at}`)
        }
  })
})

describe('routes of the code', () => {
  it('with `auth: false` have no caller, whatever is sent', async () => {
    const project = await start(
      files(
        `({ strapi }) => ({ async who(ctx) { return { user: ctx.state.user?.id ?? null, auth: ctx.state.auth ?? null, data: (await super.find(ctx)).data } } })`,
        "[{ method: 'GET', path: '/who', handler: 'note.who', config: { auth: false } }]",
        granted('plugin::users-permissions.user.find'),
      ),
    )
    const texts = await Promise.all(
      ['none', 'user1', 'user99', 'nonsense'].map(auth => ask(project, '/api/who?populate=*', auth)),
    )
    for (const { status, text } of texts) {
      assert.equal(status, 200, text)
      assert.equal(text, texts[0]?.text)
    }
    assert.match(texts[0]?.text ?? '', /"user":null,"auth":null/)
  })

  it('keep the permission of the actions that they replace', async () => {
    const controller = `{ ${actions.map(name => `async ${name}(ctx) { return { code: '${name}' } }`).join(', ')} }`
    const requests = [
      ['GET', '/api/notes', 'find'],
      ['GET', '/api/notes/1', 'findOne'],
      ['POST', '/api/notes', 'create'],
      ['PUT', '/api/notes/1', 'update'],
      ['DELETE', '/api/notes/1', 'delete'],
    ] as const
    for (const allowed of [[], ['find'], ['update', 'delete']]) {
      const project = await start(files(controller, '[]', granted(...allowed.map(name => `api::note.note.${name}`))))
      for (const auth of ['none', 'user1'])
        for (const [method, path, name] of requests) {
          const body = method === 'POST' || method === 'PUT' ? { body: { data: { title: 'x' } } } : {}
          const { status, text } = await project.send({ auth, method, path, ...body })
          assert.equal(
            status,
            (allowed as readonly string[]).includes(name) ? 200 : 403,
            `${auth} ${method} ${path}: ${text}`,
          )
          if (status === 200) assert.deepEqual(JSON.parse(text), { code: name })
        }
      await project.close()
    }
  })

  it('are not gone round by other routes to the entries', async () => {
    const controller = `{ ${actions.map(name => `async ${name}(ctx) { return { code: '${name}' } }`).join(', ')} }`
    const project = await start(
      files(controller, '[]', {
        ...granted(...actions.map(name => `api::note.note.${name}`)),
        'config/plugins.js': `module.exports = Object.fromEntries(['bulk', 'patch', 'query-body', 'nested-create', 'versions', 'trash', 'draft-and-publish', 'v5-format'].map(name => [name, { enabled: true }]))`,
      }),
    )
    const rows = async () => {
      const { strapi } = globalThis as unknown as {
        strapi: { db: { query(uid: string): { findMany(): Promise<unknown> } } }
      }
      return JSON.stringify(await strapi.db.query('api::note.note').findMany())
    }
    const before = await rows()
    const data = { title: 'gone round' }
    const tries = [
      ['POST', '/api/notes/bulk', { operations: [{ create: data }, { update: 1, data }, { delete: 1 }] }],
      ['POST', '/api/notes/bulk', { operations: [{ create: data }], atomic: true }],
      ['POST', '/api/notes/bulk', { operations: [{ update: 1, data }] }],
      ['POST', '/api/notes/bulk', { operations: [{ delete: 1 }] }],
      ['PATCH', '/api/notes/1', { data }],
      ['QUERY', '/api/notes', { fields: ['title'] }],
      ['POST', '/api/notes/query', { fields: ['title'] }],
      ['GET', '/api/notes/aggregate?count=true', undefined],
      ['GET', '/api/notes/by/title/one', undefined],
      ['PUT', '/api/notes/by/title/one', { data }],
      ['GET', '/api/notes/', undefined],
      ['GET', '/api/notes/1/', undefined],
      ['GET', '/API/NOTES', undefined],
      ['GET', '/api//notes', undefined],
      ['GET', '/api/%6eotes', undefined],
      ['GET', '/api/notes/1%2f', undefined],
      ['HEAD', '/api/notes', undefined],
      ['GET', '/api/notes/1/versions', undefined],
    ] as const
    for (const [method, path, body] of tries) {
      const { status, text } = await project.send({ auth: 'user1', method, path, ...(body && { body }) })
      assert.ok(status >= 400 || text === '' || text.startsWith('{"code":'), `${method} ${path}: ${status} ${text}`)
    }
    assert.equal(await rows(), before)
  })

  it('are left to the server where nothing of them is replaced', async () => {
    const project = await start(
      files('{ async find() { return { code: true } } }', '[]', {
        ...granted(...actions.map(name => `api::note.note.${name}`)),
        'config/plugins.js': 'module.exports = { bulk: { enabled: true } }',
      }),
    )
    const { text } = await project.send({ auth: 'user1', method: 'GET', path: '/api/notes/1' })
    assert.match(text, /"title":"one"/)
  })
})

describe('the files of the code', () => {
  it('are reached by no request', async () => {
    const project = await start(
      files('{}', '[]', {
        'public/index.html': '<p>public</p>',
        'public/uploads/.gitkeep': '',
        ...granted(...actions.map(name => `api::note.note.${name}`)),
      }),
    )
    for (const path of [
      '/src/index.js',
      '/api/src/index.js',
      '/api/note/controllers/note.js',
      '/config/server.js',
      '/config/granted.js',
      '/package.json',
      '/uploads/../../src/index.js',
      '/uploads/..%2f..%2fsrc%2findex.js',
      '/uploads/%2e%2e/%2e%2e/src/index.js',
      '/..%2fsrc%2findex.js',
      '/.tmp/strapi-code',
      '/.env',
      '/api/notes/..%2f..%2fsrc%2findex.js',
      '/api/notes/__proto__',
      '/api/__proto__',
      '/api/constructor',
      '/api/notes/constructor',
    ]) {
      const { status, text } = await ask(project, path)
      assert.ok(status >= 400 && status < 500, `${path}: ${status}`)
      assert.doesNotMatch(text, /module\.exports|bootstrap|JWT/, path)
    }
  })
})
