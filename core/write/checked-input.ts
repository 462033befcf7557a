import { FormatError, type Issue, ValidationError } from '../errors.js'
import { converted } from '../schema/converted.js'
import type { Representation } from '../schema/representation.js'
import type { ContentType, Field, Link } from '../schema/types.js'
import { type JsonType, mismatch, readId, WrongValue } from '../schema/values.js'
import {
  attributesOf,
  type CheckedAttribute,
  isRecord,
  isStray,
  type Json,
  leadsNowhere,
  missing,
  mustLead,
  tooFew,
  tooShort,
} from './attributes.js'
import type { CheckedInput, CheckedRelation, InputOptions } from './input.js'
import { dotted, issue, wrongAt } from './issue.js'
import { type RelationChange, withinSight } from './relation.js'
import { readRelation } from './relation-input.js'
import { noteMade } from './slugs.js'
import { echoes, strayNames } from './stray-names.js'

/** Checks `data` against the schema and reports everything that is wrong with it at once, in the schema's order. */
export function checkInput(type: ContentType, data: unknown, options: InputOptions): CheckedInput {
  if (!isRecord(data)) throw notAnObject(data)
  return new InputReader(options).read(type, data)
}

/** The refusal of a list, or of a plain value, in place of an entry. */
export function notAnObject(data: unknown): ValidationError {
  const { reason, older } = mismatch('object', data, 'null')
  const message = `data ${reason}${Array.isArray(data) ? ', not a list' : ''}`
  return ValidationError.of([{ ...issue([], message), older: `this ${older}` }])
}

const isDate = (as: Representation) => as === 'date' || as === 'time' || as === 'datetime' || as === 'timestamp'

/** The value that a body gives to one attribute. */
interface GivenValue {
  readonly value: unknown
  readonly at: readonly string[]
  /** The server gives it: no rule for requests applies. */
  readonly isSet: boolean
  /** It belongs to an object that is not stored yet. */
  readonly isNew: boolean
}

/** The parts of one object that have been read so far. */
interface InputParts {
  readonly values: Map<Field, unknown>
  readonly relations: CheckedRelation[]
  readonly parts: CheckedInput['parts'][number][]
  made?: Map<Field, string>
}

const nothing: Json = Object.freeze({})

/** The attributes that the server writes beside the id, unless code gives them. */
const ofServer: readonly string[] = ['createdAt', 'updatedAt', 'createdBy', 'updatedBy']

/** The given value; a new entry begins with its defaults, also where requests may not write. */
function givenValue({ name, field, link }: CheckedAttribute, given: Json, isNew: boolean): unknown {
  const value = Object.hasOwn(given, name) ? given[name] : undefined
  return value === undefined && isNew ? defaultOf((field ?? link).attribute.default) : value
}

/** Schema files may hold a default that is a list or an object: every entry gets its own. */
const defaultOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? structuredClone(value) : value

/** Reads one body, and collects everything that is wrong with it. */
class InputReader {
  readonly #options: InputOptions
  readonly #issues: Issue[] = []
  readonly #late: (() => void)[] = []

  constructor(options: InputOptions) {
    this.#options = options
  }

