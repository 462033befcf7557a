import { definePlugin } from '../../core/index.js'
import { verifySecret } from '../../core/plugin-kit.js'
import { checks } from './checks.js'
import { commands } from './commands.js'
import { contentTypes } from './content-types.js'
import { routes } from './routes.js'
import { ApiTokens, askedSalt } from './service.js'

/** Tokens for programs: `Authorization: Bearer <key>` may read, do everything, or do the listed actions. */
export const apiTokens = definePlugin({
  name: 'api-tokens',
  describe: 'tokens for programs',
  config: {
    type: 'object',
    properties: {
      salt: { type: 'string' },
      /** Salts that keys were hashed with before: these keys stay valid. */
      formerSalts: { type: 'array', items: { type: 'string', minLength: 1 }, default: [] },
      /** The first use of a token is noted; Strapi 4 goes on noting where a time stands already. */
      firstUses: { type: 'boolean', default: { spec: true, strapi4: false } },
    },
  },
  standardIn: { strapi4: true },
  contentTypes,
  register: host => ApiTokens.start(host),
  authenticate: (ctx, service) => service.callerOf(ctx),
  routes,
  commands,
  checks: [{ start: ({ config, app }) => verifySecret(askedSalt({ config, app }), app) }, ...checks],
  transfer: { accounts: contentTypes.map(({ uid }) => uid) },
})
