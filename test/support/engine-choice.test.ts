import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { chooseEngines, type EngineName } from './engine-choice.js'
import { mysqlKind } from './mysql-kind.js'

describe('the engines of a run', () => {
  const without = (...missing: EngineName[]) => {
    return (engine: EngineName) => (missing.includes(engine) ? 'not installed' : undefined)
  }
  const cases = [
    { says: 'all that are installed', env: {}, absent: {} },
    { says: 'no one that is missing', env: {}, missing: ['mysql'], absent: { mysql: 'not installed' } },
    {
      says: 'those that are named',
      env: { STELE_TEST_ENGINES: 'sqlite, postgres' },
      absent: { mysql: 'STELE_TEST_ENGINES=sqlite, postgres leaves it out' },
    },
    {
      says: 'those that are named, though another is missing',
      env: { STELE_TEST_ENGINES: 'sqlite,mysql', CI: 'true' },
      missing: ['postgres'],
      absent: { postgres: 'STELE_TEST_ENGINES=sqlite,mysql leaves it out' },
    },
  ] as const
  for (const { says, env, absent, ...rest } of cases) {
    const missing = 'missing' in rest ? rest.missing : []
    it(says, () => assert.deepEqual(chooseEngines(env, without(...missing)), absent))
  }

  const failures = [
    {
      says: 'one that is named must be installed',
      env: { STELE_TEST_ENGINES: 'mysql' },
      message: /mysql \(not installed\)/,
    },
    { says: 'every one must be installed where CI=true', env: { CI: 'true' }, message: /mysql \(not installed\)/ },
    { says: 'a name nobody knows is refused', env: { STELE_TEST_ENGINES: 'sqlite,oracle' }, message: /"oracle"/ },
  ]
  for (const { says, env, message } of failures) {
    it(says, () => assert.throws(() => chooseEngines(env, without('mysql')), { message }))
  }
})

describe('the server of the engine mysql', () => {
  it('is MariaDB, or MySQL where that is asked for', () => {
    assert.equal(mysqlKind({}), 'mariadb')
    assert.equal(mysqlKind({ STELE_TEST_MYSQL: '' }), 'mariadb')
    assert.equal(mysqlKind({ STELE_TEST_MYSQL: 'mysql' }), 'mysql')
  })
  it('has no other name', () =>
    assert.throws(() => mysqlKind({ STELE_TEST_MYSQL: 'percona' }), { message: /"percona".*mariadb,mysql/ }))
})
