import type { Check, FoundApp, Host } from '../../../core/index.js'
import type { AppParts, Loose } from '../types.js'
import { appOfCheck } from './command.js'
import { checkCode } from './index.js'

/** The parts of the plugin in an app, and the check that repeats in `stele doctor` what `stele strapi-code check` says. */
export function withCheck({ app }: Pick<FoundApp, 'app'>, parts: Loose): Loose {
  const { register, checks = [] } = (parts ?? {}) as Pick<AppParts, 'checks'> & { register?: (host: Loose) => Loose }
  let host: Host | undefined
  const check: Check = {
    name: 'code',
    describe: 'all that the code of the project calls is here',
    run(_, report) {
      const types = host?.types.types.values() ?? []
      const found = checkCode(appOfCheck(app, types as Parameters<typeof appOfCheck>[1]))
      if (found.length === 0) return
      report({
        severity: 'warning',
        says: `places of the project's code that nothing here carries: ${found.length}`,
        examples: found.map(({ file, line, says }) => `${file}, line ${line}: ${says}`),
        whole: true,
        advice: 'each fails when it runs; `stele strapi-code check` lists them too, with --json for programs',
      })
    },
  }
  return {
    ...parts,
    checks: [...checks, check],
    register(given: Host) {
      host = given
      return register?.(given)
    },
  }
}
