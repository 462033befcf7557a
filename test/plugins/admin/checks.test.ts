import assert from 'node:assert/strict'
import { it } from 'vitest'
import type { Finding } from '../../../core/index.js'
import { contract } from '../../support/contract.js'
import { run } from '../../support/run.js'
import { command, world } from './world.js'

const password = 'eleven elephants'

contract('the doctor of accounts', world, api => {
  const findings = async () => {
    const found: Finding[] = []
    await api.app.checks
      .find(({ plugin, name }) => plugin === 'admin' && name === 'accounts')
      ?.run(one => found.push(one))
    return found.map(({ severity, says, examples }) => [severity, says, examples])
  }

  it('says where no account may everything', async () => {
    assert.deepEqual(await findings(), [['warning', 'no active account is a Super Admin', undefined]])
    await command(api.app, 'admin create', ['ada@example.test'], { password })
    assert.deepEqual(await findings(), [])
  })

  it('says which accounts have one address, as no index forbids it', async () => {
    await command(api.app, 'admin create', ['ben@example.test'], { password, role: 'Author' })
    await run(api.database, "update admin_users set email = 'Ada@example.test' where id = 2")
    assert.deepEqual(await findings(), [
      ['error', 'e-mail addresses that several accounts have: 1', ['ada@example.test (ids 1, 2)']],
    ])
  })
})
