import type { Dialect } from '../dialect.js'
import { FormatError, type Issue, ValidationError } from '../errors.js'
import { WrongValue } from '../schema/field-types.js'
import { print } from '../schema/print.js'
import type { ContentType, Field, Link } from '../schema/types.js'
import type { EngineName } from '../store/engine.js'
import { type RelationChange, readRelation, withinSight } from './relation.js'

/** What a request wants an entry (or a component of it) to be: checked, and not yet stored. */
export interface Draft {
  readonly type: ContentType
  /** The component that is kept and changed; undefined for one that is new. */
  readonly id?: number
  readonly values: ReadonlyMap<Field, unknown>
  readonly relations: readonly {
    readonly link: Link
    readonly change: RelationChange
    readonly path: readonly string[]
  }[]
  readonly parts: readonly { readonly link: Link; readonly items: readonly Draft[] }[]
}

export interface DraftOptions {
  readonly mode: 'create' | 'update'
  /** Required attributes may be missing. */
  readonly incomplete: boolean
  /** Values of attributes of the entry that requests may not write. */
  readonly set: Readonly<Record<string, unknown>>
  readonly engine: EngineName
  readonly dialect: Dialect
  /** Links whose target the caller may not find are left out of the write. */
  readonly mayLink: (link: Link) => boolean
  /** Whether the caller may find entries of a type; asked where a relation may lead to any. */
  readonly mayFind: (type: string) => boolean
}

type Unfinished = Pick<DraftOptions, 'incomplete'>

/** Checks `data` against the schema and reports everything that is wrong with it at once, in the schema's order. */
export function readDraft(type: ContentType, data: unknown, options: DraftOptions): Draft {
  const issues: Issue[] = []
  const late: (() => void)[] = []
  if (!isRecord(data)) throw notAnObject(data)
  const draft = readObject(type, data, [], options, issues, late)
  if (issues.length > 0 && options.dialect.terseErrors) issues.push(...echoes(type, data))
  if (issues.length > 0) throw ValidationError.of(issues)
  // Dates are read when everything else is right; the first that is wrong is told alone.
  for (const read of late) read()
  return draft
}

/** Strapi 4 looks for relations in what it has refused already, and complains of the first zone that it cannot enter. */
function echoes(type: ContentType, data: Record<string, unknown>): Issue[] {
  const zones = [...type.links.values()].filter(({ shape }) => shape === 'zone')
  const said = zones.map(zone => strayItem(zone, data[zone.name])).find(message => message !== undefined)
  return said === undefined ? [] : [issue([], said)]
}

function strayItem(zone: Link, value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined
  for (const item of [value].flat() as ({ readonly __component?: unknown } | null)[]) {
    if (Array.isArray(value) && !isRecord(item)) return 'Invalid relations'
    if (item?.__component === undefined)
      return 'Cannot build relations store from dynamiczone, component identifier is undefined'
    if (!zone.types().some(({ uid }) => uid === item.__component)) return 'Invalid relations'
  }
  return undefined
}

/** What is said of a list, or of a plain value, in place of an entry. */
export const notAnObject = (data: unknown): ValidationError =>
  ValidationError.of([
    issue(
      [],
      `this must be a \`object\` type, but the final value was: \`null\` (cast from the value \`${print(data)}\`).`,
    ),
  ])

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const issue = (path: readonly string[], message: string): Issue => ({
  path: [...path],
  message,
  name: 'ValidationError',
})

/** `slides[0].caption` */
export function dotted(path: readonly string[]): string {
  return path.map((part, index) => (/^\d+$/.test(part) ? `[${part}]` : index === 0 ? part : `.${part}`)).join('')
}

function readObject(
  type: ContentType,
  data: Record<string, unknown>,
  path: readonly string[],
  options: DraftOptions,
  issues: Issue[],
  late: (() => void)[],
  id?: number,
): Draft {
  const values = new Map<Field, unknown>()
  const relations: { link: Link; change: RelationChange; path: readonly string[] }[] = []
  const parts: { link: Link; items: readonly Draft[] }[] = []
  const isNew = options.mode === 'create' || (type.kind === 'component' && id === undefined)
  for (const name of orderOf(type)) {
    const at = [...path, name]
    const field = type.fields.get(name)
    const link = type.links.get(name)
    const { attribute, writable } = (field ?? link) as Field | Link
    const isSet = path.length === 0 && Object.hasOwn(options.set, name)
    // What requests may not write begins with its default all the same.
    if (!writable && !isSet && !(isNew && attribute.default !== undefined)) continue
    let value = isSet ? options.set[name] : writable && Object.hasOwn(data, name) ? data[name] : undefined
    if (value === undefined && isNew) value = defaultOf(attribute.default)
    const refused = missing(attribute, value, isNew, field, link, at, options)
    if (refused) issues.push(refused)
    if (refused || value === undefined) continue
    if (field) readValue(field, value, at, options, values, issues, late)
    else if (link?.embedded) {
      const items = readParts(link, value, at, options, issues, late)
      if (items) parts.push({ link, items })
    } else if (link && (isSet || options.mayLink(link))) {
      const change = readRelation(link, value, at, options.dialect, issues)
      const isVaried = link.targets === undefined && !isSet
      if (change) relations.push({ link, change: isVaried ? withinSight(change, options.mayFind) : change, path: at })
    }
  }
  return { type, values, relations, parts, ...(id !== undefined && { id }) }
}

const order = new WeakMap<ContentType, string[]>()

/** Attributes in the order of the schema file, columns and links mixed; then those that the server added. */
export function orderOf(type: ContentType): string[] {
  let names = order.get(type)
  if (!names) {
    const all = [...type.fields.keys(), ...type.links.keys()]
    const own = Object.keys(type.attributes).filter(name => all.includes(name))
    names = [...own, ...all.filter(name => !own.includes(name))]
    order.set(type, names)
  }
  return names
}

