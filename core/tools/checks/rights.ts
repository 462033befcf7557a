import { canCreateTables, grantAdvice } from '../../layout/rights.js'
import type { CoreCheck } from './check.js'

export const rightsCheck: CoreCheck = {
  name: 'rights',
  describe: 'the user of the database may add what is missing in it',
  async run({ plan: { changes }, sides: { engine } }, report) {
    if (changes.some(({ group }) => group === 'additions') && !(await canCreateTables(engine)))
      report({
        severity: 'error',
        says: 'the user of the database may not add what is missing in it, and nothing can be written before that is there',
        advice: grantAdvice,
      })
  },
}
