import assert from 'node:assert/strict'
import { it } from 'vitest'
import { audit } from '../../../plugins/audit/index.js'
import type { AuditRecord } from '../../../plugins/audit/records.js'
import { contractOnce } from '../../support/contract.js'
import { Tab } from './sessions/tab.js'
import { adminOf, command, world } from './world.js'

const password = 'eleven elephants'

contractOnce(
  'the record of changes of accounts',
  { ...world, plugins: [...world.plugins, [audit, { secret: 'a secret of this test, long enough' }]] },
  api => {
    it('says who did what, and no secret', async () => {
      await command(api.app, 'admin create', ['ada@example.test'], { password })
      const { accounts, links } = adminOf(api.app)
      const caller = { scope: 'admin 1', actor: 'admin 1', can: () => true }
      const ada = { caller }
      const ben = await accounts.create({ email: 'ben@example.test', password, roles: [3] }, ada)
      await accounts.setPassword(ben.id, 'twelve elephants', ada)
      await accounts.update(ben.id, { roles: [2, 3] }, ada)
      await accounts.update(ben.id, { blocked: true }, ada)
      await accounts.delete(ben.id, ada)
      const invited = await links.invite({ email: 'cleo@example.test', roles: [3] }, ada)
      const records = api.app.plugins.find(({ spec }) => spec.name === 'audit')?.service as AuditRecord
      const found = (await records.list({ limit: 100 })).reverse()
      const ofBen = found.filter(({ uid, entry }) => uid === 'admin::user' && entry === ben.id)
      assert.deepEqual(
        ofBen.map(({ event, actor }) => [event, actor]),
        ['create', 'update', 'update', 'update', 'delete'].map(event => [`entry.${event}`, 'admin 1']),
      )
      const [, renewed, given, blocked] = ofBen.map(({ changes }) => Object.keys(changes as object).sort())
      assert.deepEqual([renewed, given, blocked], [['password'], ['roles'], ['blocked', 'isActive']])
      const all = JSON.stringify(found)
      for (const secret of [password, 'twelve elephants', '$2b$', invited.address?.split('#')[1] ?? ''])
        assert.ok(secret !== '' && !all.includes(secret))
    })

    it('says who signed in, and what was tried, by a hash of the address', async () => {
      await command(api.app, 'admin create', ['dora@example.test'], { password, role: 'Author' })
      const tab = new Tab()
      const send = (method: string, path: string, body?: object) => tab.ask(api.app, method, path, body)
      await send('POST', '/console/session', { email: 'dora@example.test', password: 'wrong one' })
      await send('POST', '/console/session', { email: 'dora@example.test', password })
      await send('POST', '/console/password', { current: password, password: 'twelve elephants' })
      await send('DELETE', '/console/session')
      await send('POST', '/console/invitation', { code: 'x', password })
      const records = api.app.plugins.find(({ spec }) => spec.name === 'audit')?.service as AuditRecord
      const found = (await records.list({ limit: 5 })).reverse()
      const dora = found[1]?.actor
      assert.match(String(dora), /^admin \d+$/)
      assert.deepEqual(
        found.map(({ event, actor, request }) => [event, actor, request]),
        [
          ['sign-in.refused', found[0]?.actor, 'POST /console/session'],
          ['sign-in', dora, 'POST /console/session'],
          ['entry.update', dora, 'POST /console/password'],
          ['sign-in', dora, 'POST /console/password'],
          ['sign-in.refused', found[4]?.actor, 'POST /console/invitation'],
        ],
      )
      assert.match(JSON.stringify(found[0]?.changes), /^\{"identifier":\{"to":"[^"]{8,}"\}\}$/)
      assert.ok(!JSON.stringify(found).includes('dora'))
    })
  },
)
