import { createHash } from 'node:crypto'
import {
  ApplicationError,
  type Entry,
  ForbiddenError,
  type Host,
  NotFoundError,
  type Session,
} from '../../../core/index.js'
import { asRecorded, PreconditionFailedError } from '../../../core/plugin-kit.js'
import type { Accounts } from '../accounts/accounts.js'
import { permissionUid, roleUid, superAdminCode } from '../content-types.js'
import type { EditorCaller } from '../rights/caller.js'
import { declaredCodes } from '../rights/declared.js'
import { assertMayChangeRole, type Giver, mayGiveRole, missing } from '../rights/escalation.js'
import type { KeptRights } from '../rights/kept-rights.js'
import { grantKey, type PermissionRow } from '../rights/permissions.js'
import { Catalogue, giveable, shownType } from './catalogue.js'
import type { RoleChange, RoleWish, Trial } from './input.js'
import { type Change, changedRow, isPlain, type ReadRow, readRows, type StoredRow } from './rows.js'
import { type Shown, tryRole } from './trial.js'

interface Parts {
  readonly host: Pick<Host, 'entries' | 'types' | 'outline' | 'app'>
  readonly accounts: Accounts
  readonly rights: KeptRights
}

interface RoleRow {
  readonly id: number
  readonly code: string
  readonly name: string
  readonly description: string | null
}

/** Rows of a role that a change puts in place of others. */
interface Replaced {
  readonly before: StoredRow | undefined
  readonly after: PermissionRow | undefined
}

/** Roles as editors see and change them: none gives or takes what they lack. */
export class RoleManagement {
  readonly #parts: Parts
  #catalogue: Catalogue | undefined
  #declared: ReadonlySet<string> | undefined

  constructor(parts: Parts) {
    this.#parts = parts
  }

  get catalogue(): Catalogue {
    this.#catalogue ??= new Catalogue(this.#parts.host.outline)
    return this.#catalogue
  }

