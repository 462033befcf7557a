import type { Caller } from '../../../core/index.js'
import type { Account } from '../accounts/accounts.js'
import type { RoleRights } from './role-rights.js'

/** An account that edits content. Its permissions are those of its roles; its values are its own. */
export class EditorCaller implements Caller {
  readonly refusal = 403
  readonly id: number
  readonly actor: string
  readonly account: Account
  readonly rights: RoleRights
  readonly scope: string
  readonly can: Caller['can']
  readonly fields: NonNullable<Caller['fields']>
  readonly more?: NonNullable<Caller['more']>
  readonly sets: NonNullable<Caller['sets']>
  readonly gives: NonNullable<Caller['gives']>
  readonly rows?: NonNullable<Caller['rows']>

  constructor(account: Account, rights: RoleRights) {
    this.id = account.id
    this.actor = `admin ${account.id}`
    this.account = account
    this.rights = rights
    this.scope = rights.scope
    this.can = rights.can
    this.fields = rights.fields
    this.sets = rights.sets
    this.gives = rights.gives
    if (rights.more) this.more = rights.more
    if (rights.rows) this.rows = rights.rows
  }

  get isSuperAdmin(): boolean {
    return this.rights.isSuper
  }
}
