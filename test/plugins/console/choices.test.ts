import assert from 'node:assert/strict'
import { it } from 'vitest'
import { usersPermissions } from '../../../plugins/users-permissions/index.js'
import { contract } from '../../support/contract.js'
import type { Editor } from './project.js'
import { signIn, world } from './world.js'

const hidden = { pluginOptions: { 'content-manager': { visible: false } } }
const relation = (target: string) => ({ type: 'relation', relation: 'manyToOne', target })
const { article } = world.types
const types = {
  ...world.types,
  article: {
    ...article,
    attributes: {
      ...article.attributes,
      reviewer: relation('admin::user'),
      shelf: relation('api::shelf.shelf'),
    },
  },
  shelf: { ...hidden, attributes: { name: { type: 'string' } } },
  cellar: { ...hidden, attributes: { name: { type: 'string' } } },
}
const plugins = [[usersPermissions, { jwtSecret: 'a secret for tests of the console' }], ...world.plugins] as never

contract('entries without a view', { ...world, types, plugins }, api => {
  let ada: Editor
  let ben: Editor
  const names = async (editor: Editor, path: string) => {
    const { status, body, text } = await editor.get(`/console/choices/${path}`)
    assert.equal(status, 200, text)
    return (body.data ?? body).map(
      (one: { name: string; attributes?: { name: string } }) => (one.attributes ?? one).name,
    )
  }

  it('are listed where a relation leads to them that the editor may write', async () => {
    ada = await signIn(api.app, 'Super Admin', 'ada@example.test')
    ben = await signIn(api.app, 'Author', 'ben@example.test')
    for (const name of ['Oak', 'Ash']) await api.app.entries('api::shelf.shelf').create({ name } as never)
    assert.deepEqual(await names(ada, 'api::shelf.shelf?sort=name'), ['Ash', 'Oak'])
    assert.deepEqual(await names(ada, 'api::shelf.shelf?filters[name][$startsWithi]=o'), ['Oak'])
    const roles = 'plugin::users-permissions.role?fields=name&sort=name&pagination[limit]=20'
    assert.deepEqual(await names(ada, roles), ['Authenticated', 'Public'])
    const { body } = await ben.get('/console/choices/admin::user?sort=firstname')
    assert.deepEqual(
      body.data.map((one: { attributes: object }) => one.attributes),
      ['Author', 'Super Admin'].map(firstname => ({ firstname, lastname: null, username: null })),
    )
  })

  it('are named by the description, so that the page offers them', async () => {
    const chosen = async (editor: Editor) =>
      (await editor.meta()).types.filter(({ isChosen }) => isChosen).map(({ uid }) => uid)
    assert.deepEqual((await chosen(ada)).sort(), ['admin::user', 'api::shelf.shelf', 'plugin::users-permissions.role'])
    assert.deepEqual(await chosen(ben), ['api::shelf.shelf', 'admin::user'])
  })

  it('are a 404 otherwise, and parameters are checked', async () => {
    for (const uid of ['api::cellar.cellar', 'api::author.author', 'shared.quote', 'plugin::upload.file', 'nothing'])
      assert.equal((await ada.get(`/console/choices/${uid}`)).status, 404, uid)
    assert.equal((await ben.get('/console/choices/plugin::users-permissions.role')).status, 404)
    assert.deepEqual(await names(ben, 'api::shelf.shelf'), [], 'only own entries may be read')
    for (const query of ['fields=email', 'filters[password][$null]=true', 'nonsense=1'])
      assert.equal((await ben.get(`/console/choices/admin::user?${query}`)).status, 400, query)
  })
})

contract('the makers of entries', world, api => {
  it('are named to editors, though no relation leads to them that may be written', async () => {
    const ada = await signIn(api.app, 'Super Admin', 'ada@example.test')
    const ben = await signIn(api.app, 'Author', 'ben@example.test')
    assert.deepEqual(
      (await ben.meta()).types.filter(({ isChosen }) => isChosen),
      [],
    )
    const { body } = await ben.get('/console/choices/admin::user?filters[id][$in][0]=1&filters[id][$in][1]=2&sort=id')
    assert.deepEqual(
      body.data.map((one: { attributes: { firstname: string } }) => one.attributes.firstname),
      ['Super Admin', 'Author'],
    )
    assert.equal((await ada.get('/console/choices/plugin::upload.file')).status, 404)
  })
})
