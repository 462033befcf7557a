import { finished } from 'node:stream'
import { isDeepStrictEqual } from 'node:util'
import type { Context } from 'koa'
import {
  BootError,
  type Caller,
  type Host,
  type Reload,
  type SettingsOf,
  type Starting,
  type StoredValues,
} from '../../core/index.js'
import { formerSecretsOf, knowing, secretOf, verifySecret } from '../../core/plugin-kit.js'
import { Accounts } from './accounts.js'
import { Actions } from './actions.js'
import { Callers } from './callers.js'
import { type Connect, createConnect } from './connect/index.js'
import { userUid } from './content-types.js'
import { Grants } from './grants.js'
import { createMailer, type Mailer, withOlder } from './mail/index.js'
import { type RoleDeclarations, readDeclared } from './permissions/declared.js'
import { applyChanges, lineOf } from './permissions/plan.js'
import type { Replacement } from './replaced.js'
import { createSessions, type Sessions } from './sessions/index.js'
import { type AdvancedSettings, type StoredTable, type settingsSchema, storedSettings } from './settings.js'
import { withConfig } from './stored.js'
import { attempts, type CountingPlace, createThrottle, type Throttle } from './throttle/index.js'
import { Tokens } from './tokens.js'

export type PluginHost = Host<SettingsOf<typeof settingsSchema>, StoredValues<StoredTable>>

/** Changes of permissions named in a line of the log. */
const shown = 3

/** The state of the plugin while it runs. */
export class UsersPermissions {
  readonly host: PluginHost
  readonly tokens: Tokens
  readonly grants: Grants
  readonly callers: Callers
  readonly accounts: Accounts
  readonly sessions: Sessions
  readonly connect: Connect
  /** The actions that roles may be granted, as requests about roles say it. */
  readonly actions: Actions
  declared: RoleDeclarations
  readonly throttle: Throttle
  readonly mailer: Mailer
  /** The advanced settings as they were at the last refresh. */
  advanced: AdvancedSettings = storedSettings.advanced
  /** The action as code has replaced it, by its name in Strapi 4, such as `auth.callback`; undefined where it is the plugin's own. */
  replaced: (action: string) => Replacement | undefined = () => undefined
  readonly #pending = new Set<Promise<void>>()
  #started = false
  #isStale = false

  private constructor(host: PluginHost, [secret, ...former]: Secrets, declared: RoleDeclarations) {
    const { config, app, log } = host
    this.host = host
    this.declared = declared
    this.tokens = tokensOf([secret, ...former], host)
    this.grants = new Grants(host, type => this.declared.roles.get(type)?.details)
    this.callers = new Callers(host, this.grants)
    this.accounts = new Accounts(this)
    this.actions = new Actions(host.actions)
    this.sessions = createSessions(config.sessions, host)
    this.throttle = createThrottle(config.ratelimit, placeOf(host, secret))
    this.connect = createConnect({ host, secret, throttle: this.throttle, accounts: this.accounts })
    this.mailer = createMailer(withOlder(config.email, app, log), {
      production: app.environment === 'production',
      appDir: app.appDir,
      log,
    })
  }

  /** Refuses what the settings, the types and config/permissions do not allow. */
  static async checkStart(given: Starting<PluginHost['config']>): Promise<void> {
    const { config, app, types } = given
    assertPrivate(types)
    verifySecret({ configured: config.jwtSecret, ...secret }, app)
    await knowing(given, actions => readDeclared(app.permissions, { types, actions }))
  }

  static async start(host: PluginHost): Promise<UsersPermissions> {
    const { config, app, log } = host
    const asked = { configured: config.jwtSecret, ...secret }
    const signs = await secretOf(asked, app, log)
    const former = formerSecretsOf({ ...asked, former: config.formerJwtSecrets, setting: formerSetting }, app, log)
    const stored = withConfig(host.shares.stored, config)
    const declared = await knowing(host, actions => readDeclared(app.permissions, { types: host.types, actions }))
    const service = new UsersPermissions({ ...host, shares: { ...host.shares, stored } }, [signs, ...former], declared)
    await service.connect.check()
    return service
  }

