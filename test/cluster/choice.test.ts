import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { whyNoCluster } from './choice.js'

describe('the suites of the cluster', () => {
  const missing = 'no libgalera_smm.so installed'
  const cases = [
    { says: 'run where everything is installed', env: {}, missing: null, gives: undefined },
    { says: 'are left out with the reason where something is missing', env: {}, missing, gives: missing },
    {
      says: 'are left out of runs without MySQL, whatever is installed',
      env: { STELE_TEST_ENGINES: 'sqlite,postgres', CI: 'true' },
      missing,
      gives: 'STELE_TEST_ENGINES=sqlite,postgres leaves it out',
    },
    {
      says: 'run with MySQL among others',
      env: { STELE_TEST_ENGINES: 'sqlite, mysql' },
      missing: null,
      gives: undefined,
    },
  ]
  for (const { says, env, missing, gives } of cases) it(says, () => assert.equal(whyNoCluster(env, missing), gives))

  it('fail a run with CI=true that lacks something', () => {
    assert.throws(() => whyNoCluster({ CI: 'true' }, missing), { message: `a Galera cluster is required: ${missing}` })
  })
})
