import assert from 'node:assert/strict'
import { it } from 'vitest'
import { contract } from '../../support/contract.js'
import type { Editor } from './project.js'
import { signIn, world } from './world.js'

const path = '/console/views'
const uid = 'api::article.article'

contract('saved views over HTTP', world, api => {
  let ada: Editor
  let ben: Editor
  let carl: Editor
  let id = ''
  const names = async (who: Editor) =>
    ((await who.get(path)).body.data as { name: string; isShared: boolean }[]).map(one => `${one.name} ${one.isShared}`)

  it('belong to the account that saves them', async () => {
    ada = await signIn(api.app, 'Super Admin', 'ada@example.test')
    ben = await signIn(api.app, 'Author', 'ben@example.test')
    carl = await signIn(api.app, 'Author', 'carl@example.test')
    const { status, body, text } = await ben.ask('POST', path, { uid, name: 'Drafts', query: 'state=draft' })
    assert.equal(status, 200, text)
    id = body.id
    assert.deepEqual(body, { id, uid, name: 'Drafts', query: 'state=draft', isShared: false })
    assert.deepEqual([await names(ben), await names(carl), await names(ada)], [['Drafts false'], [], []])
    assert.deepEqual((await ben.meta()).views, [body])
    for (const method of ['PUT', 'DELETE'] as const)
      assert.equal((await carl.ask(method, `${path}/${id}`, { name: 'Mine' })).status, 404)
  })

  it('are shared, renamed and deleted for all by who may configure the view alone', async () => {
    assert.equal((await ben.ask('PUT', `${path}/${id}`, { isShared: true })).status, 403)
    assert.equal((await ben.ask('POST', path, { uid, name: 'All', query: 'q=a', isShared: true })).status, 403)
    const made = await ada.ask('POST', path, { uid, name: 'All', query: 'q=a', isShared: true })
    const all = `${path}/${made.body.id}`
    assert.deepEqual(await names(ben), ['All true', 'Drafts false'])
    assert.equal((await ben.ask('PUT', all, { name: 'Mine' })).status, 403)
    assert.equal((await ben.ask('DELETE', all)).status, 403)
    assert.equal((await ada.ask('PUT', all, { name: 'Words' })).body.name, 'Words')
    assert.deepEqual(await names(carl), ['Words true'])
    assert.equal((await ada.ask('PUT', all, { isShared: false })).status, 200)
    assert.deepEqual([await names(carl), await names(ada)], [[], ['Words false']])
    assert.equal((await ada.ask('DELETE', all)).status, 200)
    assert.deepEqual(await names(ada), [])
  })

  it('of several requests at once all stay', async () => {
    const many = ['A', 'B', 'C', 'D']
    const replies = await Promise.all(many.map(name => ben.ask('POST', path, { uid, name, query: `q=${name}` })))
    assert.deepEqual([...new Set(replies.map(({ status }) => status))], [200])
    assert.deepEqual(
      await names(ben),
      [...many, 'Drafts'].map(name => `${name} false`),
    )
  })

  it('name what is wrong with them', async () => {
    for (const [body, name] of [
      [{ uid, query: 'q=a' }, 'name'],
      [{ uid: [uid], name: 'X', query: 'q=a' }, 'uid'],
      [{ uid, name: ' ', query: 'q=a' }, 'name'],
      [{ uid, name: 'x'.repeat(101), query: 'q=a' }, 'name'],
      [{ uid, name: 'x', query: 'q'.repeat(4001) }, 'query'],
      [{ uid: 'api::none.none', name: 'x', query: 'q=a' }, 'uid'],
      [{ uid, name: 'x', query: 'q=a', isShared: 'yes' }, 'isShared'],
      [{ uid, name: 'x', query: 'q=a', owner: 1 }, 'owner'],
    ] as const) {
      const reply = await ben.ask('POST', path, body)
      assert.equal(reply.status, 400, JSON.stringify(body))
      assert.match(reply.body.error.message, new RegExp(`^${name} `))
    }
    assert.equal((await ben.ask('PUT', `${path}/${id}`, { uid })).status, 400)
    assert.equal((await ben.ask('PUT', `${path}/none`, { name: 'x' })).status, 404)
  })

  it('of a deleted account go with it, in one transaction; those that it shared stay', async () => {
    const dora = await signIn(api.app, 'Super Admin', 'dora@example.test')
    for (const isShared of [false, true])
      assert.equal((await dora.ask('POST', path, { uid, name: 'Of Dora', query: 'q=d', isShared })).status, 200)
    const keys = async () =>
      (await api.rows('strapi_core_store_settings', ['key'], {}))
        .map(({ key }) => String(key))
        .filter(key => key.startsWith('stele_console_views::'))
    const [account] = await api.rows('admin_users', ['id'], { email: 'dora@example.test' })
    const own = `stele_console_views::${account?.id}`
    assert.ok((await keys()).includes(own))
    const undone = api.app.store.transaction(async session => {
      await api.app.entries('admin::user', session).delete(Number(account?.id))
      throw new Error('undone')
    })
    await assert.rejects(undone, /undone/)
    assert.ok((await keys()).includes(own))
    const { status } = await ada.ask('DELETE', `/console/accounts/${account?.id}`)
    assert.equal(status, 204)
    assert.ok(!(await keys()).includes(own))
    assert.ok((await names(ben)).includes('Of Dora true'))
  })
})
