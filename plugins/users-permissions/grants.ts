import { createHash } from 'node:crypto'
import { type Caller, type Host, rowsOf } from '../../core/index.js'
import { roleUid } from './content-types.js'
import type { ActionLimits, Details } from './permissions/granted.js'

type Limits = Pick<Caller, 'rows' | 'sets' | 'fields'>

/** The grants of a role, shared by all its callers; its scope changes whenever they do. */
export interface RoleGrants extends Pick<Caller, 'scope' | 'can'>, Limits {
  readonly id: number
  readonly type: string
  readonly actions: ReadonlySet<string>
  readonly limited: (action: string, uid: string) => boolean
}

const closed: RoleGrants = {
  id: 0,
  type: '',
  actions: new Set(),
  scope: 'role none',
  can: () => false,
  limited: () => false,
}

/** All roles and their actions, kept in memory: a request asks here, never the database. */
export class Grants {
  readonly #host: Pick<Host, 'store'>
  readonly #details: (roleType: string) => Details | undefined
  #roles = new Map<number, RoleGrants>()
  /** Number of the current rules: plans and cached responses belong to one edition of the roles' rows and values. */
  #edition = 0
  #anonymous: Caller = { ...closed, refusal: 401 }

  constructor(host: Pick<Host, 'store'>, details: (roleType: string) => Details | undefined) {
    this.#host = host
    this.#details = details
  }

  /** The caller without credentials has the role `public`; without any grant of it, credentials are asked for. */
  get anonymous(): Caller {
    return this.#anonymous
  }

  of(roleId: number | undefined): RoleGrants {
    return this.#roles.get(roleId ?? 0) ?? closed
  }

  get all(): readonly RoleGrants[] {
    return [...this.#roles.values()]
  }

  /** The next reading makes all roles anew, with other scopes. */
  redeclared(): void {
    this.#edition += 1
  }

  /** Rereads the grants from the database; true if any changed. */
  async read(): Promise<boolean> {
    const found = await this.#rows()
    const roles = new Map<number, RoleGrants>()
    for (const [id, { type, actions }] of found) {
      const former = this.#roles.get(id)
      const scope = scopeOf({ id, type, actions }, this.#edition)
      roles.set(id, former?.scope === scope ? former : grantsOf({ id, type, scope, actions }, this.#details(type)))
    }
    const changed = roles.size !== this.#roles.size || [...roles].some(([id, role]) => this.#roles.get(id) !== role)
    this.#roles = roles
    const visitors = [...roles.values()].find(({ type }) => type === 'public') ?? closed
    this.#anonymous = { ...callerParts(visitors), refusal: visitors.actions.size === 0 ? 401 : 403 }
    return changed
  }

  async #rows(): Promise<Map<number, { type: string; actions: Set<string> }>> {
    const { store } = this.#host
    const roles = store.model(roleUid).query().alias('role').leftJoinRelated('permissions')
    const query = roles.select('role.id', 'role.type', 'permissions.action').orderBy('role.id').toKnexQuery()
    const found = new Map<number, { type: string; actions: Set<string> }>()
    for (const [id, type, action] of await rowsOf(store.reader, query)) {
      const role = found.get(Number(id)) ?? { type: String(type ?? ''), actions: new Set<string>() }
      found.set(Number(id), role)
      if (action !== null) role.actions.add(String(action))
    }
    return found
  }
}

type Role = Pick<RoleGrants, 'id' | 'type' | 'scope' | 'actions'>

function grantsOf(role: Role, details: Details = new Map()): RoleGrants {
  const { actions } = role
  const grants = [...details.values()]
  const part = <Part extends keyof ActionLimits>(name: Part) => {
    const isThere = grants.some(grant => grant[name] !== undefined)
    return isThere ? (action: string, uid: string) => details.get(`${uid}.${action}`)?.[name] : undefined
  }
  const [rows, sets, fields] = [part('where'), part('set'), part('fields')]
  return {
    ...role,
    can: (action, uid) => actions.has(`${uid}.${action}`),
    limited: (action, uid) => rows?.(action, uid) !== undefined,
    ...(rows && { rows }),
    ...(sets && { sets }),
    ...(fields && { fields }),
  }
}

/** The members of a caller that its role decides. */
export const callerParts = ({
  scope,
  can,
  type,
  rows,
  sets,
  fields,
}: RoleGrants): Pick<Caller, 'scope' | 'can' | 'granting'> & Limits => ({
  ...{ scope, can },
  ...(type !== '' && { granting: grantingTo(type) }),
  ...(rows && { rows }),
  ...(sets && { sets }),
  ...(fields && { fields }),
})

/** The command does nothing lasting for a role that the file declares, which every start applies. */
const grantingTo =
  (type: string): Caller['granting'] & {} =>
  permission =>
    `grant it to the role ${type} in config/permissions, or with \`stele role grant ${type} ${permission}\` if that file does not declare the role`

/** Plans are kept by scope: a role that may do something else must have another one. */
function scopeOf({ id, type, actions }: Omit<Role, 'scope'>, edition: number): string {
  const parts = [type, [...actions].sort(), ...(edition === 0 ? [] : [edition])]
  const hash = createHash('sha256').update(JSON.stringify(parts))
  return `role ${id} ${hash.digest('base64url').slice(0, 16)}`
}
