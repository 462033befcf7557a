import { expected, operandOf } from '../../pages/values/operands.js'
import { isRecord } from '../../pages/values/records.js'
import type { AttributeInfo, FieldInfo, LinkInfo, Model, TypeInfo } from './metadata.js'
import type { BuilderState, Draft, DraftValue, RelatedEntry } from './state.js'

/** The message about an attribute that has to be there. */
export const isMissing = 'is required'

export interface Problem {
  /** The attribute, by names and positions. */
  readonly path: string
  readonly message: string
}

export interface Written {
  readonly data: Readonly<Record<string, unknown>>
  readonly problems: readonly Problem[]
}

/** The `data` of a request: the filled-in attributes of a new entry, or the changed ones of an existing one. */
export function dataOf(model: Model, { uid, action, draft, former }: BuilderState): Written {
  const type = model.type(uid)
  if (!type) return { data: {}, problems: [] }
  const written = entryData(model, type, draft, '')
  if (action !== 'update') return { ...written, problems: [...written.problems, ...missing(type, draft, '')] }
  const before = entryData(model, type, former ?? {}, '').data
  const changed = Object.entries(written.data).filter(([name, value]) => !isSame(value, before[name]))
  const cleared = Object.keys(before).filter(name => !(name in written.data) && !isWrong(written.problems, name))
  return {
    data: { ...Object.fromEntries(changed), ...Object.fromEntries(cleared.map(name => [name, null])) },
    problems: written.problems,
  }
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)
const isWrong = (problems: readonly Problem[], name: string): boolean => problems.some(({ path }) => path === name)

/** The attributes that a form has. */
export const writable = (model: Model, type: TypeInfo): readonly AttributeInfo[] =>
  type.attributes.filter(
    attribute =>
      attribute.writable && (attribute.kind === 'field' || attribute.embedded || model.targets(attribute).length > 0),
  )

function entryData(model: Model, type: TypeInfo, draft: Draft, at: string): Written {
  const problems: Problem[] = []
  const data: Record<string, unknown> = {}
  for (const attribute of writable(model, type)) {
    const value = draft[attribute.name]
    if (value === undefined || value === '') continue
    const path = at + attribute.name
    const written = attributeData(model, attribute, value, path)
    problems.push(...written.problems)
    if (written.value !== undefined) data[attribute.name] = written.value
  }
  return { data, problems }
}

interface WrittenValue {
  readonly value: unknown
  readonly problems: readonly Problem[]
}

function attributeData(model: Model, attribute: AttributeInfo, value: DraftValue, path: string): WrittenValue {
  if (value === null) return { value, problems: [] }
  if (attribute.kind === 'field') return fieldData(attribute, value, path)
  if (attribute.embedded) return partsData(model, attribute, value, path)
  const related = value as readonly RelatedEntry[]
  const named = related.map(({ id, type }) => (attribute.targets ? id : { id, __type: type }))
  return { value: attribute.many ? named : (named[0] ?? null), problems: [] }
}

function fieldData(field: FieldInfo, value: DraftValue, path: string): WrittenValue {
  if (typeof value === 'boolean') return { value, problems: [] }
  const text = String(value)
  if (isJson(field)) {
    try {
      return { value: JSON.parse(text), problems: [] }
    } catch {
      return { value: undefined, problems: [{ path, message: 'is not JSON' }] }
    }
  }
  const read = operandOf(field, text, false)
  if (read === undefined) return { value: undefined, problems: [{ path, message: `expects ${expected(field)}` }] }
  return { value: read, problems: broken(field, read, path) }
}

export const isJson = ({ type }: Pick<FieldInfo, 'type'>): boolean => ['json', 'array', 'blocks'].includes(type)

/** The rules of a field that a value does not meet. */
function broken({ type, minLength, maxLength, min, max, regex }: FieldInfo, value: unknown, path: string): Problem[] {
  const length = typeof value === 'string' && type !== 'biginteger' ? value.length : undefined
  const number = Number(value)
  const isNumber = ['integer', 'float', 'decimal', 'biginteger'].includes(type)
  const messages = [
    length !== undefined && minLength !== undefined && length < minLength && `needs at least ${minLength} characters`,
    length !== undefined && maxLength !== undefined && length > maxLength && `takes at most ${maxLength} characters`,
    isNumber && min !== undefined && number < Number(min) && `is at least ${min}`,
    isNumber && max !== undefined && number > Number(max) && `is at most ${max}`,
    length !== undefined && regex !== undefined && !matches(regex, String(value)) && `has the form ${regex}`,
  ]
  return messages.flatMap(message => (message === false ? [] : [{ path, message }]))
}