  /** Rereads the cached rows of the database; the first time, the declared roles are brought into it before. */
  async refresh(): Promise<void> {
    if (!this.#started) await this.#applyDeclared()
    this.#started = true
    this.#isStale = false
    try {
      await this.#reread()
    } catch (error) {
      this.#isStale = true
      throw error
    }
  }

  /** Reads `config/permissions` again: roles, rows and values apply from the next request. */
  async reload({ permissions }: Pick<PluginHost['app'], 'permissions'>): Promise<Reload[]> {
    const { types } = this.host
    const declared = await knowing(this.host, actions => readDeclared(permissions, { types, actions }))
    if (isDeepStrictEqual(declared, this.declared)) return []
    const apply = async () => {
      this.declared = declared
      await this.#applyDeclared()
      this.grants.redeclared()
      await this.refresh()
    }
    return [{ describe: 'config/permissions', apply }]
  }

  async #reread(): Promise<void> {
    this.advanced = await this.host.shares.stored.get('advanced')
    this.callers.mustConfirm = this.advanced.email_confirmation
    // Callers carry the permissions of their role.
    if (await this.grants.read()) this.callers.dropAll()
  }

  async #applyDeclared(): Promise<void> {
    const { host, declared } = this
    if (host.purpose !== 'serve' || declared.roles.size === 0) return
    if (declared.apply === 'command') {
      host.log.info('config/permissions is applied by `stele permissions apply`, not by a start')
      return
    }
    const changes = (await applyChanges(host, declared)).map(lineOf)
    if (changes.length === 0) return
    const many = changes.length > shown ? `, the first ${shown} of ${changes.length}` : ''
    host.log.info(`config/permissions changed roles${many}: ${changes.slice(0, shown).join(', ')}`)
    host.log.debug({ changes }, 'all changes that config/permissions made')
  }

  /** The caller of a request: a visitor, an account with its token, or credentials of another plugin. */
  callerOf(token: string | undefined): Caller | undefined | Promise<Caller | undefined> {
    if (this.#isStale) return this.refresh().then(() => this.callerOf(token))
    if (token === undefined) return this.grants.anonymous
    const claims = this.tokens.read(token)
    return claims && this.callers.of(claims)
  }

  /** Rereads roles that have changed here, for requests that other plugins know the caller of. */
  async reread(): Promise<void> {
    if (this.#isStale) await this.refresh()
  }

  /** Roles have changed here: the next request rereads them, without waiting for a second to pass. */
  rolesChanged(): void {
    this.#isStale = true
  }

  /** Starts work once the response is sent, so that its time reveals nothing about the work. */
  later({ res }: Pick<Context, 'res'>, work: () => Promise<void>): void {
    const sent = new Promise<void>(resolve => finished(res, () => resolve()))
    const done = sent
      .then(work)
      .catch(error => this.host.log.error({ err: error }, 'work after a response failed'))
      .finally(() => this.#pending.delete(done))
    this.#pending.add(done)
  }

  async close(): Promise<void> {
    await Promise.all(this.#pending)
    await this.mailer.close()
  }
}

/** The place where attempts are counted, as set in `ratelimit.store`. */
const placeOf = ({ config, shares: { processes, counts } }: PluginHost, secret: string): CountingPlace =>
  config.ratelimit.enabled && config.ratelimit.store === 'database'
    ? { counts: counts(attempts), secret }
    : { processes }

/** The first signs, and all of them verify. */
type Secrets = readonly [string, ...string[]]

const formerSetting = 'users-permissions.config.formerJwtSecrets'

export const secret = {
  variable: 'JWT_SECRET',
  setting: 'users-permissions.config.jwtSecret',
  purpose: 'to sign tokens with',
  file: 'jwt-secret',
  changing: 'every account has to sign in again',
}

/** Strapi 4 starts with a lifetime that is none, and fails to sign in. */
function tokensOf(secrets: Secrets, { config, app, log }: PluginHost): Tokens {
  try {
    return new Tokens(secrets, config.jwt.expiresIn as string | number)
  } catch (error) {
    if (app.project === 'stele' || !(error instanceof BootError)) throw error
    log.warn(`${error.message}; until then tokens are valid for 30 days`)
    return new Tokens(secrets, '30d')
  }
}

/** Asserts that an app which extends the accounts keeps codes sent to their owners private. */
function assertPrivate(types: PluginHost['types']): void {
  const { fields, source } = types.get(userUid)
  for (const name of ['resetPasswordToken', 'confirmationToken'])
    if (fields.get(name)?.readable !== false) throw new BootError(`${source}: ${name} must stay private`)
}

/** The account behind a caller; undefined for visitors and for programs with a token of their own. */
export function accountOf(caller: Caller): number | undefined {
  return 'user' in caller && typeof caller.id === 'number' ? caller.id : undefined
}
