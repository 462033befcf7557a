import { type Host, optional, type SettingsOf } from '../../core/index.js'
import { createMailer, type Mailer, type Throttle, usersPermissions, withOlder } from '../users-permissions/index.js'
import { Accounts } from './accounts/accounts.js'
import { FirstAccount } from './accounts/first-account.js'
import { Links } from './accounts/links.js'
import { Management } from './accounts/management.js'
import { OwnData } from './accounts/own-data.js'
import { Roles } from './accounts/roles.js'
import { KeptRights } from './rights/kept-rights.js'
import { RoleManagement } from './roles/roles.js'
import { throttleOf } from './sessions/attempts.js'
import { Later } from './sessions/later.js'
import { Sessions } from './sessions/sessions.js'
import type { settingsSchema } from './settings.js'

export type AdminSettings = SettingsOf<typeof settingsSchema>

/** The state of the plugin while it runs. */
export class Admin {
  readonly host: Host<AdminSettings>
  readonly roles: Roles
  readonly accounts: Accounts
  readonly links: Links
  readonly firstAccount: FirstAccount
  readonly management: Management
  readonly roleManagement: RoleManagement
  readonly rights: KeptRights
  readonly sessions: Sessions
  readonly throttle: Throttle
  readonly later: Later
  /** The parts of other plugins in the export of an account. */
  readonly ownData = new OwnData()
  readonly #mailer: Mailer | undefined

  private constructor(host: Host<AdminSettings>, throttle: Throttle) {
    this.host = host
    this.throttle = throttle
    this.later = new Later(host.log)
    this.roles = new Roles(host)
    this.accounts = new Accounts(host, this.roles)
    this.rights = new KeptRights(host)
    this.sessions = new Sessions(host, this.accounts, host.config.sessions)
    this.firstAccount = new FirstAccount(host, this.accounts, this.roles)
    const shared = host.service(optional(usersPermissions))?.mailer
    this.#mailer = shared ? undefined : mailerOf(host)
    this.links = new Links(host, this.accounts, (shared ?? this.#mailer) as Mailer)
    this.management = new Management(this)
    this.roleManagement = new RoleManagement(this)
  }

  static async start(host: Host<AdminSettings>): Promise<Admin> {
    return new Admin(host, await throttleOf(host))
  }

  /** Lines for the person in front of the terminal. */
  tell(): Promise<readonly string[]> {
    return this.firstAccount.lines()
  }

  /** Keeps what is cached up to date with what others write. */
  refresh(): Promise<void> {
    return this.rights.refresh()
  }

  async close(): Promise<void> {
    await this.later.settled()
    await this.sessions.settled()
    await this.#mailer?.close()
  }
}

/** Mail by the settings of the plugin `email`, where the accounts of visitors have no mailer already. */
const mailerOf = ({ app, log }: Pick<Host, 'app' | 'log'>): Mailer =>
  createMailer(withOlder({ providerOptions: {}, settings: {} }, app, log), {
    ...{ production: app.environment === 'production', appDir: app.appDir, log },
  })
