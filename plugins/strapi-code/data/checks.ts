import { type Field, FormatError, type Link, type Session, type Store, WrongValue } from '../../../core/index.js'
import { isUnique } from '../../../core/plugin-kit.js'
import { ApplicationError, ValidationError } from '../packages/utils/errors.js'
import type { Bag, Loose } from '../types.js'
import type { Model, Models } from './models.js'
import type { Reader } from './reader.js'
import { readChange } from './relations.js'
import type { Scopes } from './scope.js'
import { isPlain } from './where.js'

interface Issue {
  readonly path: readonly string[]
  readonly message: string
  readonly name: 'ValidationError'
}

/** The facts that are known of the write that is checked. */
export interface WriteFacts {
  readonly isNew: boolean
  readonly isDraft: boolean
  /** The entry as it is stored. */
  readonly stored?: Bag | undefined
}

interface CheckParts {
  readonly store: Store
  readonly models: Models
  readonly reader: Reader
  readonly scopes: Scopes
  /** The number of entries of a type with these ids: it fires the events of a count. */
  readonly count: (uid: string, ids: readonly number[]) => Promise<number>
  /** Keeps others that store unique values waiting until the transaction ends. */
  readonly lock: (session: Session) => Promise<void>
}

export interface CheckedWrite {
  readonly data: Bag
  /** The checks that are left for the transaction of the write, if there are any. */
  readonly settle?: (session: Session) => Promise<void>
}

/** A value that no other row may have. */
interface UniqueValue {
  readonly model: Model
  /** The conditions that others meet which have it. */
  readonly where: Bag
  readonly path: readonly string[]
}

/** An object in the data, and where it stands. */
interface Place extends WriteFacts {
  readonly model: Model
  readonly path: readonly string[]
  /** The entry's own locale, within which values are unique. */
  readonly locale: Loose
}

/** Checks the data of `strapi.entityService` against the schema. */
export class Checks {
  readonly #parts: CheckParts

  constructor(parts: CheckParts) {
    this.#parts = parts
  }

  /** The data with its defaults, without what the type does not have; throws all that is wrong with it at once. */
  async check(model: Model, data: Bag, checking: WriteFacts): Promise<CheckedWrite> {
    const check = new Check(this.#parts)
    const locale = data.locale ?? checking.stored?.locale
    const checked = await check.object(data, { model, path: [], locale, ...checking })
    if (check.issues.length > 0) throw refusal(check.issues)
    await this.#targets(model, checked)
    const { unique } = check
    return { data: checked, ...(unique.length > 0 && { settle: (session: Session) => this.#settle(session, unique) }) }
  }

  /** Checks unique values again where they are stored: others that store some at the same time wait for that. */
  async #settle(session: Session, unique: readonly UniqueValue[]): Promise<void> {
    const { reader, lock } = this.#parts
    await lock(session)
    const issues: Issue[] = []
    for (const { model, where, path } of unique)
      if ((await reader.ids(session, model, { where }, true)).length > 0) issues.push(notUnique(path))
    if (issues.length > 0) throw refusal(issues)
  }

  /** Entries that relations are to lead to have to be there. */
  async #targets(model: Model, data: Bag): Promise<void> {
    const wanted = new Map<string, Set<number>>()
    this.#collect(model, data, wanted)
    for (const [uid, ids] of wanted) {
      const known = [...ids].filter(id => Number.isSafeInteger(id))
      const missing = ids.size - (await this.#parts.count(uid, known))
      if (missing === 0) continue
      const message = `${missing} relation(s) of type ${uid} associated with this entity do not exist`
      throw refusal([{ path: [], message, name: 'ValidationError' }])
    }
  }

  #collect(model: Model, data: Bag, wanted: Map<string, Set<number>>): void {
    for (const link of model.links.values()) {
      const value = data[link.name]
      if (value === undefined || value === null) continue
      if (link.embedded) this.#collectParts(link, [value].flat(), wanted)
      else this.#collectTargets(link, value, wanted)
    }
  }

  #collectParts(link: Link, items: readonly Loose[], wanted: Map<string, Set<number>>): void {
    const { models } = this.#parts
    for (const item of items) {
      const uid = models.target(link)?.uid ?? item?.__component
      if (isPlain(item) && models.has(uid)) this.#collect(models.get(uid), item, wanted)
    }
  }

  #collectTargets(link: Link, value: Loose, wanted: Map<string, Set<number>>): void {
    const target = this.#parts.models.target(link)
    if (!target) return
    const change = readChange(value)
    const targets = change.kind === 'set' ? change.targets : change.connect
    if (targets.length === 0) return
    const ids = wanted.get(target.uid) ?? new Set<number>()
    for (const { id } of targets) ids.add(id)
    wanted.set(target.uid, ids)
  }
}

