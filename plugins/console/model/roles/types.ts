/** A role of editors as `GET /console/roles` has it. */
export interface RoleInfo {
  readonly id: number
  readonly code: string
  readonly name: string
  readonly description: string | null
  /** The number of accounts that have it. */
  readonly accounts: number
  readonly isSuper: boolean
  readonly isDeclared: boolean
}

/** A role with its permissions, and all that there are. */
export interface Role extends RoleInfo {
  readonly stamp: string
  readonly permissions: readonly StoredPermission[]
  readonly kept: readonly KeptRow[]
  readonly types: readonly RoleType[]
  readonly parts: readonly RolePart[]
  readonly gives: readonly Given[]
}

export interface About {
  readonly action: string
  readonly subject: string | null
}

export type Maker = 'own' | 'role'

/** Null is no limit. */
export interface Limits {
  readonly fields: readonly string[] | null
  readonly locales: readonly string[] | null
  readonly where: readonly Maker[] | null
}

export type Given = About & Limits

interface StoredPermission extends About, Limits {
  readonly otherFields: readonly string[]
  /** Stored parts of zones, which stay as they are. */
  readonly parts: readonly string[]
  readonly otherConditions: readonly string[]
  readonly mayGive: boolean
}

interface KeptRow extends About {
  /** It says nothing but its action. */
  readonly isPlain: boolean
}

export interface RoleType {
  readonly uid: string
  readonly name: string
  /** Its name in `config/permissions`. */
  readonly key: string
  readonly localized: boolean
  readonly drafts: boolean
  readonly fields: readonly string[]
  readonly required: readonly string[]
  readonly rights: readonly Right[]
}

export interface RolePart {
  readonly name: string
  readonly actions: readonly { readonly action: string; readonly isLimited: boolean }[]
}

export const rights = ['create', 'read', 'update', 'delete', 'publish'] as const
export type Right = (typeof rights)[number]

export const actionOf = (right: Right): string => `plugin::content-manager.explorer.${right}`
export const keyOf = ({ action, subject }: About): string => `${action} ${subject ?? ''}`
export const isOfFields = (right: Right): boolean => right === 'create' || right === 'read' || right === 'update'