function matches(regex: string, text: string): boolean {
  try {
    return new RegExp(regex).test(text)
  } catch {
    return true
  }
}

/** A component, a list of them, or a zone. */
function partsData(model: Model, link: LinkInfo, value: DraftValue, path: string): WrittenValue {
  const parts = (Array.isArray(value) ? value : [value]) as readonly Draft[]
  const written = parts.map((part, index) => {
    const uid = typeof part.__component === 'string' ? part.__component : link.targets?.[0]
    const type = model.type(uid ?? '')
    const at = Array.isArray(value) ? `${path}.${index}.` : `${path}.`
    if (!type) return { data: {}, problems: [] }
    const { data, problems } = entryData(model, type, part, at)
    const id = typeof part.id === 'string' ? { id: Number(part.id) } : {}
    const named = link.shape === 'zone' ? { __component: uid } : {}
    return { data: { ...named, ...id, ...data }, problems: [...problems, ...missing(type, part, at)] }
  })
  const values = written.map(({ data }) => data)
  return { value: link.many ? values : values[0], problems: written.flatMap(({ problems }) => problems) }
}

function missing({ attributes }: TypeInfo, draft: Draft, at: string): Problem[] {
  return attributes.flatMap(({ name, required, writable, ...attribute }) => {
    const value = draft[name]
    const isEmpty =
      value === undefined || value === '' || value === null || (Array.isArray(value) && value.length === 0)
    const hasDefault = attribute.kind === 'field' && attribute.default !== undefined
    return required && writable && isEmpty && !hasDefault ? [{ path: at + name, message: isMissing }] : []
  })
}

/** An entry as the API returns it, as a form that is filled in with it. */
export function draftOf(model: Model, type: TypeInfo, entry: Readonly<Record<string, unknown>>): Draft {
  const attributes = isRecord(entry.attributes) ? entry.attributes : entry
  const values = writable(model, type).flatMap(attribute => {
    const value = attributes[attribute.name]
    if (value === null || value === undefined) return []
    const draft = attribute.kind === 'field' ? fieldDraft(attribute, value) : linkDraft(model, attribute, value)
    return draft === undefined ? [] : [[attribute.name, draft] as const]
  })
  return Object.fromEntries(values)
}

function fieldDraft(field: FieldInfo, value: unknown): DraftValue {
  if (isJson(field)) return JSON.stringify(value, null, 2)
  return typeof value === 'boolean' ? value : String(value)
}

function linkDraft(model: Model, link: LinkInfo, value: unknown): DraftValue | undefined {
  if (link.embedded) {
    const parts = (Array.isArray(value) ? value : [value]).filter(isRecord).map(part => partDraft(model, link, part))
    return link.many ? parts : parts[0]
  }
  const data = isRecord(value) && 'data' in value ? value.data : value
  return (Array.isArray(data) ? data : [data]).filter(isRecord).map(entry => relatedOf(model, link, entry))
}

function partDraft(model: Model, link: LinkInfo, part: Readonly<Record<string, unknown>>): Draft {
  const uid = typeof part.__component === 'string' ? part.__component : link.targets?.[0]
  const type = model.type(uid ?? '')
  return {
    ...(typeof part.__component === 'string' && { __component: part.__component }),
    id: String(part.id),
    ...(type && draftOf(model, type, part)),
  }
}

export function relatedOf(model: Model, { targets }: LinkInfo, entry: Readonly<Record<string, unknown>>): RelatedEntry {
  const attributes = isRecord(entry.attributes) ? entry.attributes : entry
  const type = typeof attributes.__type === 'string' ? attributes.__type : undefined
  const known = model.type(type ?? targets?.[0] ?? '')
  const { id } = entry
  return { id: Number(id), label: known ? labelOf(known, attributes) : '', ...(!targets && type && { type }) }
}

/** The display name of an entry: its title, its name, or the first text it has. */
export function labelOf(type: TypeInfo, attributes: Readonly<Record<string, unknown>>): string {
  const names = ['title', 'name', 'label', 'username', 'heading']
  const texts = type.attributes.filter(({ kind, type }) => kind === 'field' && type === 'string')
  const name = [...names, ...texts.map(({ name }) => name)].find(name => typeof attributes[name] === 'string')
  return name === undefined ? '' : String(attributes[name])
}