/** Schema files may hold a default that is a list or an object: every entry gets its own. */
const defaultOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? structuredClone(value) : value

export function missing(
  { required }: { readonly required?: boolean },
  value: unknown,
  isNew: boolean,
  field: Field | undefined,
  link: Link | undefined,
  at: readonly string[],
  { incomplete }: Unfinished,
): Issue | undefined {
  if (!required || incomplete || (link && !link.embedded)) return undefined
  if (value === undefined) return isNew ? issue(at, `${dotted(at)} must be defined.`) : undefined
  if (value !== null || link?.many) return undefined
  return issue(
    at,
    `${dotted(at)} must be a \`${field ? jsonType(field) : 'object'}\` type, but the final value was: \`null\`.`,
  )
}

function jsonType({ type: { as, operators } }: Field): string {
  if (operators === 'text') return 'string'
  if (as === 'boolean') return 'boolean'
  if (as === 'json') return 'mixed'
  return as === 'integer' || as === 'bigint' || as === 'decimal' || as === 'float' ? 'number' : 'string'
}

function readValue(
  field: Field,
  value: unknown,
  at: readonly string[],
  options: DraftOptions,
  values: Map<Field, unknown>,
  issues: Issue[],
  late: (() => void)[],
): void {
  if (value === null) {
    values.set(field, null)
    return
  }
  const read = () => {
    try {
      const written = field.type.write(value, field, options.engine)
      const short = tooShort(field, written, options)
      if (short === undefined) values.set(field, written)
      else issues.push(issue(at, `${dotted(at)} ${short}`))
    } catch (reason) {
      if (reason instanceof FormatError) throw reason.at(at)
      if (!(reason instanceof WrongValue)) throw reason
      issues.push(issue(at, `${dotted(at)} ${reason.reason}`))
    }
  }
  const { as } = field.type
  if (as !== 'date' && as !== 'time' && as !== 'datetime' && as !== 'timestamp') read()
  else {
    // Its place among the values is kept, so that columns are written in the order of the schema.
    values.set(field, null)
    late.push(read)
  }
}

/** The least length is a rule for finished entries only. */
export function tooShort({ attribute, type }: Field, written: unknown, { incomplete }: Unfinished): string | undefined {
  const { minLength } = attribute as { minLength?: number }
  if (incomplete || minLength === undefined || type.operators !== 'text') return undefined
  return String(written).length < minLength ? `must be at least ${minLength} characters` : undefined
}

/** So is the least number of components. */
export function tooFew({ attribute }: Link, length: number, { incomplete }: Unfinished): string | undefined {
  const { min } = attribute as { min?: number }
  if (incomplete || min === undefined || length >= min || (length === 0 && !attribute.required)) return undefined
  return `field must have at least ${min} items`
}

function readParts(
  link: Link,
  value: unknown,
  at: readonly string[],
  options: DraftOptions,
  issues: Issue[],
  late: (() => void)[],
): readonly Draft[] | undefined {
  const wrong = (kind: string) => {
    issues.push(issue(at, `${dotted(at)} must be a \`${kind}\` type, but the final value was: \`${print(value)}\`.`))
    return undefined
  }
  if (!link.many) {
    if (value === null) return []
    if (!isRecord(value)) return wrong('object')
    const draft = readPart(link, value, at, options, issues, late)
    return draft && [draft]
  }
  if (value === null && !link.attribute.required && options.dialect.nullClearsLists) return []
  if (!Array.isArray(value)) return wrong('array')
  const { max } = link.attribute as { max?: number }
  const few = tooFew(link, value.length, options)
  if (few !== undefined) issues.push(issue(at, `${dotted(at)} ${few}`))
  if (max !== undefined && value.length > max)
    issues.push(issue(at, `${dotted(at)} field must have less than or equal to ${max} items`))
  const drafts: Draft[] = []
  for (const [index, item] of value.entries()) {
    const draft = readPart(link, item, [...at, String(index)], options, issues, late)
    if (draft) drafts.push(draft)
  }
  return drafts
}

function readPart(
  link: Link,
  value: unknown,
  at: readonly string[],
  options: DraftOptions,
  issues: Issue[],
  late: (() => void)[],
): Draft | undefined {
  if (!isRecord(value)) {
    issues.push(
      issue(
        at,
        `${dotted(at)} must be a \`object\` type, but the final value was: \`null\` (cast from the value \`${print(value)}\`).`,
      ),
    )
    return undefined
  }
  const type = partType(link, value, at, issues)
  if (!type) return undefined
  const id = options.mode === 'update' && value.id !== undefined && value.id !== null ? partId(value.id) : undefined
  return readObject(type, value, at, options, issues, late, id)
}

function partType(
  link: Link,
  value: Record<string, unknown>,
  at: readonly string[],
  issues: Issue[],
): ContentType | undefined {
  if (link.shape !== 'zone') return link.types()[0]
  const named = value.__component
  const path = [...at, '__component']
  if (named === undefined) issues.push(issue(path, `${dotted(path)} is a required field`))
  else {
    const type = link.types().find(({ uid }) => uid === named)
    if (type) return type
    const listed = link.types().map(({ uid }) => uid)
    issues.push(issue(path, `${dotted(path)} must be one of the following values: ${listed.join(', ')}`))
  }
  return undefined
}

/** An id that no component can have is kept as one: it then belongs to no entry, and is refused for that. */
function partId(raw: unknown): number {
  const id = typeof raw === 'number' ? raw : typeof raw === 'string' && /^\d{1,15}$/.test(raw) ? Number(raw) : -1
  return Number.isSafeInteger(id) && id > 0 ? id : -1
}
