import assert from 'node:assert/strict'
import { afterAll, beforeAll, it } from 'vitest'
import { contentConsole } from '../../../../plugins/console/index.js'
import { onSqlite } from '../../../support/engines.js'
import { made } from '../project.js'
import { Tab } from '../sessions/tab.js'
import { type EditorsProject, openProjectOfEditors } from './world.js'

/** The number of articles in all languages that each of the recorded people reads. */
const articles = { ada: 457, edda: 457, anton: 3, anna: 1, tina: 357, tom: 2, tess: 2, rita: 357 }

onSqlite('people of a recorded project who sign in with their passwords of Strapi', () => {
  let open: EditorsProject
  beforeAll(async () => {
    open = await openProjectOfEditors([contentConsole])
  })
  afterAll(() => open.close())

  const signedIn = new Map<string, { readonly tab: Tab; readonly status: number }>()
  /** Each signs in once: attempts are limited. */
  const signIn = async (name: string) => {
    const known = signedIn.get(name)
    if (known) return known
    const tab = new Tab()
    const { email, password } = made.accounts[name] as { email: string; password: string }
    const { status } = await tab.ask(open.app, 'POST', '/console/session', { email, password })
    signedIn.set(name, { tab, status })
    return { tab, status }
  }

  for (const [name, total] of Object.entries(articles))
    it(`${name} reads ${total} articles`, async () => {
      const { tab } = await signIn(name)
      const query = 'locale=all&publicationState=preview&pagination[limit]=1'
      const { status, body } = await tab.ask(open.app, 'GET', `/console/api/articles?${query}`)
      assert.deepEqual([status, body.meta?.pagination.total], [200, total])
    })

  it('write as themselves, below /console alone', async () => {
    const { tab } = await signIn('anton')
    const data = { title: 'By session' }
    const { status, body } = await tab.ask(open.app, 'POST', '/console/api/articles?populate=createdBy', { data })
    assert.equal(status, 200)
    assert.equal(body.data.attributes.createdBy.data.attributes.firstname, 'Anton')
    assert.equal(body.data.attributes.publishedAt, null)
    // The API itself takes them for visitors, who may not read memos.
    assert.equal((await tab.ask(open.app, 'GET', '/api/memos')).status, 403)
    assert.equal((await tab.ask(open.app, 'GET', '/console/api/memos')).status, 200)
    assert.equal((await tab.ask(open.app, 'PUT', '/console/api/articles/454', { data: { title: 'x' } })).status, 404)
  })

  it('manage tokens by the permissions of the panel', async () => {
    const data = { name: 'by Ada', type: 'read-only' }
    for (const [name, status] of Object.entries({ ada: 201, edda: 403, anton: 403 })) {
      const { tab } = await signIn(name)
      assert.equal((await tab.ask(open.app, 'POST', '/console/api/api-tokens', { data })).status, status)
      // The API itself does not know them.
      assert.equal((await tab.ask(open.app, 'GET', '/api/api-tokens')).status, 401)
    }
  })

  it('are refused where the account is blocked', async () => assert.notEqual((await signIn('bert')).status, 200))
})
