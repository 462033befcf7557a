import type { Context } from 'koa'
import { type Caller, type Host, UnauthorizedError } from '../../core/index.js'
import { type AskedSecret, bearerOf, formerSecretsOf, secretOf } from '../../core/plugin-kit.js'
import { KeptTokens } from './kept-tokens.js'
import { KeyHash } from './keys.js'
import { LastUses } from './last-uses.js'
import { Management } from './management.js'
import { TokenRows } from './token-rows.js'

interface Settings {
  readonly salt: string | undefined
  readonly formerSalts: readonly string[]
  readonly firstUses: boolean
}

/** The state of the plugin while it runs. */
export class ApiTokens {
  readonly host: Host<Settings>
  readonly kept: KeptTokens
  readonly lastUses: LastUses
  readonly management: Management

  constructor(host: Host<Settings>, salt: string, former: readonly string[]) {
    this.host = host
    const hash = new KeyHash(salt)
    const rows = new TokenRows(host)
    this.kept = new KeptTokens(rows, [hash, ...former.map(salt => new KeyHash(salt))])
    this.lastUses = new LastUses(host, host.config.firstUses)
    this.management = new Management(host, rows, this.kept, hash)
  }

  static async start(host: Host<Settings>): Promise<ApiTokens> {
    const { app, log, config } = host
    const asked = askedSalt(host)
    const former = { ...asked, former: config.formerSalts, setting: 'api-tokens.config.formerSalts' }
    return new ApiTokens(host, await secretOf(asked, app, log), formerSecretsOf(former, app, log))
  }

  /** The caller of a request whose credentials are one of the tokens. */
  callerOf(ctx: Context): Caller | undefined {
    const key = bearerOf(ctx)
    // A JWT has three parts; it is checked without hashing it first.
    if (key === undefined || key.split('.', 4).length === 3) return undefined
    const token = this.kept.of(key)
    if (!token) return undefined
    if (token.expiresAt <= Date.now()) throw new UnauthorizedError('Token expired')
    this.lastUses.note(token, ctx)
    return token.caller
  }

  refresh(): Promise<void> {
    return this.kept.read()
  }

  close(): Promise<void> {
    return this.lastUses.close()
  }
}

export const askedSalt = ({ config, app }: Pick<Host<Pick<Settings, 'salt'>>, 'config' | 'app'>): AskedSecret => ({
  configured: config.salt || olderSalt(app.foreign),
  variable: 'API_TOKEN_SALT',
  setting: 'api-tokens.config.salt',
  purpose: 'to hash tokens with',
  file: 'api-token-salt',
  changing: 'every token needs a new key',
})

/** `apiToken.salt` of the file config/admin in projects of Strapi 4. */
function olderSalt({ admin }: Readonly<Record<string, unknown>>): string | undefined {
  const salt = (admin as { apiToken?: { salt?: unknown } } | undefined)?.apiToken?.salt
  return typeof salt === 'string' ? salt : undefined
}
