import assert from 'node:assert/strict'
import { it } from 'vitest'
import { audit } from '../../../plugins/audit/index.js'
import { contract } from '../../support/contract.js'
import { Editor } from '../console/project.js'
import { signIn, world } from '../console/world.js'

contract('the export of an account', { ...world, plugins: [...world.plugins, audit] }, api => {
  const send = { send: (options: object) => api.app.inject(options) as never }

  it('has what the server keeps about it, and no secrets nor hashes', async () => {
    const ada = await signIn(api.app, 'Super Admin', 'ada@example.test')
    const ben = await signIn(api.app, 'Author', 'ben@example.test')
    const view = { uid: 'api::article.article', name: 'Drafts', query: 'state=draft' }
    assert.equal((await ben.ask('POST', '/console/views', view)).status, 200)
    assert.equal((await ada.ask('POST', '/console/views', { ...view, name: 'Of Ada' })).status, 200)
    assert.equal((await ben.ask('POST', '/console/api/articles', { data: { title: 'Mine' } })).status, 200)
    const { status, headers, body, text } = await ben.get('/console/session/data')
    assert.equal(status, 200, text)
    assert.equal(headers['content-disposition'], 'attachment; filename="account.json"')
    assert.deepEqual(Object.keys(body), ['exported', 'account', 'roles', 'sessions', 'views', 'activity'])
    assert.deepEqual(
      [body.account.email, body.account.firstname, body.account.state],
      ['ben@example.test', 'Author', 'active'],
    )
    assert.deepEqual(
      body.roles.map(({ name }: { name: string }) => name),
      ['Author'],
    )
    assert.equal(body.sessions.length, 1)
    assert.deepEqual(
      body.views.map(({ name }: { name: string }) => name),
      ['Drafts'],
    )
    const { records, limit, isComplete } = body.activity
    assert.deepEqual([limit, isComplete], [1000, true])
    assert.deepEqual([...new Set(records.map(({ event }: { event: string }) => event))].sort(), [
      'entry.create',
      'sign-in',
    ])
    const made = records.find(({ event }: { event: string }) => event === 'entry.create')
    assert.ok(made.changed.includes('title'))
    const [stored] = await api.rows('admin_users', ['password'], { email: 'ben@example.test' })
    const [session] = await api.rows('stele_admin_sessions', ['hash'], { account: body.account.id })
    for (const secret of [stored?.password, session?.hash]) {
      assert.ok(typeof secret === 'string' && secret.length > 20)
      assert.ok(!text.includes(secret))
    }
    assert.ok(!/password|hash|token/i.test(text), text)
  })

  it('is for a session alone', async () => {
    assert.equal((await new Editor(send).get('/console/session/data')).status, 401)
  })
})
