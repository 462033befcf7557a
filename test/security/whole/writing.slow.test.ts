import { strict as assert } from 'node:assert'
import { describe } from 'vitest'
import { type AttackedServer, attacks } from './attacked.js'
import type { Who } from './fill.js'

/** Values that a request may never set on an entry, each of which would show. */
const forged: Readonly<Record<string, unknown>> = {
  id: 4711,
  createdAt: '1999-01-01T00:00:00.000Z',
  updatedAt: '1999-01-01T00:00:00.000Z',
  created_at: 0,
  createdBy: 1,
  updatedBy: 1,
  created_by_id: 4711,
  localizations: [1, 2],
  __proto__: { polluted: true },
  constructor: { prototype: { polluted: true } },
}
/** Values that a request may never set on an account. */
const promotions: Readonly<Record<string, unknown>> = {
  role: 4,
  roles: [4],
  confirmed: false,
  blocked: true,
  provider: 'google',
  resetPasswordToken: 'mine',
  confirmationToken: 'mine',
  isAdmin: true,
  id: 4711,
  createdAt: '1999-01-01T00:00:00.000Z',
}

for (const dialect of ['spec', 'strapi4'] as const)
  describe(`what a request may not write (${dialect})`, () => {
    const { attack } = attacks(`writing, ${dialect}`, { dialect })
    const account = async (server: AttackedServer, name: string) =>
      (await server.get('fullToken', `/api/users?filters[username]=${name}&populate=role`)).body[0]

    for (const [name, value] of Object.entries(forged))
      attack(`an entry does not take ${name} from a request`, async server => {
        const [{ body: before }] = await Promise.all([server.get('editor', '/api/articles/3?populate=localizations')])
        for (const [method, path] of [
          ['POST', '/api/articles?populate=*'],
          ['PUT', '/api/articles/3?populate=*'],
        ] as const) {
          const data = { title: 'forged', [name]: value }
          const { status, text, body } = await server.write('editor', method, path, { data })
          assert.ok(status === 200 || status === 400, text)
          assert.doesNotMatch(text, /4711|1999-01-01|polluted/)
          if (status === 200 && method === 'PUT')
            assert.equal(body.data.attributes.createdAt, before.data.attributes.createdAt)
        }
        assert.deepEqual(await server.ask('polluted'), [])
      })

    for (const [name, value] of Object.entries(promotions)) {
      attack(`nobody registers with ${name}`, async server => {
        const username = `new-${name}`
        const { status, text } = await server.write('visitor', 'POST', '/api/auth/local/register', {
          ...{ username, email: `${username}@example.test`, password: 'a-new-password' },
          [name]: value,
        })
        assert.ok(status === 200 || status === 400, text)
        if (status !== 200) return assert.equal(await account(server, username), undefined)
        const made = await account(server, username)
        assert.equal(made.role.type, 'authenticated')
        assert.equal(made.provider, 'local')
        assert.equal(made.blocked, false)
        assert.equal(made.confirmed, true)
        assert.notEqual(made.id, 4711)
        const code = { code: 'mine', password: 'x'.repeat(8), passwordConfirmation: 'x'.repeat(8) }
        assert.equal((await server.write('visitor', 'POST', '/api/auth/reset-password', code)).status, 400)
      })
      attack(`nobody gives the own account ${name}`, async server => {
        const { id, role, createdAt } = await account(server, 'alice')
        const path = `/api/users/${server.known.ids.alice}`
        for (const sent of [value, [value], { connect: [value] }, { set: [value] }, { id: value }])
          await server.write('alice', 'PUT', path, { [name]: sent })
        const after = await account(server, 'alice')
        assert.deepEqual(
          [after.id, after.role.id, after.provider, after.blocked, after.confirmed, after.createdAt],
          [id, role.id, 'local', false, true, createdAt],
        )
      })
    }

    attack('nobody changes or deletes the account of somebody else', async server => {
      const { bob } = server.known.ids
      for (const body of [{ password: 'taken-over' }, { email: 'alice@evil.test' }, { username: 'mallory' }])
        for (const who of ['visitor', 'alice', 'editor', 'customToken', 'readToken'] as const)
          assert.ok([401, 403, 404].includes((await server.write(who, 'PUT', `/api/users/${bob}`, body)).status), who)
      for (const who of ['visitor', 'alice', 'editor', 'customToken', 'readToken'] as const)
        assert.ok([401, 403, 404].includes((await server.send(who, 'DELETE', `/api/users/${bob}`)).status))
      assert.equal((await account(server, 'bob')).email, 'bob@example.test')
    })

    attack('an account without the right to see roles cannot choose one', async server => {
      for (const who of ['alice', 'editor'] as const) {
        const body = { username: `by-${who}`, email: `by-${who}@example.test`, password: 'a-password', role: 4 }
        assert.equal((await server.write(who, 'POST', '/api/users', body)).status, 403)
        assert.equal((await server.write(who, 'POST', '/api/users-permissions/roles', { name: 'x' })).status, 403)
        assert.equal((await server.write(who, 'PUT', '/api/users-permissions/roles/1', { name: 'x' })).status, 403)
      }
    })

    attack('relations to what the caller may not find are not written, in whatever shape they come', async server => {
      const vaultOf = async () =>
        (await server.get('fullToken', '/api/articles/1?populate=vault')).body.data.attributes.vault
      const before = await vaultOf()
      for (const vault of [null, [], 1, 999, '1', { id: 1 }, { set: [] }, { disconnect: [1] }, { connect: [1] }]) {
        await server.write('alice', 'PUT', '/api/articles/1', { data: { vault } })
        await server.write('editor', 'PUT', '/api/articles/1', { data: { vault } })
        assert.deepEqual(await vaultOf(), before)
      }
      const slides = [{ caption: 'mine', vault: 1 }]
      const made = await server.write('editor', 'POST', '/api/articles', { data: { title: 'slides', slides } })
      if (dialect === 'spec') {
        assert.match(made.body.error.message, /^slides\[0\]\.vault is not an attribute of /)
        return
      }
      const read = await server.get('fullToken', `/api/articles/${made.body.data.id}?populate[slides][populate]=vault`)
      assert.equal(read.body.data.attributes.slides[0].vault.data, null)
    })

    attack('a localization leaves relations alone that the caller may not write', async server => {
      const { body: made } = await server.write('fullToken', 'POST', '/api/articles', {
        data: { title: 'to be translated', vault: 1 },
      })
      const { id } = made.data
      const sent = { locale: 'fr', title: 'traduit', vault: 999 }
      const { status, text } = await server.write('editor', 'POST', `/api/articles/${id}/localizations`, sent)
      assert.equal(status, dialect === 'spec' ? 400 : 200, text)
      const { body } = await server.get('fullToken', `/api/articles/${id}?populate=vault`)
      assert.equal(body.data.attributes.vault.data?.id, 1)
    })

    attack('parts of one entry are not taken by another', async server => {
      const { body } = await server.get('editor', '/api/articles?populate=seo,slides,blocks&pagination[pageSize]=2')
      const [first, second] = body.data
      const { seo, slides } = second.attributes
      for (const data of [
        { seo: { id: seo.id, metaTitle: 'taken' } },
        { slides: [{ id: slides[0].id, caption: 'taken' }] },
        {
          slides: [
            { id: 'x', caption: 'taken' },
            { id: -1, caption: 'taken' },
          ],
        },
        { blocks: [{ __component: 'shared.slide', id: slides[0].id, caption: 'taken' }] },
        { blocks: [{ __component: 'shared.seo', id: seo.id }] },
        { blocks: [{ __component: 'shared.nosuch' }] },
        { blocks: [{ __component: 'api::vault.vault' }] },
        { blocks: [{ __component: '__proto__' }] },
        { seo: { social: { id: 1, network: 'taken' } } },
      ])
        assert.equal((await server.write('editor', 'PUT', `/api/articles/${first.id}`, { data })).status, 400)
      const after = await server.get('editor', `/api/articles/${second.id}?populate=seo,slides`)
      assert.equal(after.body.data.attributes.slides[0].caption, slides[0].caption)
      assert.equal(after.body.data.attributes.seo.metaTitle, seo.metaTitle)
    })

    const writers: readonly Who[] = ['visitor', 'alice', 'editor', 'manager', 'customToken', 'readToken']
    attack('tokens are managed by none but full access', async server => {
      const before = await server.ask('tables')
      for (const who of writers)
        for (const [method, path, body] of [
          ['GET', '/api/api-tokens', undefined],
          ['GET', '/api/api-tokens/1', undefined],
          ['POST', '/api/api-tokens', { name: `by ${who}`, type: 'full-access' }],
          ['PUT', '/api/api-tokens/3', { type: 'full-access' }],
          ['PUT', '/api/api-tokens/3', { permissions: ['api::vault.vault.find'] }],
          ['POST', '/api/api-tokens/1/regenerate', undefined],
          ['DELETE', '/api/api-tokens/1', undefined],
        ] as const) {
          const { status } = body ? await server.write(who, method, path, body) : await server.send(who, method, path)
          assert.equal(status, who === 'visitor' ? 401 : 403, `${who} ${method} ${path}`)
        }
      assert.deepEqual(await server.ask('tables'), before)
      const permissions = ['plugin::api-tokens.create']
      const made = { name: 'too much', type: 'custom', permissions }
      assert.equal((await server.write('fullToken', 'POST', '/api/api-tokens', made)).status, 400)
    })

    attack('a role is granted nothing by a tree of any odd form', async server => {
      for (const permissions of [
        [],
        'all',
        { constructor: { prototype: { x: true } } },
        { 'plugin::api-tokens': { controllers: { create: { enabled: true } } } },
        { 'api::vault': { controllers: { vault: { find: true, findOne: { enabled: 'true' } } } } },
        { 'api::vault': { controllers: [{ find: { enabled: true } }] } },
      ]) {
        const body = { name: `odd ${JSON.stringify(permissions)}`.slice(0, 100), permissions }
        const { status } = await server.write('manager', 'POST', '/api/users-permissions/roles', body)
        assert.ok(status === 200 || status === 400)
      }
      const { body } = await server.get('manager', '/api/users-permissions/roles')
      for (const { id, name } of body.roles) {
        if (!name.startsWith('odd')) continue
        const { text } = await server.get('manager', `/api/users-permissions/roles/${id}`)
        assert.doesNotMatch(text, /"enabled":true/, name)
      }
    })
  })
