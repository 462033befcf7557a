import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it, onTestFinished } from 'vitest'
import { createTestApp } from '../../../../core/index.js'
import { usersPermissions } from '../../../../plugins/users-permissions/index.js'
import { contract, type World } from '../../../support/contract.js'
import { addFiles, copyEditors, openEditors } from '../project.js'
import { command } from '../world.js'
import { article, makeEditor, makeRole, may, newsroom, own, tag } from './newsroom.js'

const editors = {
  translator: {
    name: 'Translator',
    description: 'Translates into German.',
    article: {
      read: { fields: ['title', 'body', 'card.text'], locales: ['de', 'en'] },
      update: { fields: ['title'], locales: ['de'], where: 'own' },
    },
    tag: ['read'],
    'plugin::upload': ['read', 'assets.create'],
  },
  'chief-translator': {
    inherits: 'translator',
    article: { update: { fields: ['*'] }, publish: true, read: false },
    page: true,
    'admin::users': ['read'],
  },
}

const world = {
  ...newsroom,
  plugins: [...newsroom.plugins, [usersPermissions, { jwtSecret: 'a secret of tests' }]],
  config: { permissions: { roles: { public: { tag: ['find'] } }, editors } },
  rows: async () => undefined,
} as const satisfies World

const parsed = (value: unknown) => (typeof value === 'string' ? JSON.parse(value) : value)

contract('editors that config/permissions declares', world, api => {
  const rowsOf = async (code: string) => {
    const where = { role: { code: { $eq: code } } }
    const rows = await api.app.entries('admin::permission').find({ where, sort: 'id' })
    return rows.map(({ action, subject, properties, conditions }) => [
      String(action).replace('plugin::content-manager.explorer.', ''),
      subject,
      parsed(properties),
      parsed(conditions),
    ])
  }
  const lines = async (name: string) => (await command(api.app, name)).lines

  const planned = [
    'translator  + role "Translator"',
    'translator  + read api::article.article (title, body, card.text; languages de, en)',
    'translator  + update api::article.article (title; languages de; own)',
    'translator  + read api::tag.tag (name, weight)',
    'translator  + plugin::upload.read',
    'translator  + plugin::upload.assets.create',
  ]

  it('are planned, and nothing changes', async () => {
    const roles = await api.count('admin_roles')
    const found = (await lines('admin roles plan')).filter(line => line.startsWith('translator '))
    assert.deepEqual(found, planned)
    assert.equal(await api.count('admin_roles'), roles)
  })

  it('are applied once, as the panel of Strapi 4 stores them, and count at once', async () => {
    assert.deepEqual((await lines('admin roles apply')).slice(0, planned.length), planned)
    assert.deepEqual(await rowsOf('translator'), [
      ['read', article, { fields: ['title', 'body', 'card.text'], locales: ['de', 'en'] }, []],
      ['update', article, { fields: ['title'], locales: ['de'] }, [own]],
      ['read', tag, { fields: ['name', 'weight'] }, []],
      ['plugin::upload.read', null, {}, []],
      ['plugin::upload.assets.create', null, {}, []],
    ])
    const [role] = await api.app.entries('admin::role').find({ where: { code: 'translator' } })
    assert.equal(role?.description, 'Translates into German.')
    const editor = await makeEditor(api.app, 'tina', [Number(role?.id)])
    const asked = (path: string) => api.get(path, { 'x-editor': String(editor) })
    assert.equal((await asked('/tags')).status, 200)
    assert.equal((await asked('/authors')).status, 403)
    assert.deepEqual(await lines('admin roles plan'), ['the roles are as config/permissions declares them'])
    assert.deepEqual(await lines('admin roles apply'), ['the roles are as config/permissions declares them'])
  })

  it('inherit, override and take away', async () => {
    const all = ['title', 'body', 'code', 'memo', 'secret', 'author', 'tags', 'children']
    const parts = ['card', 'cards'].flatMap(name => ['text', 'hint', 'note'].map(part => `${name}.${part}`))
    assert.deepEqual(
      (await rowsOf('chief-translator')).map(([action, subject, properties]) =>
        subject === article ? [action, subject, properties] : [action, subject],
      ),
      [
        ['update', article, { fields: [...all, ...parts, 'cover'], locales: null }],
        ['read', tag],
        ['plugin::upload.read', null],
        ['plugin::upload.assets.create', null],
        ['publish', article, { locales: null }],
        ...['create', 'read', 'update', 'delete', 'publish'].map(action => [action, 'api::page.page']),
        ['admin::users.read', null],
      ],
    )
  })

  it('are brought back to what is declared; other roles are left alone', async () => {
    const other = await makeRole(api.app, 'other', [may('read', article)])
    const where = { role: { code: { $eq: 'translator' } }, subject: { $eq: tag } }
    const [row] = await api.app.entries('admin::permission').find({ where })
    await api.app.entries('admin::permission').update(Number(row?.id), { properties: { fields: ['name'] } })
    const [role] = await api.app.entries('admin::role').find({ where: { code: 'translator' } })
    await api.app.entries('admin::role').update(Number(role?.id), { name: 'Renamed' })
    await api.app.entries('admin::permission').create({ ...may('delete', article), role: Number(role?.id) })
    assert.deepEqual(await lines('admin roles apply'), [
      'translator  ~ name "Translator"',
      'translator  + read api::tag.tag (name, weight)',
      'translator  - read api::tag.tag (name)',
      'translator  - delete api::article.article',
    ])
    assert.deepEqual(await lines('admin roles plan'), ['the roles are as config/permissions declares them'])
    assert.equal((await rowsOf('other')).length, 1)
    assert.ok(other > 0)
  })
})

