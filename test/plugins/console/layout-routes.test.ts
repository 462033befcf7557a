import assert from 'node:assert/strict'
import { it } from 'vitest'
import { type Answer, contract } from '../../support/contract.js'
import { run } from '../../support/run.js'
import type { Editor } from './project.js'
import { signIn, world } from './world.js'

const article = '/console/layouts/api::article.article'
const key = 'plugin_content_manager_configuration_content_types::api::article.article'

contract('layouts over HTTP', world, api => {
  let ada: Editor
  let ben: Editor
  const stored = async () =>
    (await run(api.database, `select * from strapi_core_store_settings order by id`)).filter(({ value }) =>
      String(value).includes('"layouts"'),
    )

  it('are those by default, and looking stores none', async () => {
    ada = await signIn(api.app, 'Super Admin', 'ada@example.test')
    ben = await signIn(api.app, 'Author', 'ben@example.test')
    const { status, body, headers } = await ada.get(article)
    assert.equal(status, 200)
    assert.deepEqual([body.isStored, body.settings.mainField, body.list], [false, 'title', ['id', 'title']])
    assert.equal(headers['cache-control'], 'private, no-store')
    await ada.meta()
    assert.deepEqual(await stored(), [])
  })

  it('are stored as Strapi 4 stores them, under its key', async () => {
    const change = { list: ['title', 'author'], fields: { title: { label: 'Headline' } }, settings: { pageSize: 50 } }
    const { status, body, text } = await ada.ask('PUT', article, change)
    assert.equal(status, 200, text)
    assert.deepEqual([body.isStored, body.list, body.fields.title.label], [true, ['title', 'author'], 'Headline'])
    const [row, ...others] = await stored()
    assert.deepEqual(others, [])
    const { id: _, value, ...columns } = row as Record<string, unknown>
    assert.deepEqual(columns, { key, type: 'object', environment: null, tag: null })
    const { uid, settings, metadatas, layouts } = JSON.parse(String(value))
    assert.deepEqual([uid, settings.pageSize, layouts.list], ['api::article.article', 50, ['title', 'author']])
    assert.deepEqual(metadatas.title.edit.label, 'Headline')
    assert.equal((await ben.type('api::article.article'))?.layout.fields.title?.label, 'Headline', 'for all editors')
  })

  it('keep in the database what nothing here understands', async () => {
    const [row] = await stored()
    const before = JSON.parse(String(row?.value))
    const strange = { ...before, apiID: 'article', settings: { ...before.settings, own: { a: [1] } } }
    const text = JSON.stringify(strange).replaceAll("'", "''")
    await run(api.database, `update strapi_core_store_settings set value = '${text}' where id = ${row?.id}`)
    assert.equal((await ada.ask('PUT', article, { settings: { pageSize: 10 } })).status, 200)
    const [after] = await stored()
    assert.deepEqual(JSON.parse(String(after?.value)), {
      ...strange,
      settings: { ...strange.settings, pageSize: 10 },
    })
  })

  it('of two that are changed at once both changes stay', async () => {
    const labels = ['title', 'author', 'tags', 'related', 'quote', 'blocks']
    const replies = await Promise.all(
      labels.map(name => ada.ask('PUT', article, { fields: { [name]: { label: `${name} 2` } } })),
    )
    assert.deepEqual([...new Set(replies.map(({ status }) => status))], [200])
    const { body } = await ada.get(article)
    assert.deepEqual(
      labels.map(name => body.fields[name].label),
      labels.map(name => `${name} 2`),
    )
  })

  it('of components and single types are stored apart', async () => {
    assert.equal((await ada.ask('PUT', '/console/layouts/shared.quote', { edit: [['author']] })).status, 200)
    assert.equal((await ada.ask('PUT', '/console/layouts/api::homepage.homepage', { edit: [['star']] })).status, 200)
    const keys = (await stored()).map(one => one.key)
    assert.deepEqual(keys.slice(1), [
      'plugin_content_manager_configuration_components::shared.quote',
      'plugin_content_manager_configuration_content_types::api::homepage.homepage',
    ])
    const { components } = await ben.meta()
    assert.deepEqual(components.find(({ uid }) => uid === 'shared.quote')?.layout.edit, [[{ name: 'author', size: 6 }]])
  })

  it('are by default again once they are deleted', async () => {
    const { status, body } = await ada.ask('DELETE', article)
    assert.deepEqual([status, body.isStored, body.fields.title.label], [200, false, 'title'])
    assert.equal((await stored()).length, 2)
    assert.equal((await ada.ask('DELETE', article)).status, 200, 'there is nothing to delete')
  })

  it('are for those alone who may configure them', async () => {
    for (const uid of ['api::article.article', 'shared.quote', 'api::homepage.homepage', 'nowhere'])
      for (const method of ['GET', 'PUT', 'DELETE']) {
        const { status, body } = await ben.ask(method, `/console/layouts/${uid}`, method === 'PUT' ? {} : undefined)
        assert.deepEqual([status, body.error.name], [403, 'ForbiddenError'], `${method} ${uid}`)
      }
    assert.equal((await stored()).length, 2)
  })

  const mistakes: readonly (readonly [string, unknown, number, RegExp])[] = [
    [article, { list: ['nope'] }, 400, /list\.0 must be an attribute of api::article\.article/],
    [article, { mainField: 'title' }, 400, /mainField is unknown here/],
    [
      article,
      { fields: { author: { mainField: 'articles' } } },
      400,
      /fields\.author\.mainField must be one of id, name/,
    ],
    [article, ['title'], 400, /the body must be an object/],
    ['/console/layouts/api::nowhere.nowhere', {}, 404, /Not Found/],
    ['/console/layouts/toString', {}, 404, /Not Found/],
  ]
  for (const [path, body, status, message] of mistakes)
    it(`are refused: ${path} ${JSON.stringify(body)}`, async () => {
      const before = await stored()
      const { status: found, body: said } = (await ada.ask('PUT', path, body)) as unknown as Answer
      assert.equal(found, status)
      assert.match(JSON.stringify(said.error), message)
      assert.deepEqual(await stored(), before)
    })
})
