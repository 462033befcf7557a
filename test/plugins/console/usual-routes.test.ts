import assert from 'node:assert/strict'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, it, onTestFinished } from 'vitest'
import type { Permissions, TypeMeta } from '../../../plugins/console/model/meta.js'
import type { OpenProject, ProjectFolder } from '../../strapi4/project.js'
import { onSqlite } from '../../support/engines.js'
import { addFiles } from '../admin/project.js'
import { copyWithConsole, Editor, openProject } from './project.js'

const router = (name: string, options: string) =>
  `module.exports = require('@strapi/strapi').factories.createCoreRouter('api::${name}.${name}', ${options})\n`

/** Routers that leave endpoints out or move them, a controller in the place of others, and a plugin with a type of its own. */
const files = {
  'src/api/article/routes/article.js': router('article', "{ only: ['find'] }"),
  'src/api/article/controllers/article.js': `const { createCoreController } = require('@strapi/strapi').factories
module.exports = createCoreController('api::article.article', () => ({ find: () => ({ by: 'code' }) }))`,
  'src/api/author/routes/author.js': router('author', "{ prefix: '/v2', except: ['delete'] }"),
  'src/api/author/routes/all.js': `module.exports = { routes: [
  { method: 'GET', path: '/all-authors', handler: 'author.find', config: { auth: false } },
] }`,
  'src/api/homepage/routes/homepage.js': router('homepage', "{ except: ['update'] }"),
  'src/plugins/reviews/strapi-server.js': `module.exports = {
  contentTypes: { review: { schema: {
    kind: 'collectionType', collectionName: 'reviews', options: {}, attributes: { text: { type: 'string' } },
    info: { singularName: 'review', pluralName: 'reviews', displayName: 'Review' },
  } } },
}`,
}

/** The same with a type that has no router at all, and one that its schema file keeps from editors. */
function make(): ProjectFolder {
  const project = copyWithConsole()
  const at = (path: string) => join(project.folder, path)
  rmSync(at('src/api/tag/routes'), { recursive: true })
  const category = 'src/api/category/content-types/category/schema.json'
  const schema = JSON.parse(readFileSync(at(category), 'utf8'))
  const settings = readFileSync(at('config/plugins.js'), 'utf8')
  addFiles(project, {
    ...files,
    [category]: JSON.stringify({ ...schema, pluginOptions: { 'content-manager': { visible: false } } }),
    'config/plugins.js': settings.replace(
      'admin: ',
      "reviews: { enabled: true, resolve: './src/plugins/reviews' },\n  admin: ",
    ),
  })
  return project
}

