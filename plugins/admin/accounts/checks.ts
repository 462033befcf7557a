import type { Check } from '../../../core/index.js'
import type { Accounts } from './accounts.js'

interface Checked {
  readonly accounts: Accounts
}

export const accountChecks: readonly Check<Checked>[] = [
  {
    name: 'accounts',
    describe: 'an account may everything, and every account has an address of its own',
    async run({ accounts }, report) {
      if (!(await accounts.hasSuperAdmin()))
        report({
          severity: 'warning',
          says: 'no active account is a Super Admin',
          advice: '`stele admin create` makes one, or `stele admin role <account> "Super Admin"`',
        })
      const idsByAddress = new Map<string, number[]>()
      for (const { id, email } of await accounts.all()) {
        const address = email.toLowerCase()
        idsByAddress.set(address, [...(idsByAddress.get(address) ?? []), id])
      }
      const shared = [...idsByAddress].filter(([, ids]) => ids.length > 1)
      if (shared.length > 0)
        report({
          severity: 'error',
          says: `e-mail addresses that several accounts have: ${shared.length}`,
          examples: shared.map(([address, ids]) => `${address} (ids ${ids.join(', ')})`),
          advice: 'the account with the lowest id signs in with it; block the others, or change their addresses',
        })
    },
  },
]