  read(type: ContentType, data: Json): CheckedInput {
    const input = this.#object(type, data, [])
    const issues = this.#issues
    if (issues.length > 0 && this.#options.dialect.terseErrors) issues.push(...echoes(type, data))
    if (issues.length > 0) throw ValidationError.of(issues)
    // Without plain messages, dates are read when everything else is right; the first wrong one is reported alone.
    for (const read of this.#late) read()
    const { unchecked, given } = this.#options
    return unchecked || given ? { ...input, ...this.#pastRules(data) } : input
  }

  /** Marks an input for which rules of the schema, or of the server, do not hold. */
  #pastRules({ id: sent }: Json): Pick<CheckedInput, 'isUnchecked' | 'given'> {
    const { unchecked, given, mode } = this.#options
    const hasId = given && mode === 'create' && sent !== undefined && sent !== null
    const id = hasId ? readId(sent) : undefined
    if (hasId && id === undefined) throw ValidationError.of([issue(['id'], 'id must be a whole number above 0')])
    return { ...(unchecked && { isUnchecked: true }), ...(given && { given: id === undefined ? {} : { id } }) }
  }

  #object(type: ContentType, data: Json, path: readonly string[], id?: number): CheckedInput {
    const { set } = this.#options
    const found: InputParts = { values: new Map(), relations: [], parts: [] }
    const isNew = this.#isNew(type, id)
    for (const checked of attributesOf(type)) {
      const { name } = checked
      const isSet = Object.hasOwn(set, path[0] ?? name)
      const source = this.#sourceOf(checked, data, path)
      const isWritable = source !== nothing
      const value = givenValue(checked, source, isNew)
      // Only of a new entry can something be missing, or be made.
      if (value === undefined && (!isWritable || !isNew || this.#isMade(found, checked, type, data))) continue
      const at = [...path, name]
      const place = { at, isSet, isNew }
      if (!this.#isMissing(checked, value, place) && value !== undefined)
        this.#attribute(found, checked, { value, ...place })
    }
    this.#refuseStray(type, data, path)
    return { type, ...found, ...(id !== undefined && { id }) }
  }

  /** The object that gives an attribute its value; `nothing` where it may not be written. */
  #sourceOf(checked: CheckedAttribute, data: Json, path: readonly string[]): Json {
    const { name, field, link } = checked
    const isTop = path.length === 0
    if (isTop && Object.hasOwn(this.#options.set, name)) return this.#options.set
    const isOpen = (field ?? link).writable || this.#isOfCode(checked, data)
    return isOpen || (isTop && this.#isGiven(name, data)) ? data : nothing
  }

  /** Code may write attributes that are closed to requests; those that it does not name are left to the default, as ever. */
  #isOfCode({ name, field, link }: CheckedAttribute, data: Json): boolean {
    return this.#options.isCode && (field ?? link).attribute.writable === false && Object.hasOwn(data, name)
  }

  #isGiven(name: string, data: Json): boolean {
    return this.#options.given && ofServer.includes(name) && data[name] !== undefined
  }

  #isNew({ kind }: ContentType, id: number | undefined): boolean {
    return this.#options.mode === 'create' || (kind === 'component' && id === undefined)
  }

  /** True if the value of an attribute that is not sent is made from that of another one, in a new object. */
  #isMade(found: InputParts, { field }: CheckedAttribute, type: ContentType, data: Json): boolean {
    return field?.madeFrom !== undefined && noteMade(found, { type, field, data }, this.#options)
  }

  #refuseStray(type: ContentType, data: Json, path: readonly string[]): void {
    const { isAsked, mayLink } = this.#options
    if (isAsked && Object.keys(data).some(name => isStray(type, name, mayLink)))
      this.#issues.push(...strayNames(type, data, path, mayLink))
  }

  #attribute(found: InputParts, { field, link }: CheckedAttribute, given: GivenValue): void {
    const { value, at } = given
    if (field) this.#value(found.values, field, value, at)
    else if (link.embedded) {
      const items = this.#parts(link, value, at)
      if (items) found.parts.push({ link, items })
    } else {
      const change = this.#relation(link, given)
      if (change) found.relations.push(change)
    }
  }

  #isMissing(checked: CheckedAttribute, value: unknown, { at, isSet, isNew }: Omit<GivenValue, 'value'>): boolean {
    const { incomplete, dialect, isAsked, unchecked } = this.#options
    if (unchecked) return false
    const { link } = checked
    const isList = link?.embedded === true && link.many
    if (incomplete && (!isList || dialect.incompleteLists)) return false
    const isHidden = link !== undefined && value !== undefined && !isSet && !this.#mayLink(link)
    // An attribute refused as one that the caller cannot know is not missing as well.
    if (isHidden && isAsked) return false
    const refused = missing(checked, isHidden ? undefined : value, at, { isNew, dialect })
    if (refused) this.#issues.push(refused)
    return refused !== undefined
  }

  #mayLink = (link: Link): boolean => link.embedded === true || this.#options.mayLink(link)

  #value(values: Map<Field, unknown>, field: Field, value: unknown, at: readonly string[]): void {
    // A date's place among the values is kept, so that columns are written in the order of the schema.
    const isPlain = this.#options.dialect.plainMessages
    const isLate = !isPlain && isDate(field.type.as)
    if (value === null || isLate) values.set(field, null)
    if (value === null) return
    const read = () => {
      try {
        const { limits, unchecked } = this.#options
        const written = unchecked ? converted(value, field, limits) : field.type.write(value, field, limits)
        const short = unchecked ? undefined : tooShort(field, written, this.#options)
        if (short === undefined) values.set(field, written)
        else this.#refuse(at, short)
      } catch (reason) {
        if (reason instanceof FormatError && !isPlain) throw reason.at(at, dotted(at))
        if (reason instanceof FormatError) this.#issues.push(issue(at, reason.at(at, dotted(at)).message))
        else if (reason instanceof WrongValue) this.#issues.push(wrongAt(at, reason))
        else throw reason
      }
    }
    if (isLate) this.#late.push(read)
    else read()
  }