it('a start names everything that is wrong with declared editors', async () => {
  const wrong = {
    Chief: {},
    'strapi-super-admin': {},
    a: { inherits: 'b' },
    b: { inherits: ['a', 'c'] },
    d: { name: 1, artcle: true, article: ['raed'] },
    e: {
      article: { read: { fields: ['titel'] }, update: { where: 'mine', set: {} }, delete: { fields: ['title'] } },
      tag: { read: { locales: ['de'] } },
      author: 'read',
    },
  }
  const { types, components, plugins } = newsroom
  const said = await createTestApp({ types, components, plugins, config: { permissions: { editors: wrong } } }).then(
    () => '',
    error => String(error.message),
  )
  for (const sentence of [
    'editors.Chief is written in small letters',
    'editors.strapi-super-admin is the role that may everything; it cannot be declared',
    'editors.b.inherits goes in a circle: a, b, a',
    'editors.b.inherits names "c", which is not declared here',
    'editors.d.name is text',
    'editors.d.artcle is neither a content type nor the beginning of an action such as plugin::upload.read; did you mean article?',
    'editors.d.article has no action "raed"; did you mean "read"?',
    'editors.e.article.read.fields names "titel", which is no attribute of api::article.article; did you mean "title"?',
    'editors.e.article.update.where is "own", for entries of the editor, "role", for those of accounts with the same role, or both',
    'editors.e.article.update takes fields, locales, where, not "set"',
    'editors.e.article.delete.fields belongs to create, read and update of a content type',
    'editors.e.tag.read has locales, and no localized entries',
    'editors.e.author is "read"; expected true, a list such as ["read"]',
  ])
    assert.ok(said.includes(`config/permissions: ${sentence}`), `${sentence}\n\n${said}`)
})

it('types of plugins that a project brings are declared by their uids', async () => {
  const project = copyEditors()
  onTestFinished(project.remove)
  const settings = readFileSync(join(project.folder, 'config/plugins.js'), 'utf8')
  addFiles(project, {
    'src/plugins/reviews/strapi-server.js': `module.exports = {
  contentTypes: { review: { schema: {
    kind: 'collectionType', collectionName: 'reviews', options: {}, attributes: { text: { type: 'string' } },
    info: { singularName: 'review', pluralName: 'reviews', displayName: 'Review' },
  } } },
}`,
    'config/plugins.js': settings.replace(
      'admin: ',
      "reviews: { enabled: true, resolve: './src/plugins/reviews' },\n  admin: ",
    ),
    'config/permissions.js': `module.exports = { editors: { critic: { 'plugin::reviews.review': ['read', 'update'] } } }`,
  })
  const { commands, close } = await openEditors(project)
  onTestFinished(close)
  const { lines } = await command({ commands }, 'admin roles plan')
  const critic = lines.filter(line => line.startsWith('critic '))
  assert.deepEqual(critic, [
    'critic  + role "critic"',
    'critic  + read plugin::reviews.review (text)',
    'critic  + update plugin::reviews.review (text)',
  ])
})

it('types of plugins of the server have no rights of their own', async () => {
  const { types, components, plugins } = newsroom
  const editors = { a: { 'plugin::versions.version': ['read'] }, b: { version: true } }
  const start = createTestApp({ types, components, plugins, config: { permissions: { editors } } })
  await assert.rejects(start, /editors\.a\.plugin::versions\.version is neither[\s\S]*editors\.b\.version is neither/)
})
