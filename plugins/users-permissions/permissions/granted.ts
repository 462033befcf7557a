import { type ContentType, type Filters, late } from '../../../core/index.js'
import { conditionOf, nearest } from '../../../core/plugin-kit.js'
import type { UserCaller } from '../callers.js'
import { readRule, withVariables } from './rules.js'

/** Limits on a role's action. */
export interface ActionLimits {
  /** Filters that every entry must meet. */
  readonly where?: Filters
  /** The values that the server gives to written attributes. */
  readonly set?: Values
  /** The attributes that it reads, or writes. */
  readonly fields?: ReadonlySet<string>
}

/** Grants by `<uid>.<action>`. */
export type Details = ReadonlyMap<string, ActionLimits>

type Values = Readonly<Record<string, unknown>>

interface GrantPlace {
  readonly type: ContentType
  readonly action: string
  /** The type of accounts. */
  readonly account: ContentType
}

const words = ['where', 'set', 'fields']

/** A grant as it is written: a row rule, or an object with more. Throws a sentence about the first error. */
export function readGranted(written: Values, place: GrantPlace): ActionLimits {
  const { type, account } = place
  const isAttribute = (name: string) => type.fields.has(name) || type.links.has(name)
  const names = Object.keys(written)
  if (!names.some(name => words.includes(name) && !isAttribute(name)))
    return { where: readRule(written, type, account) }
  const stray = names.find(name => !words.includes(name))
  if (stray !== undefined) throw `takes ${words.join(', ')}, not "${stray}"; filters stand in where`
  const { where, set, fields } = written
  return {
    ...(where !== undefined && { where: readRule(objectIn('where', where), type, account) }),
    ...(set !== undefined && { set: readSet(objectIn('set', set), place) }),
    ...(fields !== undefined && { fields: readNames(fields, place) }),
  }
}

function objectIn(word: string, value: unknown): Values {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Values
  throw `has a "${word}" that is ${JSON.stringify(value)}; expected an object`
}

/** Attributes by their names, private ones too; `*` stands for all that requests generally may read, or write. */
function readNames(written: unknown, { type, action }: GrantPlace): ReadonlySet<string> {
  if (!Array.isArray(written) || !written.every(name => typeof name === 'string'))
    throw `has "fields" that are ${JSON.stringify(written)}; expected a list such as ["title"] or ["*", "note"]`
  if (action === 'delete') throw 'has no fields: an entry is deleted as a whole'
  const writes = action === 'create' || action === 'update'
  const fields = [...type.fields.values()].filter(field => (writes ? field.writable : !field.type.secret))
  const links = [...type.links.values()].filter(link => !writes || link.writable)
  const known = [...fields, ...links].map(({ name }) => name)
  const usual = [...fields, ...links].filter(({ readable }) => writes || readable).map(({ name }) => name)
  const stray = written.find(name => name !== '*' && name !== 'id' && !known.includes(name))
  if (stray === undefined) return new Set(written.flatMap(name => (name === '*' ? usual : [name])))
  const meant = nearest(stray, known)
  const hint = meant === undefined ? `there are ${known.join(', ')}` : `did you mean "${meant}"?`
  throw `names "${stray}", which is no attribute of ${type.uid} that can be ${writes ? 'written' : 'read'}; ${hint}`
}

const readOnly = ['find', 'findOne', 'delete']

function readSet(written: Values, place: GrantPlace): Values {
  if (readOnly.includes(place.action)) throw 'writes no values; set is for actions such as create and update'
  return Object.fromEntries(Object.entries(written).map(([name, value]) => [name, valueFor(name, value, place)]))
}

function valueFor(name: string, written: unknown, { type, account }: GrantPlace): unknown {
  const [field, link] = [type.fields.get(name), type.links.get(name)]
  if (!(field ?? link)?.writable) {
    const names = [...type.fields.values(), ...type.links.values()].filter(one => one.writable).map(one => one.name)
    const meant = nearest(name, names)
    throw `sets "${name}", which is no attribute of ${type.uid} that can be written; ${meant === undefined ? `there are ${names.join(', ')}` : `did you mean "${meant}"?`}`
  }
  const value = withVariables(written, account)
  if (link) return linkedBy(name, value, { link, written, account })
  if (!field) return value
  if (value === written) {
    mustFit(type, { [name]: { $eq: value } })
    return value
  }
  if (written === '$now') {
    if (field.type.as === 'datetime' || field.type.as === 'timestamp') return value
    throw `sets "${name}" to "$now", which takes a datetime`
  }
  // Accounts have numbers that a text may be set to.
  return field.type.operators === 'text' ? asText(value) : value
}

interface LinkFilter {
  readonly link: NonNullable<ReturnType<ContentType['links']['get']>>
  readonly written: unknown
  readonly account: ContentType
}

function linkedBy(name: string, value: unknown, { link, written, account }: LinkFilter): unknown {
  if (link.embedded || link.targets?.length !== 1)
    throw `sets "${name}", which is no plain attribute and no relation to entries of one type`
  const isAccount = link.targets[0] === account.uid
  if (value !== written ? isAccount && written === '$caller.id' : isId(value)) return value
  throw `sets "${name}" to ${JSON.stringify(written)}; expected ${isAccount ? '"$caller.id" or ' : ''}the id of an entry of ${link.targets[0]}`
}

const isId = (value: unknown): boolean => value === null || (Number.isSafeInteger(value) && Number(value) > 0)

const asText = (value: unknown) =>
  late<UserCaller>(caller => {
    const told = (value as ReturnType<typeof late>).of(caller)
    return told === null ? null : String(told)
  })

function mustFit(type: ContentType, filters: Filters): void {
  try {
    conditionOf(type, filters)
  } catch (error) {
    throw (error as Error).message
  }
}
