import type { Host, SettingsOf } from '../../core/index.js'
import { Accounts } from './accounts/accounts.js'
import { Roles } from './accounts/roles.js'
import type { settingsSchema } from './settings.js'

export type AdminSettings = SettingsOf<typeof settingsSchema>

/** The state of the plugin while it runs. */
export class Admin {
  readonly host: Host<AdminSettings>
  readonly roles: Roles
  readonly accounts: Accounts

  constructor(host: Host<AdminSettings>) {
    this.host = host
    this.roles = new Roles(host)
    this.accounts = new Accounts(host)
  }
}
