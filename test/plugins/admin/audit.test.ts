import assert from 'node:assert/strict'
import { it } from 'vitest'
import { audit } from '../../../plugins/audit/index.js'
import type { AuditRecord } from '../../../plugins/audit/records.js'
import { contractOnce } from '../../support/contract.js'
import { adminOf, command, world } from './world.js'

const password = 'eleven elephants'

contractOnce(
  'the record of changes of accounts',
  { ...world, plugins: [...world.plugins, [audit, { secret: 'a secret of this test, long enough' }]] },
  api => {
    it('says who did what, and no secret', async () => {
      await command(api.app, 'admin create', ['ada@example.test'], { password })
      const { accounts, links } = adminOf(api.app)
      const ada = { scope: 'admin 1', actor: 'admin 1', can: () => true }
      const ben = await accounts.create({ email: 'ben@example.test', password, roles: [3] }, ada)
      await accounts.setPassword(ben.id, 'twelve elephants', ada)
      await accounts.setRoles(ben.id, [2, 3], ada)
      await accounts.block(ben.id, ada)
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
  },
)
