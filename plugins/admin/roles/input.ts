import { type Issue, ValidationError } from '../../../core/index.js'
import { leavesIn } from '../rights/names.js'
import { conditionNames, grantKey, type Maker } from '../rights/permissions.js'
import { givenNames } from '../rights/types.js'
import type { Catalogue, Known } from './catalogue.js'
import type { Change } from './rows.js'

type Values = Readonly<Record<string, unknown>>

export interface RoleWish {
  readonly name?: string
  readonly description?: string | null
}

export interface RoleChange extends RoleWish {
  /** The state of the role that the change is based on. */
  readonly stamp: string
  readonly permissions: readonly Change[]
}

/** A new role; all that is wrong is said at once. */
export function readNewRole(body: unknown): RoleWish & { readonly name: string } {
  const reader = new Reader(body, ['name', 'description'])
  if (reader.sent.name === undefined) reader.add(['name'], 'name is required')
  return reader.done({ ...reader.about(), name: String(reader.sent.name).trim() })
}

export function readRoleChange(body: unknown, catalogue: Catalogue): RoleChange {
  const reader = new Reader(body, ['name', 'description', 'permissions', 'stamp'])
  const { stamp } = reader.sent
  if (typeof stamp !== 'string') reader.add(['stamp'], 'stamp must be the one that the role was read with')
  return reader.done({ ...reader.about(), stamp: String(stamp), permissions: reader.permissions(catalogue) })
}

export interface Trial {
  readonly type: string
  readonly permissions: readonly Change[]
}

export function readTrial(body: unknown, catalogue: Catalogue): Trial {
  const reader = new Reader(body, ['type', 'permissions'])
  const { type } = reader.sent
  if (!catalogue.types.some(({ uid }) => uid === type))
    reader.add(['type'], 'type must be the uid of a type that permissions are for')
  return reader.done({ type: String(type), permissions: reader.permissions(catalogue) })
}

class Reader {
  readonly sent: Values
  readonly #issues: Issue[] = []

  constructor(body: unknown, known: readonly string[]) {
    if (!isObject(body)) throw new ValidationError('The body must be a JSON object')
    this.sent = body
    this.#known(body, known, [])
  }

  add(path: readonly string[], message: string): undefined {
    this.#issues.push({ path: [...path], message, name: 'ValidationError' })
  }

  done<T>(read: T): T {
    if (this.#issues.length > 0) throw ValidationError.of(this.#issues)
    return read
  }

  about(): RoleWish {
    const { name, description } = this.sent
    if (name !== undefined && (typeof name !== 'string' || name.trim() === ''))
      this.add(['name'], 'name must be a text that is not empty')
    if (description !== undefined && description !== null && typeof description !== 'string')
      this.add(['description'], 'description must be a string')
    return {
      ...(typeof name === 'string' && { name: name.trim() }),
      ...(description !== undefined && { description: description as string | null }),
    }
  }

  permissions(catalogue: Catalogue): readonly Change[] {
    const { permissions = [] } = this.sent
    if (!Array.isArray(permissions)) {
      this.add(['permissions'], 'permissions must be a list')
      return []
    }
    const seen = new Set<string>()
    return permissions.flatMap((one: unknown, index) => {
      const path = ['permissions', String(index)]
      const change = this.#change(one, path, catalogue)
      if (!change) return []
      const key = grantKey(change.action, change.subject)
      if (seen.has(key)) this.add(path, `${path.join('.')} names a permission that stands there already`)
      seen.add(key)
      return [change]
    })
  }

  #change(one: unknown, path: readonly string[], catalogue: Catalogue): Change | undefined {
    const at = path.join('.')
    if (!isObject(one)) return this.add(path, `${at} must be an object with action, subject and grant`)
    this.#known(one, ['action', 'subject', 'grant'], path)
    const { action, subject = null, grant } = one
    const known = catalogue.known(String(action), subject as string | null)
    if (!known) return this.add(path, `${at} is no permission that roles are given here`)
    const about = { action: known.action, subject: known.type?.uid ?? null }
    if (grant === null) return { ...about, wish: null }
    if (!isObject(grant)) return this.add([...path, 'grant'], `${at}.grant must be an object, or null for none`)
    this.#grant(grant, known, [...path, 'grant'])
    return { ...about, wish: grant }
  }

  #grant(grant: Values, { type, hasFields, hasLocales, isLimited }: Known, path: readonly string[]): void {
    const at = path.join('.')
    const takes = [
      ...(hasFields ? ['fields'] : []),
      ...(hasLocales ? ['locales'] : []),
      ...(isLimited ? ['where'] : []),
    ]
    this.#known(grant, takes, path)
    const { fields, locales, where } = grant
    if (fields !== undefined && type && hasFields) {
      const names = new Set(givenNames(type))
      const isName = (name: unknown) => typeof name === 'string' && (names.has(name) || leavesIn(type, [name]).size > 0)
      if (!isTexts(fields) || !fields.every(isName))
        this.add([...path, 'fields'], `${at}.fields must be a list of attributes of ${type.uid}`)
    }
    if (locales !== undefined && locales !== null && !isTexts(locales))
      this.add([...path, 'locales'], `${at}.locales must be a list of languages, or null for all`)
    if (where !== undefined && !(isTexts(where) && where.every(isMaker)))
      this.add([...path, 'where'], `${at}.where must be a list of "own" and "role"`)
  }

  #known(values: Values, known: readonly string[], path: readonly string[]): void {
    for (const name of Object.keys(values))
      if (!known.includes(name)) {
        const at = [...path, name].join('.')
        this.add([...path, name], `${at} is not accepted; there are ${known.join(', ') || 'none'}`)
      }
  }
}

const isMaker = (name: string): name is Maker => Object.hasOwn(conditionNames, name)
const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every(one => typeof one === 'string')
