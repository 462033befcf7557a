import type { Dialect } from '../dialect.js'
import type { Issue } from '../errors.js'
import type { Ask } from '../query/ask.js'
import type { ContentType, Field, Link } from '../schema/types.js'
import { type JsonType, mismatch, WrongValue } from '../schema/values.js'
import { wrongAt } from './issue.js'

export type Json = Readonly<Record<string, unknown>>

export const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** One attribute of a type as bodies and stored entries are checked against it. */
export type CheckedAttribute =
  | { readonly name: string; readonly field: Field; readonly link?: undefined }
  | { readonly name: string; readonly field?: undefined; readonly link: Link }

/** `incomplete` lets an entry lack values that a finished one must have. */
export interface Completeness {
  readonly incomplete: boolean
}

const ordered = new WeakMap<ContentType, readonly CheckedAttribute[]>()

/** Attributes in the order of the schema file, columns and links mixed; then those that the server added. */
export function attributesOf(type: ContentType): readonly CheckedAttribute[] {
  let known = ordered.get(type)
  if (!known) {
    const fields = [...type.fields].map(([name, field]): CheckedAttribute => ({ name, field }))
    const links = [...type.links].map(([name, link]): CheckedAttribute => ({ name, link }))
    const all = new Map([...fields, ...links].map(one => [one.name, one]))
    const own = Object.keys(type.attributes).flatMap(name => all.get(name) ?? [])
    known = [...new Set([...own, ...all.values()])]
    ordered.set(type, known)
  }
  return known
}

/** The type has no such attribute, as far as the caller can know. Clients send back attributes that only the server writes. */
export function isStray({ fields, links, kind }: ContentType, name: string, mayLink: (link: Link) => boolean): boolean {
  const link = links.get(name)
  if (link) return link.writable && !mayLink(link)
  return !fields.has(name) && name !== 'id' && (name !== '__component' || kind !== 'component')
}

/** True if a finished entry has to have a value here: the dialect tells the links to other entries for which that is checked. */
export function isRequired(one: Field | Link, { requiredLinks }: Pick<Dialect, 'requiredLinks'>): boolean {
  const { required, type } = one.attribute
  if (required !== true) return false
  return !('shape' in one) || one.embedded === true || requiredLinks || type === 'relation'
}

/** True if requests send it: with any write, or with a new entry alone, for which a plugin reads it. */
export const isInput = ({ writable, attribute }: Field | Link, isNew: boolean): boolean =>
  writable || (isNew && isCreateOnly({ writable, attribute }))

/** True if requests send it with a new entry and with no other write. */
export const isCreateOnly = ({ writable, attribute }: Pick<Field | Link, 'writable' | 'attribute'>): boolean =>
  !writable && attribute.input === 'create'

/** The complaint about a required attribute that has no value. */
export function missing(
  { field, link }: CheckedAttribute,
  value: unknown,
  at: readonly string[],
  { isNew, dialect }: { readonly isNew: boolean; readonly dialect: Dialect },
): Issue | undefined {
  if (!isRequired(field ?? link, dialect)) return undefined
  if (value === undefined) return isNew ? wrongAt(at, new WrongValue('must be defined', 'must be defined.')) : undefined
  if (value !== null || (link?.embedded && link.many)) return undefined
  const older = link && !link.embedded ? (isNew ? 'must be defined.' : 'cannot be null.') : olderNull(field)
  return wrongAt(at, new WrongValue('is required and cannot be null', older))
}

const olderNull = (field: Field | undefined) => mismatch(field ? jsonType(field) : 'object', null).older

/** True if a write of a finished entry has to leave an entry behind a link: an empty list is not enough. */
export const mustLead = (link: Link, dialect: Dialect): boolean =>
  !link.embedded && dialect.requiredLinks && isRequired(link, dialect)

/** The complaint about a required link that a write would leave without an entry. */
export const leadsNowhere = (at: readonly string[]): Issue =>
  wrongAt(at, new WrongValue('is required and cannot be empty'))

function jsonType({ type: { as, operators } }: Field): JsonType {
  if (operators === 'text') return 'string'
  if (as === 'boolean') return 'boolean'
  if (as === 'json') return 'mixed'
  return as === 'integer' || as === 'bigint' || as === 'decimal' || as === 'float' ? 'number' : 'string'
}

/** The least length is a rule for finished entries only. */
export function tooShort(
  { attribute, type }: Field,
  written: unknown,
  { incomplete }: Completeness,
): string | undefined {
  const { minLength } = attribute as { minLength?: number }
  if (incomplete || minLength === undefined || type.operators !== 'text') return undefined
  return String(written).length < minLength ? `must be at least ${minLength} characters` : undefined
}

/** So is the least number of components. */
export function tooFew({ attribute }: Link, length: number, { incomplete }: Completeness): string | undefined {
  const { min } = attribute as { min?: number }
  if (incomplete || min === undefined || length >= min || (length === 0 && !attribute.required)) return undefined
  return `field must have at least ${min} items`
}

/** True if the caller may lead a relation to an entry. */
export const mayLink = ({ open, targets }: Link, { can }: Pick<Ask, 'can'>): boolean =>
  open === true || targets === undefined || targets.some(uid => can('find', uid))