/** One check of one piece of data. */
class Check {
  readonly issues: Issue[] = []
  readonly unique: UniqueValue[] = []
  readonly #parts: CheckParts

  constructor(parts: CheckParts) {
    this.#parts = parts
  }

  async object(data: Bag, place: Place): Promise<Bag> {
    const { model } = place
    const checked: Bag = {}
    if (data.id !== undefined) checked.id = data.id
    if (data.__component !== undefined) checked.__component = data.__component
    for (const name of namesOf(model)) {
      const field = model.type?.fields.get(name)
      const link = model.links.get(name)
      const given = data[name]
      const value = given === undefined && place.isNew ? defaultOf(field, link) : given
      const at = [...place.path, name]
      if (this.#isMissing(field, link, { value, at, place }) || value === undefined) continue
      const kept = await this.#attribute(field ?? (link as Link), value, at, place)
      if (kept !== undefined) checked[name] = kept
    }
    return checked
  }

  #attribute(one: Field | Link, value: Loose, at: readonly string[], place: Place): Loose {
    if (!('storage' in one)) return value === null ? null : this.#value(one, value, at, place)
    if (value === null) return one.embedded && one.many ? this.#wrong(at, typeError('array', null)) : null
    return one.embedded ? this.#components(one, value, at, place) : this.#relation(value, at)
  }

  #isMissing(
    field: Field | undefined,
    link: Link | undefined,
    { value, at, place }: { readonly value: Loose; readonly at: readonly string[]; readonly place: Place },
  ): boolean {
    const { attribute } = (field ?? link) as Field | Link
    const isList = link?.embedded === true && link.many
    const isOfSchema = field !== undefined || link?.embedded === true || attribute.type === 'relation'
    if (attribute.required !== true || !isOfSchema || (place.isDraft && !isList)) return false
    if (value === undefined) {
      if (place.isNew) this.#wrong(at, 'must be defined.')
      return place.isNew
    }
    if (value !== null || isList) return false
    const isRelation = link !== undefined && !link.embedded
    this.#wrong(
      at,
      isRelation
        ? place.isNew
          ? 'must be defined.'
          : 'cannot be null.'
        : typeError(field ? kindOf(field) : 'object', null),
    )
    return true
  }

  async #value(field: Field, value: Loose, at: readonly string[], place: Place): Promise<Loose> {
    const { as } = field.type
    // Dates are read when they are stored.
    if (as === 'datetime' || as === 'date' || as === 'time' || as === 'timestamp') return value
    const { limits } = this.#parts.store.facts
    let written: Loose
    try {
      written = field.type.write(value, field, limits)
    } catch (reason) {
      if (reason instanceof WrongValue) return this.#wrong(at, reason.older ?? reason.reason)
      if (reason instanceof FormatError) return this.#wrong(at, reason.terse)
      throw reason
    }
    const { minLength } = field.attribute as { minLength?: number }
    const isText = field.type.operators === 'text'
    if (isText && !place.isDraft && minLength !== undefined && String(written).length < minLength)
      return this.#wrong(at, `must be at least ${minLength} characters`)
    const kept = as === 'json' || as === 'bigint' ? value : written
    if (isUnique(field) && !(await this.#isFree(field, kept, place, at))) {
      this.issues.push(notUnique(at))
      return undefined
    }
    return kept
  }

  async #isFree({ name }: Field, value: Loose, place: Place, at: readonly string[]): Promise<boolean> {
    const { model, stored, locale, path } = place
    if (path.length === 0 && stored && stored[name] === value) return true
    const { reader, scopes } = this.#parts
    const own = stored?.id === undefined ? {} : { id: { $ne: stored.id } }
    const within = model.isLocalized && locale !== undefined ? { locale } : {}
    const where = { [name]: value, ...own, ...within }
    this.unique.push({ model, where, path: at })
    const [other] = await reader.ids(scopes.reader, model, { where }, true)
    return other === undefined
  }

  #relation(value: Loose, at: readonly string[]): Loose {
    if (isPlain(value) && !('id' in value) && !('connect' in value) && !('disconnect' in value) && !('set' in value)) {
      if (Object.keys(value).length === 0) return undefined
    }
    try {
      readChange(value)
      return value
    } catch {
      return this.#wrong(at, 'must be an id, a list of ids or an object with connect, disconnect or set')
    }
  }

  async #components(link: Link, value: Loose, at: readonly string[], place: Place): Promise<Loose> {
    if (!link.many)
      return isPlain(value) ? this.#component(link, value, at, place) : this.#wrong(at, typeError('object', value))
    if (!Array.isArray(value)) return this.#wrong(at, typeError('array', value))
    const { min, max, required } = link.attribute as { min?: number; max?: number; required?: boolean }
    const isFew = min !== undefined && value.length < min && (value.length > 0 || required === true)
    if (isFew && !place.isDraft) this.#wrong(at, `field must have at least ${min} items`)
    if (max !== undefined && value.length > max) this.#wrong(at, `field must have less than or equal to ${max} items`)
    const items: Bag[] = []
    for (const [index, item] of value.entries()) {
      const own = [...at, String(index)]
      if (isPlain(item)) items.push((await this.#component(link, item, own, place)) ?? {})
      else
        this.#wrong(own, `${typeError('object', null).slice(0, -1)} (cast from the value \`${JSON.stringify(item)}\`).`)
    }
    return items
  }

  async #component(link: Link, value: Bag, at: readonly string[], place: Place): Promise<Bag | undefined> {
    const { models } = this.#parts
    const uids = link.targets ?? []
    const uid = link.shape === 'zone' ? value.__component : uids[0]
    if (typeof uid !== 'string' || !uids.includes(uid)) {
      const says = uid === undefined ? 'is a required field' : `must be one of the following values: ${uids.join(', ')}`
      this.#wrong([...at, '__component'], says)
      return undefined
    }
    const isKept = !place.isNew && value.id !== undefined && value.id !== null
    const stored = isKept ? { id: value.id } : undefined
    return this.object(value, { ...place, model: models.get(uid), path: at, isNew: !isKept, stored, locale: undefined })
  }

  #wrong(at: readonly string[], says: string): undefined {
    this.issues.push({ path: at, message: `${dotted(at)} ${says}`, name: 'ValidationError' })
    return undefined
  }
}

