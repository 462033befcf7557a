import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import type { CheckInput, CoreCheck } from '../../core/tools/checks/check.js'
import { layoutCheck } from '../../core/tools/checks/layout.js'
import { settingsCheck } from '../../core/tools/checks/settings.js'

/** The findings of a check. */
function said(check: CoreCheck, looked: unknown): string[] {
  const says: string[] = []
  check.run(looked as CheckInput, finding => void says.push(`${finding.severity}: ${finding.says}`))
  return says
}

describe('the check of the settings', () => {
  const far = { client: 'mysql', host: 'db.example.com', password: 'password' }
  const of = (database: object, environment = 'production') =>
    said(settingsCheck, { config: { foreign: {}, notices: [], database, environment } })

  it('says how the password of a database on another machine is weak, and how much that matters', () => {
    assert.match(of(far).join(), /^error: the password of the database on db\.example\.com /)
    assert.match(of(far, 'development').join(), /^warning: /)
  })
  it('says nothing of one on this machine, of a file, and of a good one', () => {
    for (const near of ['localhost', '127.0.0.1', '/run/mysqld.sock']) assert.deepEqual(of({ ...far, host: near }), [])
    assert.deepEqual(of({ client: 'sqlite' }), [])
    assert.deepEqual(of({ ...far, password: 'Wq8-rT2_vN5.xK0+' }), [])
  })
})

describe('the check of the layout', () => {
  const shown = (more: object) => ({
    plan: { changes: [], prevented: [], notes: [], ...more },
    sides: { found: { tables: new Map() } },
  })

  it('says what the rows keep from being made, and what is different and stays', () => {
    const prevented = [{ describe: 'two notes have the title "a"', advice: 'change one', statements: ['create index'] }]
    assert.deepEqual(said(layoutCheck, shown({ prevented, notes: ['notes.title is longer'] })), [
      'warning: two notes have the title "a"',
      'note: differences from the schema that nothing is done about: 1',
    ])
    assert.deepEqual(said(layoutCheck, shown({})), [])
  })
})