  async all(): Promise<Entry[]> {
    const [roles, accounts] = await Promise.all([this.#rolesIn(), this.#parts.accounts.all()])
    return roles.map(role => this.#about(role, accounts.filter(account => account.roles.includes(role.id)).length))
  }

  /** A role with its permissions, and all that the editor could give it. */
  async one(editor: EditorCaller, id: number) {
    const { host, accounts } = this.#parts
    const giver = await this.#giver(editor)
    const role = await this.#role(id)
    const rows = await this.#rowsOf(id)
    const { read, kept } = readRows(rows, this.catalogue, host.types)
    const held = (await accounts.all()).filter(account => account.roles.includes(id))
    return {
      ...this.#about(role, held.length),
      stamp: stampOf(role, rows),
      permissions: read.map(one => shownRow(one, missing(giver, [one.row], host.types).length === 0)),
      kept: kept.map(row => ({
        action: row.action,
        subject: row.subject ?? null,
        isPlain: isPlain(row, this.catalogue),
      })),
      types: this.catalogue.types.map(type =>
        shownType(type, { required: this.catalogue.required(type), key: this.catalogue.key(type) }),
      ),
      parts: this.catalogue.parts,
      gives: this.#gives(giver),
    }
  }

  async create(editor: EditorCaller, wish: RoleWish & { readonly name: string }) {
    const { accounts, host } = this.#parts
    const id = await accounts.inTurn(async session => {
      const codes = (await this.#rolesIn(session)).map(({ code }) => code)
      const data = { ...wish, code: codeFor(wish.name, [...codes, ...this.#declaredCodes]) }
      return Number((await host.entries(roleUid, session).create(data, by(editor))).id)
    })
    return this.one(editor, id)
  }

  async change(editor: EditorCaller, id: number, { stamp, permissions, ...wish }: RoleChange) {
    const { accounts, host } = this.#parts
    await accounts.inTurn(async session => {
      const giver = await this.#giver(editor, session)
      const { role, rows } = await this.#changeable(id, session)
      const replaced = this.#replaced(rows, permissions)
      const touched = replaced.flatMap(({ before, after }) => [before, after].filter(row => row !== undefined))
      assertMayChangeRole(giver, { role, rows: touched }, host.types)
      if (stampOf(role, rows) !== stamp)
        throw new PreconditionFailedError('This role was changed meanwhile; read it again')
      const isOther = Object.entries(wish).some(([name, value]) => role[name as keyof RoleWish] !== value)
      if (isOther) await host.entries(roleUid, session).update(id, wish, by(editor))
      for (const one of replaced) await this.#write(editor, { ...one, id }, session)
    })
    return this.one(editor, id)
  }

  async delete(editor: EditorCaller, id: number): Promise<void> {
    const { accounts, host } = this.#parts
    await accounts.inTurn(async session => {
      const giver = await this.#giver(editor, session)
      const { role, rows } = await this.#changeable(id, session)
      if (!mayGiveRole(giver, { ...role, rows }, host.types))
        throw new ForbiddenError(`The role ${role.name} is deleted by those who have all of its permissions`)
      const held = (await accounts.all(session)).filter(account => account.roles.includes(id)).length
      if (role.code === superAdminCode) throw new ApplicationError('The role Super Admin cannot be deleted')
      if (held > 0)
        throw new ApplicationError(`Accounts that have the role ${role.name}: ${held}. Give them others first`)
      for (const row of rows) await host.entries(permissionUid, session).delete(row.id, by(editor))
      await host.entries(roleUid, session).delete(id, by(editor))
    })
  }

  /** The entries that a role would show to the editor, with changes that are not stored. */
  async try(editor: EditorCaller, id: number, { type, permissions }: Trial): Promise<Shown> {
    const { host } = this.#parts
    const giver = await this.#giver(editor)
    const role = await this.#role(id)
    if (!giver.rights.can('find', type)) throw new ForbiddenError(`You may not read entries of ${type}`)
    const rows = await this.#rowsOf(id)
    const replaced = this.#replaced(rows, permissions)
    const others = rows.filter(row => !replaced.some(({ before }) => before?.id === row.id))
    const after = [...others, ...replaced.flatMap(one => one.after ?? [])]
    return tryRole(host, { giver, role, rows: after, type })
  }

  #replaced(rows: readonly StoredRow[], changes: readonly Change[]): readonly Replaced[] {
    const { read, kept } = readRows(rows, this.catalogue, this.#parts.host.types)
    return changes.flatMap(({ action, subject, wish }) => {
      const known = this.catalogue.known(action, subject)
      const isSame = (row: PermissionRow) => grantKey(row.action, row.subject) === grantKey(action, subject)
      const found = read.find(({ row }) => isSame(row))
      if (!known || kept.some(isSame))
        throw new ApplicationError(`The role has ${grantKey(action, subject).trim()} in a form that is kept as it is`)
      const after = wish ? changedRow(known, wish, found) : undefined
      return found?.row || after ? [{ before: found?.row, after }] : []
    })
  }

  async #write(editor: EditorCaller, { before, after, id }: Replaced & { readonly id: number }, session: Session) {
    const permissions = this.#parts.host.entries(permissionUid, session)
    if (!after) await permissions.delete(before?.id ?? 0, by(editor))
    else if (!before) await permissions.create({ ...after, role: id }, by(editor))
    else await permissions.update(before.id, { properties: after.properties, conditions: after.conditions }, by(editor))
  }

  #gives({ rights }: Giver) {
    const all = { fields: null, locales: null, where: null }
    return this.catalogue.all.flatMap(({ action, type }) => {
      const subject = type?.uid ?? null
      const limits = rights.isSuper ? all : giveable(rights.grants.get(grantKey(action, subject)) ?? [])
      return limits ? [{ action, subject, ...limits }] : []
    })
  }

  #about(role: RoleRow, accounts: number) {
    const isDeclared = this.#declaredCodes.has(role.code)
    return { ...role, accounts, isSuper: role.code === superAdminCode, isDeclared }
  }

  /** A role that is not declared by code, with its permissions. */
  async #changeable(id: number, session: Session) {
    const role = await this.#role(id, session)
    if (this.#declaredCodes.has(role.code))
      throw new ApplicationError(`The role ${role.name} is declared in config/permissions, and changed there`)
    return { role, rows: await this.#rowsOf(id, session) }
  }

  get #declaredCodes(): ReadonlySet<string> {
    this.#declared ??= new Set(declaredCodes(this.#parts.host.app.permissions))
    return this.#declared
  }

  /** The editor as of now: another one may have changed roles a moment ago. */
  async #giver({ id }: EditorCaller, session?: Session): Promise<Giver> {
    const { accounts, rights } = this.#parts
    await rights.refresh(session)
    return { id, rights: rights.of((await accounts.byId(id, session))?.roles ?? []) }
  }

  async #role(id: number, session?: Session): Promise<RoleRow> {
    const role = (await this.#rolesIn(session)).find(one => one.id === id)
    if (role) return role
    throw new NotFoundError()
  }

  async #rolesIn(session?: Session): Promise<RoleRow[]> {
    const found = await this.#parts.host
      .entries(roleUid, session)
      .find({ sort: 'id', fields: ['name', 'code', 'description'] })
    return found.map(({ id, code, name, description }) => ({
      ...{ id: Number(id), code: String(code), name: String(name) },
      description: (description as string | null) ?? null,
    }))
  }

  async #rowsOf(id: number, session?: Session): Promise<StoredRow[]> {
    const where = { role: { id: { $eq: id } } }
    const found = await this.#parts.host.entries(permissionUid, session).find({ where, sort: 'id' })
    return found as readonly unknown[] as StoredRow[]
  }
}

/** Permissions to entries of roles decide nothing here: the caller is the one that is recorded. */
const by = (editor: EditorCaller) => ({ caller: asRecorded(editor) })

const shownRow = ({ row, known: _, ...read }: ReadRow, mayGive: boolean) => ({
  ...{ action: row.action, subject: row.subject ?? null },
  ...read,
  mayGive,
})

/** The state of a role, for changes that are based on it. */
function stampOf(role: RoleRow, rows: readonly StoredRow[]): string {
  const texts = rows.map(row => [row.id, row.action, row.subject, row.properties, row.conditions, row.actionParameters])
  return createHash('sha256')
    .update(JSON.stringify([role, texts]))
    .digest('base64url')
    .slice(0, 22)
}

/** A code for a name, in the letters that code of roles has. */
function codeFor(name: string, taken: readonly string[]): string {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
  const base = plain === '' ? 'role' : plain
  for (let number = 1; ; number += 1) {
    const code = number === 1 ? base : `${base}-${number}`
    if (!taken.includes(code)) return code
  }
}