const notUnique = (path: readonly string[]): Issue => ({
  path,
  message: 'This attribute must be unique',
  name: 'ValidationError',
})

function refusal(errors: readonly Issue[]): ValidationError {
  const [first] = errors
  return new ValidationError(errors.length === 1 ? first?.message : `${errors.length} errors occurred`, { errors })
}

/** Names in the order of the schema, then those that the server added. */
function namesOf({ type, columns, links }: Model): string[] {
  const known = (name: string) => name !== 'id' && (columns.has(name) || links.has(name))
  return [...new Set([...Object.keys(type?.attributes ?? {}), ...columns.keys(), ...links.keys()])].filter(known)
}

/** New entries begin with their defaults; lists of components are there, empty. */
function defaultOf(field: Field | undefined, link: Link | undefined): Loose {
  const value = (field ?? link)?.attribute.default
  if (value !== undefined) return typeof value === 'object' && value !== null ? structuredClone(value) : value
  return link?.embedded && link.many && link.attribute.required !== true ? [] : undefined
}

const dotted = (path: readonly string[]): string =>
  path.map((part, index) => (/^\d+$/.test(part) ? `[${part}]` : index === 0 ? part : `.${part}`)).join('')

function typeError(kind: string, value: Loose): string {
  const shown = typeof value === 'string' ? `"${value}"` : JSON.stringify(value)
  return `must be a \`${kind}\` type, but the final value was: \`${shown}\`.`
}

function kindOf({ type: { as, operators } }: Field): string {
  if (operators === 'text') return 'string'
  if (as === 'boolean') return 'boolean'
  if (as === 'json') return 'mixed'
  return as === 'integer' || as === 'bigint' || as === 'decimal' || as === 'float' ? 'number' : 'string'
}

/** A locale that the app does not have. */
export const unknownLocale = (): ApplicationError => new ApplicationError("This locale doesn't exist")
