import { ApplicationError, type Host, type Session } from '../../../core/index.js'
import { permissionUid, roleUid, superAdminCode } from '../content-types.js'
import { firstRoles } from './first-roles.js'

/** A role of editors. */
export interface Role {
  readonly id: number
  readonly name: string
  readonly code: string
  readonly description: string | null
}

/** The role that may everything, by its code. */
export const superAdminOf = (roles: readonly Role[]): Role | undefined =>
  roles.find(({ code }) => code === superAdminCode)

const fields = ['name', 'code', 'description']

/** Reads the roles of editors, and makes those that a new app begins with. */
export class Roles {
  readonly #host: Pick<Host, 'entries' | 'types'>

  constructor(host: Pick<Host, 'entries' | 'types'>) {
    this.#host = host
  }

  async all(session?: Session): Promise<Role[]> {
    const found = await this.#host.entries(roleUid, session).find({ sort: 'id', fields })
    return found.map(({ id, name, code, description }) => ({
      id: Number(id),
      name: String(name),
      code: String(code),
      description: (description as string | null) ?? null,
    }))
  }

  /** The roles that a person names, each by its code, its name or its id. */
  async named(words: readonly string[], session?: Session): Promise<Role[]> {
    const all = await this.all(session)
    return words.map(word => {
      const role =
        all.find(({ code }) => code === word) ??
        all.find(({ name }) => name.toLowerCase() === word.toLowerCase()) ??
        all.find(({ id }) => String(id) === word)
      if (role) return role
      const known = all.map(({ name }) => `"${name}"`).join(', ') || 'none'
      throw new ApplicationError(`There is no role "${word}"; there are ${known}`)
    })
  }

  /** Makes the first roles; a database that has roles keeps its own. */
  async seed(session: Session): Promise<void> {
    const { entries, types } = this.#host
    if ((await entries(roleUid, session).count()) > 0) return
    for (const { permissions, ...role } of firstRoles(types)) {
      const { id } = await entries(roleUid, session).create(role)
      for (const permission of permissions)
        await entries(permissionUid, session).create({ ...permission, role: Number(id) })
    }
  }
}
