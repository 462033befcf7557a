import assert from 'node:assert/strict'
import { it } from 'vitest'
import { contract } from '../../support/contract.js'
import { world } from './world.js'

const parsed = (value: unknown): unknown => (typeof value === 'string' ? JSON.parse(value) : value)

contract('the first roles of editors', world, api => {
  it('are those of Strapi 4.26, by name and code', async () => {
    const roles = await api.rows('admin_roles', ['id', 'name', 'code', 'description'])
    assert.deepEqual(roles, [
      {
        ...{ id: 1, name: 'Super Admin', code: 'strapi-super-admin' },
        description: 'Super Admins can access and manage all features and settings.',
      },
      {
        ...{ id: 2, name: 'Editor', code: 'strapi-editor' },
        description: 'Editors can manage and publish contents including those of other users.',
      },
      {
        ...{ id: 3, name: 'Author', code: 'strapi-author' },
        description: 'Authors can manage the content they have created.',
      },
    ])
  })

  it('let editors do everything with entries, and authors all but publish, with their own', async () => {
    const permissions = await api.rows('admin_permissions', ['id', 'action', 'subject', 'conditions'])
    const links = await api.rows('admin_permissions_role_links', ['permission_id', 'role_id', 'permission_order'])
    const of = (role: number) =>
      links
        .filter(({ role_id }) => Number(role_id) === role)
        .sort((one, other) => Number(one.permission_order) - Number(other.permission_order))
        .map(({ permission_id }) => permissions.find(({ id }) => id === permission_id))
        .map(row => {
          const action = String(row?.action).replace('plugin::content-manager.explorer.', '')
          const conditions = parsed(row?.conditions) as string[]
          return [action, row?.subject, ...conditions].filter(part => part !== null).join(' ')
        })
    const on = (action: string, ...rest: string[]) =>
      ['api::article.article', 'api::note.note'].map(uid => [action, uid, ...rest].join(' '))
    assert.deepEqual(of(1), [])
    assert.deepEqual(of(2), [
      ...on('create'),
      ...on('read'),
      ...on('update'),
      ...on('delete'),
      'publish api::article.article',
      'plugin::upload.read',
      'plugin::upload.configure-view',
      'plugin::upload.assets.create',
      'plugin::upload.assets.update',
      'plugin::upload.assets.download',
      'plugin::upload.assets.copy-link',
    ])
    const own = 'admin::is-creator'
    assert.deepEqual(of(3), [
      ...on('create', own),
      ...on('read', own),
      ...on('update', own),
      ...on('delete', own),
      `plugin::upload.read ${own}`,
      'plugin::upload.configure-view',
      'plugin::upload.assets.create',
      `plugin::upload.assets.update ${own}`,
      'plugin::upload.assets.download',
      'plugin::upload.assets.copy-link',
    ])
  })

  it('list the fields of a type by paths, without those that the server adds', async () => {
    const rows = await api.rows('admin_permissions', ['action', 'subject', 'properties', 'action_parameters'])
    const [create] = rows.filter(({ subject }) => subject === 'api::article.article')
    assert.deepEqual(parsed(create?.properties), { fields: ['title', 'seo.metaTitle', 'seo.metaText'] })
    assert.deepEqual(parsed(create?.action_parameters), {})
  })
})