  /** Undefined where the relation stays as it is, and where the value is wrong. */
  #relation(link: Link, given: GivenValue): CheckedRelation | undefined {
    const { at: path, isSet, isNew } = given
    const { dialect, incomplete, unchecked } = this.#options
    if (!isSet && !this.#mayLink(link)) return undefined
    const [change, isRead] = this.#change(link, given)
    if (!isRead) return undefined
    const must = !incomplete && !unchecked && mustLead(link, dialect)
    if (must && isEmptying(change, isNew)) {
      this.#issues.push(leadsNowhere(path))
      return undefined
    }
    return change && { link, change, path, ...(must && { mustLead: true }), ...(isSet && { isSet }) }
  }

  #change(
    link: Link,
    { value, at, isSet }: GivenValue,
  ): readonly [change: RelationChange | undefined, isRead: boolean] {
    const { dialect, mayFind } = this.#options
    try {
      const change = readRelation(value, { link, at, dialect })
      return [change && link.targets === undefined && !isSet ? withinSight(change, mayFind) : change, true]
    } catch (reason) {
      if (!(reason instanceof WrongValue)) throw reason
      const { reason: message, older } = reason
      this.#issues.push({ ...issue(dialect.terseErrors ? [] : at, message), older })
      return [undefined, false]
    }
  }

  #parts(link: Link, value: unknown, at: readonly string[]): readonly CheckedInput[] | undefined {
    const { dialect, unchecked } = this.#options
    if (!link.many) {
      if (value === null) return []
      if (!isRecord(value)) return this.#mismatch(at, 'object', value)
      const input = this.#part(link, value, at)
      return input && [input]
    }
    if (value === null && (unchecked || (!link.attribute.required && dialect.nullClearsLists))) return []
    if (!Array.isArray(value)) return this.#mismatch(at, 'array', value)
    if (!unchecked) this.#checkLength(link, value.length, at)
    const inputs: CheckedInput[] = []
    for (const [index, item] of value.entries()) {
      const input = this.#part(link, item, [...at, String(index)])
      if (input) inputs.push(input)
    }
    return inputs
  }

  #checkLength(link: Link, length: number, at: readonly string[]): void {
    const { max } = link.attribute as { max?: number }
    const few = tooFew(link, length, this.#options)
    if (few !== undefined) this.#refuse(at, few)
    if (max !== undefined && length > max) this.#refuse(at, `field must have less than or equal to ${max} items`)
  }

  #part(link: Link, value: unknown, at: readonly string[]): CheckedInput | undefined {
    if (!isRecord(value)) {
      this.#issues.push(wrongAt(at, mismatch('object', value, 'null')))
      return undefined
    }
    const type = this.#partType(link, value, at)
    if (!type) return undefined
    const isKept = this.#options.mode === 'update' && value.id !== undefined && value.id !== null
    return this.#object(type, value, at, isKept ? partId(value.id) : undefined)
  }

  #partType(link: Link, value: Json, at: readonly string[]): ContentType | undefined {
    if (link.shape !== 'zone') return link.types()[0]
    const named = value.__component
    const type = link.types().find(({ uid }) => uid === named)
    if (type) return type
    const names = link
      .types()
      .map(({ uid }) => uid)
      .join(', ')
    const wrong =
      named === undefined
        ? new WrongValue(`is required and must be one of ${names}`, 'is a required field')
        : new WrongValue(`must be one of ${names}`, `must be one of the following values: ${names}`)
    this.#issues.push(wrongAt([...at, '__component'], wrong))
    return undefined
  }

  #refuse(at: readonly string[], says: string): void {
    this.#issues.push(issue(at, `${dotted(at)} ${says}`))
  }

  #mismatch(at: readonly string[], kind: JsonType, value: unknown): undefined {
    this.#issues.push(wrongAt(at, mismatch(kind, value)))
  }
}

/** Nothing can be behind a relation after this change, whatever is stored. */
function isEmptying(change: RelationChange | undefined, isNew: boolean): boolean {
  if (change?.kind === 'set') return change.targets.length === 0 && !change.keeps
  return isNew && (change?.connect.length ?? 0) === 0
}

/** It has values that are to be stored as a hash. */
export function hasSecrets({ values, parts, isUnchecked }: CheckedInput): boolean {
  if (isUnchecked) return false
  for (const { type } of values.keys()) if (type.seal) return true
  return parts.some(({ items }) => items.some(hasSecrets))
}

/** An id that no component can have is kept as one: it then belongs to no entry, and is refused for that. */
function partId(raw: unknown): number {
  const id = typeof raw === 'number' ? raw : typeof raw === 'string' && /^\d{1,15}$/.test(raw) ? Number(raw) : -1
  return Number.isSafeInteger(id) && id > 0 ? id : -1
}
