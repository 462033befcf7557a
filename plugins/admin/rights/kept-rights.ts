import { isDeepStrictEqual } from 'node:util'
import { LRUCache } from 'lru-cache'
import type { Host, Session } from '../../../core/index.js'
import type { Account } from '../accounts/accounts.js'
import { permissionUid, roleUid, superAdminCode } from '../content-types.js'
import { EditorCaller } from './caller.js'
import type { PermissionRow } from './permissions.js'
import { RoleRights } from './role-rights.js'

/** A role, with its rows. */
export interface StoredRole {
  readonly id: number
  readonly code: string
  readonly name: string
  readonly rows: readonly PermissionRow[]
}

/** All roles of editors with their permissions, in memory: a request asks here, never the database. */
export class KeptRights {
  readonly #host: Pick<Host, 'entries' | 'types'>
  #roles: ReadonlyMap<number, StoredRole> = new Map()
  #made = new Map<string, RoleRights>()
  /** By scope: roles that have again what they had are the same to all that is kept of their callers. */
  readonly #recent = new LRUCache<string, RoleRights>({ max: 50 })
  #begun = 0
  #adopted = 0

  constructor(host: Pick<Host, 'entries' | 'types'>) {
    this.#host = host
  }

  get roles(): readonly StoredRole[] {
    return [...this.#roles.values()]
  }

  /** The caller that an account is. */
  callerOf(account: Account): EditorCaller {
    return new EditorCaller(account, this.of(account.roles))
  }

  /** The permissions of some roles together. */
  of(ids: readonly number[]): RoleRights {
    const roles = [...new Set(ids)].sort((a, b) => a - b).flatMap(id => this.#roles.get(id) ?? [])
    const key = roles.map(({ id }) => id).join(',')
    const known = this.#made.get(key)
    if (known) return known
    const made = this.#make(roles)
    this.#made.set(key, made)
    return made
  }

  /** Rereads the roles from the database. Of several concurrent reads the last one counts. */
  async refresh(session?: Session): Promise<void> {
    this.#begun += 1
    const mine = this.#begun
    const roles = await this.#read(session)
    if (mine < this.#adopted) return
    this.#adopted = mine
    if (isDeepStrictEqual(roles, this.#roles)) return
    this.#roles = roles
    this.#made = new Map()
  }

  #make(roles: readonly StoredRole[]): RoleRights {
    const held = {
      ids: roles.map(({ id }) => id),
      isSuper: roles.some(({ code }) => code === superAdminCode),
      rows: roles.flatMap(({ rows }) => rows),
    }
    const made = new RoleRights(held, this.#host.types)
    const same = this.#recent.get(made.scope) ?? made
    this.#recent.set(made.scope, same)
    return same
  }

  async #read(session?: Session): Promise<Map<number, StoredRole>> {
    const { entries } = this.#host
    const [roles, rows] = await Promise.all([
      entries(roleUid, session).find({ fields: ['code', 'name'], sort: 'id' }),
      entries(permissionUid, session).find({ sort: 'id', populate: { role: { fields: ['id'] } } }),
    ])
    const byRole = new Map<number, PermissionRow[]>()
    for (const { action, subject, properties, conditions, actionParameters, role } of rows) {
      const id = Number((role as { readonly id?: unknown } | null)?.id ?? 0)
      const row = {
        action: String(action),
        subject: subject as string | null,
        properties,
        conditions,
        actionParameters,
      }
      byRole.set(id, [...(byRole.get(id) ?? []), row])
    }
    return new Map(
      roles.map(({ id, code, name }) => {
        const role = { id: Number(id), code: String(code), name: String(name), rows: byRole.get(Number(id)) ?? [] }
        return [role.id, role]
      }),
    )
  }
}
