import type { Check } from '../../core/index.js'
import { weaknessOfAsked } from '../../core/plugin-kit.js'
import { type ApiTokens, askedSalt } from './service.js'

export const checks: readonly Check<ApiTokens>[] = [
  {
    name: 'salt',
    describe: 'keys are hashed with a secret that cannot be guessed',
    run({ host }, report) {
      const asked = askedSalt(host)
      const weakness = weaknessOfAsked(asked)
      if (weakness !== undefined)
        report({
          severity: 'error',
          says: `the secret that keys are hashed with ${weakness}`,
          advice: `set ${asked.variable}, or ${asked.setting}, to a long random text; ${asked.changing} then`,
        })
    },
  },
  {
    name: 'tokens',
    describe: 'tokens hold, and may do what there is',
    async run({ host, management }, report) {
      const tokens = await management.list()
      const expired = tokens.filter(({ expiresAt }) => expiresAt !== null && Date.parse(expiresAt) <= Date.now())
      if (expired.length > 0)
        report({
          severity: 'note',
          says: `tokens that have expired: ${expired.length}`,
          examples: expired.map(({ name, expiresAt }) => `${name} (${expiresAt})`),
          advice: '`stele token revoke` removes them, `stele token regenerate` gives them new keys',
        })
      const known = new Set(
        [...host.actions, ...(await host.dormantActions())].map(({ uid, action }) => `${uid}.${action}`),
      )
      const unknown = tokens.flatMap(({ name, permissions }) =>
        (permissions ?? []).filter(action => !known.has(action)).map(action => `${action} of ${name}`),
      )
      if (unknown.length > 0)
        report({
          severity: 'warning',
          says: `actions that tokens list and that there are not: ${unknown.length}`,
          examples: unknown,
          advice: 'they permit nothing; change the tokens, unless a type or plugin will bring the actions back',
        })
    },
  },
]
