import assert from 'node:assert/strict'
import { it, onTestFinished } from 'vitest'
import { type Caller, createTestApp, definePlugin, type Filters, late, rowsOf } from '../../core/index.js'
import { onEveryEngine } from '../support/every-engine.js'

const role = {
  uid: 'admin::role',
  source: 'panel',
  schema: {
    kind: 'collectionType',
    collectionName: 'admin_roles',
    info: { singularName: 'role', pluralName: 'roles', displayName: 'Role' },
    attributes: {
      name: { type: 'string' },
      users: { type: 'relation', relation: 'manyToMany', target: 'admin::user', mappedBy: 'roles' },
    },
  },
}

/** Accounts that write entries and have roles: the type of creators is core's own, and this plugin adds to it. */
const panel = (callers: ReadonlyMap<string, Caller>) =>
  definePlugin({
    name: 'panel',
    contentTypes: [role],
    appliesTo: ({ uid }) => uid === 'admin::user',
    attributes: {
      roles: { type: 'relation', relation: 'manyToMany', target: 'admin::role', inversedBy: 'users', private: true },
    },
    authenticate: { before: 'others', run: ctx => callers.get(ctx.get('x-editor')) },
  })

const names = new Set(['id', 'firstname', 'lastname', 'username'])
const note = 'api::note.note'

/** An editor who sees the creators of notes, and of notes those that an account of the own role has made. */
const editor = (id: number, shown: readonly string[] = ['text', 'createdBy', 'updatedBy']): Caller => {
  const fields = (_: string, uid: string) => (uid === note ? new Set(shown) : uid === 'admin::user' ? names : undefined)
  return {
    ...{ scope: `admin ${shown}`, id, actor: `admin ${id}`, can: () => true, fields },
    rows: (_: string, uid: string): Filters | undefined =>
      uid === note ? { createdBy: { roles: { users: { id: late(caller => caller.id) } } } } : undefined,
    sets: (action: string, uid: string) =>
      uid === note && action === 'create'
        ? { createdBy: late(caller => caller.id), updatedBy: late(caller => caller.id) }
        : undefined,
  }
}

onEveryEngine('a plugin that adds to the type of creators', engine => {
  it('has links of its own there, in the tables of Strapi, and shows names to callers whose fields list creators', async () => {
    const { database, drop } = await engine.fresh()
    onTestFinished(drop)
    const callers = new Map<string, Caller>([
      ['ben', editor(1)],
      ['ada', editor(2)],
      ['blind', editor(2, ['text'])],
    ])
    const app = await createTestApp({
      types: { note: { attributes: { text: { type: 'string' } } } },
      plugins: [panel(callers)],
      config: { database, api: { rest: { dialect: 'strapi4', public: true } } },
    })
    onTestFinished(() => app.close())
    const accounts = app.entries('admin::user')
    const [author, desk] = await Promise.all(
      ['Author', 'Desk'].map(name => app.entries('admin::role').create({ name })),
    )
    await accounts.create({ firstname: 'Ben', username: 'ben', email: 'ben@example.org', roles: [author?.id] })
    await accounts.create({ firstname: 'Ada', email: 'ada@example.org', roles: [desk?.id] })
    const send = async (who: string, method: 'GET' | 'POST', url: string, data?: object) => {
      const headers = who === '' ? {} : { 'x-editor': who }
      const answer = await app.inject({ method, url: `/api${url}`, headers, ...(data && { payload: { data } }) })
      return { status: answer.statusCode, body: answer.json(), text: answer.body }
    }
    assert.equal((await send('ben', 'POST', '/notes', { text: 'by ben' })).status, 200)
    const made = await send('ada', 'POST', '/notes?populate=*', { text: 'by ada' })
    const ada = { firstname: 'Ada', lastname: null, username: null }
    assert.deepEqual(made.body.data.attributes.createdBy.data, { id: 2, attributes: ada })

    const seen = await send('ada', 'GET', '/notes?populate=createdBy,updatedBy')
    assert.deepEqual(
      seen.body.data.map((one: { attributes: { text: string } }) => one.attributes.text),
      ['by ada'],
    )
    assert.deepEqual(seen.body.data[0].attributes.updatedBy.data.attributes, ada)
    assert.doesNotMatch(seen.text, /example|roles|Desk/)
    const deep = await send('ada', 'GET', '/notes?populate[createdBy][populate]=*')
    assert.doesNotMatch(deep.text, /example|roles|Desk/)
    const byName = await send('ben', 'GET', '/notes?filters[createdBy][firstname]=Ben&sort=createdBy.firstname')
    assert.equal(byName.body.data.length, 1)
    for (const name of ['email', 'password', 'roles'])
      assert.notEqual((await send('ada', 'GET', `/notes?filters[createdBy][${name}][$null]=true`)).status, 200, name)

    for (const who of ['blind', '']) {
      const { text } = await send(who, 'GET', '/notes?populate=*')
      assert.doesNotMatch(text, /createdBy|Ada|Ben/, who)
      assert.doesNotMatch((await send(who, 'GET', '/notes?populate=createdBy')).text, /Ada|Ben/, who)
    }
    const found = await accounts.first({ where: { id: 1 }, populate: ['roles'], everything: true })
    assert.deepEqual(
      (found?.roles as { name: string }[] | undefined)?.map(({ name }) => name),
      ['Author'],
    )
    const query = app.store.knex('admin_users_roles_links').select('user_id', 'role_id').orderBy('user_id')
    const rows = (await rowsOf(app.store.reader, query)).map(row => row.map(Number))
    assert.deepEqual(rows, [
      [1, author?.id],
      [2, desk?.id],
    ])
  })
})
