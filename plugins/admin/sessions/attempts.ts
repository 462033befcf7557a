import type { Host, SettingsOf } from '../../../core/index.js'
import { type AskedSecret, secretOf, verifySecret } from '../../../core/plugin-kit.js'
import { attempts, createThrottle, type Throttle, type throttleSettings } from '../../users-permissions/index.js'

interface AttemptSettings {
  readonly secret?: string | undefined
  readonly ratelimit: SettingsOf<typeof throttleSettings>
}

/** True if all processes count attempts together, in rows that are hashed with a secret. */
export const areShared = ({ ratelimit: { enabled, store } }: AttemptSettings): boolean =>
  enabled && store === 'database'

const asked = ({ secret: configured }: AttemptSettings): AskedSecret => ({
  configured,
  variable: 'ADMIN_JWT_SECRET',
  setting: 'admin.config.secret',
  purpose: 'to hash the attempts at signing in with',
  file: 'admin-secret',
})

/** Refuses a start without a secret that it would need. */
export function checkAttempts(config: AttemptSettings, app: Host['app']): void {
  if (areShared(config)) verifySecret(asked(config), app)
}

/** The throttle of attempts: that of the accounts of visitors, with counts of its own. */
export async function throttleOf({
  config,
  app,
  log,
  shares: { processes, counts },
}: Pick<Host<AttemptSettings>, 'config' | 'app' | 'log' | 'shares'>): Promise<Throttle> {
  if (!areShared(config)) return createThrottle(config.ratelimit, { processes })
  return createThrottle(config.ratelimit, {
    counts: counts(attempts),
    secret: await secretOf(asked(config), app, log),
  })
}