onSqlite('a project whose routers offer little', () => {
  let project: ProjectFolder
  let open: OpenProject
  let ada: Editor
  let edda: Editor
  let anton: Editor
  beforeAll(async () => {
    project = make()
    open = await openProject(project)
    before = await seen()
    ada = await Editor.signIn(open, 'ada')
    edda = await Editor.signIn(open, 'edda')
    anton = await Editor.signIn(open, 'anton')
  })
  afterAll(async () => {
    await open?.close()
    project?.remove()
  })

  const published = [
    '/articles',
    '/articles/1',
    '/articles/aggregate',
    '/authors',
    '/v2/1',
    '/tags',
    '/tags/1',
    '/homepage',
  ]
  const further = ['/all-authors', '/reviews', '/categories', '/nothing', '/users', '/upload/files', '/i18n/locales']
  const writes = [
    ...['/articles', '/v2', '/tags', '/articles/1/localizations', '/articles/1/actions/publish'].map(path => [
      'POST',
      path,
    ]),
    ...['/articles/1', '/tags/1', '/homepage', '/v2/1'].map(path => ['PUT', path]),
    ...['/articles/1', '/tags/1', '/v2/1'].map(path => ['DELETE', path]),
  ] as const

  /** What the API says to a client without credentials, and how it describes itself. */
  async function seen() {
    const asked = [...[...published, ...further].map(path => ['GET', path] as const), ...writes]
    const replies: Record<string, unknown> = {}
    for (const [method, path] of asked) {
      const { statusCode, payload } = await open.send({ method: method as 'GET', url: `/api${path}` })
      replies[`${method} ${path}`] = [statusCode, payload]
    }
    const { routes, actions } = open.app.outline
    return { replies, routes: JSON.stringify(routes), actions: JSON.stringify(actions) }
  }
  let before: Awaited<ReturnType<typeof seen>>

  it('offers that little to others', async () => {
    const statuses = Object.fromEntries(
      Object.entries(before.replies).map(([asked, reply]) => [asked, (reply as readonly unknown[])[0]]),
    )
    for (const path of ['/tags', '/tags/1', '/articles/1', '/authors', '/reviews', '/nothing'])
      assert.equal(statuses[`GET ${path}`], 404, path)
    assert.equal(statuses['GET /all-authors'], 200)
  })

  it('is edited by the standard actions, at the usual paths', async () => {
    const asks = async (editor: Editor, method: string, path: string, data?: unknown) => {
      const { status, body, text } = await editor.ask(method, `/console/api${path}`, data && { data })
      assert.equal(status, 200, `${method} ${path}: ${status} ${text}`)
      return body.data
    }
    for (const [plural, data] of [
      ['authors', { name: 'New' }],
      ['tags', { name: 'New' }],
      ['articles', { title: 'New', locale: 'en' }],
    ] as const) {
      const { id } = await asks(edda, 'POST', `/${plural}`, data)
      const [key, value] = Object.entries(data)[0] as [string, string]
      assert.equal((await asks(edda, 'GET', `/${plural}/${id}?publicationState=preview`)).attributes[key], value)
      assert.equal((await asks(edda, 'PUT', `/${plural}/${id}`, { [key]: 'Changed' })).attributes[key], 'Changed')
      const found = await asks(edda, 'GET', `/${plural}?publicationState=preview&filters[${key}]=Changed`)
      assert.deepEqual(
        found.map((one: { id: number }) => one.id),
        [id],
      )
      await asks(edda, 'DELETE', `/${plural}/${id}`)
      assert.equal((await edda.get(`/console/api/${plural}/${id}`)).status, 404)
    }
    assert.equal((await asks(edda, 'PUT', '/homepage', { headline: 'Changed' })).attributes.headline, 'Changed')
  })

  it('is published and localized, with the permissions that the editor has', async () => {
    const made = await edda.ask('POST', '/console/api/articles', { data: { title: 'New', locale: 'en' } })
    const at = `/console/api/articles/${made.body.data.id}`
    assert.equal(made.body.data.attributes.publishedAt, null)
    const published = await edda.ask('POST', `${at}/actions/publish`, {})
    assert.ok(published.body.data.attributes.publishedAt, published.text)
    const localized = await edda.ask('POST', `${at}/localizations`, { locale: 'de', title: 'Neu' })
    assert.deepEqual([localized.status, localized.body.locale], [200, 'de'], localized.text)
    assert.equal((await anton.ask('PUT', at, { data: { title: 'taken' } })).status, 404)
    assert.equal((await anton.ask('POST', `${at}/actions/publish`, {})).status, 403)
  })

  it('has types of its plugins, too', async () => {
    const made = await ada.ask('POST', '/console/api/reviews', { data: { text: 'good' } })
    assert.equal(made.status, 200, made.text)
    const { id } = made.body.data
    const changed = await ada.ask('PUT', `/console/api/reviews/${id}`, { data: { text: 'better' } })
    assert.equal(changed.body.data.attributes.text, 'better')
    assert.equal((await ada.get('/console/api/reviews')).body.meta.pagination.total, 1)
    assert.equal((await edda.get('/console/api/reviews')).status, 403)
  })

  it('answers editors with no code of its own, and has no other path for them', async () => {
    for (const path of ['/all-authors', '/v2', '/v2/1', '/nothing', '/homepage/1'])
      assert.equal((await ada.get(`/console/api${path}`)).status, 404, path)
    assert.equal((await ada.get('/console/api/articles')).body.by, undefined)
    for (const path of ['/users', '/upload/files', '/i18n/locales'])
      assert.equal((await ada.get(`/console/api${path}`)).status, 200, path)
  })

  it('describes all types that may be edited, with their paths', async () => {
    const { types } = await ada.meta()
    const pathOf = (uid: string) => types.find(type => type.uid === uid)?.path
    assert.deepEqual(
      [
        'api::article.article',
        'api::author.author',
        'api::tag.tag',
        'plugin::reviews.review',
        'plugin::upload.file',
      ].map(pathOf),
      ['/articles', '/authors', '/tags', '/reviews', '/upload/files'],
    )
    const { options, can } = types.find(({ uid }) => uid === 'api::article.article') as TypeMeta
    assert.deepEqual([options.aggregate, options.uid, can.create], [true, true, {}])
    const hidden = types.find(({ uid }) => uid === 'api::category.category')
    const nothing: Permissions = { read: null, create: null, update: null, delete: null, publish: null }
    assert.deepEqual(hidden?.can ?? nothing, nothing)
    assert.equal(JSON.stringify(types).includes('isHidden'), false)
    assert.deepEqual((await edda.type('api::tag.tag'))?.can.create, {})
  })

  it('goes on offering that little to others', async () => {
    const { replies, routes, actions } = await seen()
    // Its headline has been changed.
    const lasting = ({ 'GET /homepage': _, ...rest }: Record<string, unknown>) => rest
    assert.deepEqual(lasting(replies), lasting(before.replies))
    assert.deepEqual([routes, actions], [before.routes, before.actions])
  })
})

onSqlite('a project whose code is switched off', () => {
  it('is edited all the same', async () => {
    const project = make()
    const open = await openProject(project, { STELE_STRAPI_CODE: '0' })
    onTestFinished(async () => {
      await open.close()
      project.remove()
    })
    const edda = await Editor.signIn(open, 'edda')
    for (const path of ['/articles/1', '/authors/1', '/tags/1'])
      assert.equal((await edda.get(`/console/api${path}?publicationState=preview`)).status, 200, path)
    assert.equal((await open.get('/api/articles')).statusCode, 501)
  })
})
