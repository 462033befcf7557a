import { BootError, type Caller, type Host, type SettingsOf, type StoredValues, secretOf } from '../../core/index.js'
import { Accounts } from './accounts.js'
import { Callers } from './callers.js'
import { type Connect, createConnect } from './connect/index.js'
import { userUid } from './content-types.js'
import { Grants } from './grants.js'
import { createMailer, type Mailer, withOlder } from './mail/index.js'
import { type Declared, readDeclared } from './permissions/declared.js'
import { applyChanges, lineOf } from './permissions/plan.js'
import { createSessions, type Sessions } from './sessions/index.js'
import { type Advanced, type StoredTable, type settingsSchema, storedSettings } from './settings.js'
import { withConfig } from './stored.js'
import { createThrottle, type Throttle } from './throttle/index.js'
import { Tokens } from './tokens.js'

export type PluginHost = Host<SettingsOf<typeof settingsSchema>, StoredValues<StoredTable>>

/** Everything the plugin keeps while it runs. */
export class UsersPermissions {
  readonly host: PluginHost
  readonly tokens: Tokens
  readonly grants: Grants
  readonly callers: Callers
  readonly accounts: Accounts
  readonly sessions: Sessions
  readonly connect: Connect
  readonly declared: Declared
  readonly throttle: Throttle
  readonly mailer: Mailer
  /** The advanced settings as they were at the last refresh. */
  advanced: Advanced = storedSettings.advanced
  readonly #pending = new Set<Promise<void>>()
  #started = false
  #isStale = false

  constructor(host: PluginHost, secret: string) {
    const { config, app, log, types } = host
    mustHide(types)
    this.host = host
    this.declared = readDeclared(app.permissions, { types, actions: [...host.actions, ...host.dormantActions] })
    this.tokens = new Tokens(secret, config.jwt.expiresIn as string | number)
    this.grants = new Grants(host, type => this.declared.roles.get(type)?.rules)
    this.callers = new Callers(host, this.grants)
    this.accounts = new Accounts(this)
    this.sessions = createSessions(config.sessions, host)
    this.throttle = createThrottle(config.ratelimit, host.processes)
    this.connect = createConnect({ host, secret, throttle: this.throttle, accounts: this.accounts })
    this.mailer = createMailer(withOlder(config.email, app, log), {
      production: app.environment === 'production',
      appDir: app.appDir,
      log,
    })
  }

  static async start(host: PluginHost): Promise<UsersPermissions> {
    const { config, app, log } = host
    const signs = await secretOf({ configured: config.jwtSecret, ...secret }, app, log)
    const service = new UsersPermissions({ ...host, stored: withConfig(host.stored, config) }, signs)
    await service.connect.check()
    return service
  }

  /** Rereads what is kept of the database; the first time, the declared roles are brought into it before. */
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

  async #reread(): Promise<void> {
    this.advanced = await this.host.stored.get('advanced')
    this.callers.mustConfirm = this.advanced.email_confirmation
    // Callers carry what their role may do.
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
    if (changes.length > 0)
      host.log.info({ changes }, `config/permissions changed ${changes.length} things about roles`)
  }

  /** Who a request comes from: a visitor, an account with its token, or somebody else's business. */
  callerOf(token: string | undefined): Caller | undefined | Promise<Caller | undefined> {
    if (this.#isStale) return this.refresh().then(() => this.callerOf(token))
    if (token === undefined) return this.grants.anonymous
    const claims = this.tokens.read(token)
    return claims && this.callers.of(claims)
  }

  /** Roles have changed here: the next request rereads them, without waiting for a second to pass. */
  rolesChanged(): void {
    this.#isStale = true
  }

  /** Goes on after the answer, which must not tell by its time what there was to do. */
  later(work: () => Promise<void>): void {
    const done = work()
      .catch(error => this.host.log.error({ err: error }, 'work after an answer failed'))
      .finally(() => this.#pending.delete(done))
    this.#pending.add(done)
  }

  async close(): Promise<void> {
    await Promise.all(this.#pending)
    await this.mailer.close()
  }
}

export const secret = {
  variable: 'JWT_SECRET',
  setting: 'users-permissions.config.jwtSecret',
  purpose: 'to sign tokens with',
  file: 'jwt-secret',
}

/** An app may add to the accounts, and may not open what was sent to their owners only. */
function mustHide(types: PluginHost['types']): void {
  const { fields, source } = types.get(userUid)
  for (const name of ['resetPasswordToken', 'confirmationToken'])
    if (fields.get(name)?.readable !== false) throw new BootError(`${source}: ${name} must stay private`)
}

/** The account behind a caller; undefined for visitors and for programs with a token of their own. */
export function accountOf(caller: Caller): number | undefined {
  return 'user' in caller && typeof caller.id === 'number' ? caller.id : undefined
}
