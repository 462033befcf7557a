import { getNamedType, isLeafType } from 'graphql'
import type { Selected } from './generated-operations.js'
import { plainValue } from './generated-values.js'
import type { Body } from './twin-rows.js'

/** An operation in both shapes, and what the data of one is in the other. */
export interface Pair {
  readonly v4: string
  readonly flat: string
  readonly convert: (data: Body) => unknown
}

/** The pair of an operation; undefined for entries without an id, which one shape alone can ask for. */
export function pairOf(roots: readonly Selected[]): Pair | undefined {
  const isNameless = roots.some(root => isOneOfMany(root) && (root.args.id ?? null) === null)
  return isNameless || roots.length === 0 ? undefined : pairWith(roots)
}

const isOneOfMany = (root: Selected): boolean =>
  nameOf(root).endsWith('EntityResponse') && !['homepage', 'global'].includes(root.name)

const pairWith = (roots: readonly Selected[]): Pair => ({
  v4: `{ ${roots.map(v4Text).join(' ')} }`,
  flat: `{ ${roots.map(flatText).join(' ')} }`,
  convert(data) {
    const values = roots.map(root => [flatName(root), flatValue(root, data?.[root.name] ?? null)] as const)
    // A list that cannot be read takes all data with it.
    const isLost = roots.some(root => data?.[root.name] === null && isCollection(root) && !isConnected(root))
    return isLost || data === null ? null : Object.fromEntries(values)
  },
})

const nameOf = ({ type }: Selected): string => getNamedType(type).name
const isWrapped = (selected: Selected): boolean => /(Response|ResponseCollection)$/.test(nameOf(selected))
const isCollection = (selected: Selected): boolean => nameOf(selected).endsWith('EntityResponseCollection')
const isMany = (selected: Selected): boolean => nameOf(selected).endsWith('Collection')
const childOf = ({ below }: Selected, name: string): Selected | undefined => below.find(one => one.name === name)

/** Lists are asked for in both ways, those with their page in the only one. */
const isConnected = (selected: Selected): boolean =>
  isMany(selected) &&
  (childOf(selected, 'meta') !== undefined || (selected.name.length + Object.keys(selected.args).length) % 2 === 0)

const flatName = (selected: Selected): string => selected.name + (isConnected(selected) ? '_connection' : '')

function v4Text(selected: Selected): string {
  const { name, type, args, below } = selected
  const given = Object.entries(args).map(([arg, value]) => [arg, plainValue(value)] as const)
  const isEmpty = isWrapped(selected) && below.length === 0
  return `${name}${callText(given)}${isEmpty ? ' { data { __typename } }' : bodyText(type, selected, v4Text)}`
}

function flatText(selected: Selected): string {
  const { args, type } = selected
  const isOne = args.id !== undefined
  const given = Object.entries(args)
    .filter(([arg]) => !isOne || arg !== 'locale')
    .map(([arg, value]) => flatArgument(arg, plainValue(value)))
  const call = `${flatName(selected)}${callText(given)}`
  if (!isWrapped(selected)) return `${call}${bodyText(type, selected, flatText)}`
  const entry = `{ ${textsOrName(attributesOf(selected).map(flatText))} }`
  if (!isConnected(selected)) return `${call} ${entry}`
  const page = childOf(selected, 'meta')?.below.flatMap(({ below }) => below.map(({ name }) => name))
  const nodes = page && !childOf(selected, 'data') ? '' : `nodes ${entry}`
  return `${call} { ${nodes} ${page ? `pageInfo { ${textsOrName(page)} }` : ''} }`
}

const textsOrName = (texts: readonly string[]): string => (texts.length > 0 ? texts.join(' ') : '__typename')

function bodyText(
  type: Selected['type'],
  { below, parts }: Pick<Selected, 'below'> & { readonly parts?: Selected['parts'] | undefined },
  textOf: (selected: Selected) => string,
): string {
  if (isLeafType(getNamedType(type))) return ''
  if (!parts) return ` { ${textsOrName(below.map(textOf))} }`
  const texts = parts.map(part => `... on ${part.type} { ${textsOrName(part.fields.map(textOf))} }`)
  return ` { __typename ${texts.join(' ')} }`
}

const callText = (given: readonly (readonly [string, unknown])[]): string =>
  given.length > 0 ? `(${given.map(([arg, value]) => `${arg}: ${literal(value, arg)}`).join(', ')})` : ''

function literal(value: unknown, name = ''): string {
  if (name === 'publicationState' || name === 'status') return String(value)
  if (Array.isArray(value)) return `[${value.map(inner => literal(inner)).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  return `{ ${Object.entries(value)
    .map(([key, inner]) => `${key}: ${literal(inner)}`)
    .join(', ')} }`
}

function flatArgument(name: string, value: unknown): readonly [string, unknown] {
  if (name === 'id') return ['documentId', value]
  if (name === 'publicationState') return ['status', value === 'PREVIEW' ? 'DRAFT' : 'PUBLISHED']
  if (name === 'filters') return [name, withIds(value)]
  if (name === 'sort') return [name, JSON.parse(JSON.stringify(value).replace(/\bid\b/g, 'documentId'))]
  return [name, value]
}

function withIds(filters: unknown): unknown {
  if (Array.isArray(filters)) return filters.map(withIds)
  if (typeof filters !== 'object' || filters === null) return filters
  return Object.fromEntries(
    Object.entries(filters).map(([name, value]) => [name === 'id' ? 'documentId' : name, withIds(value)]),
  )
}

/** What is selected of the entries of a field, in place of the id and the attributes. */
const attributesOf = (selected: Selected): readonly Selected[] =>
  (childOf(selected, 'data')?.below ?? []).flatMap(one =>
    one.name === 'id' ? [{ ...one, name: 'documentId' }] : one.below,
  )

function flatValue(selected: Selected, value: Body): unknown {
  if (value === null || value === undefined) return null
  if (!isWrapped(selected)) {
    if (Array.isArray(value)) return value.map(item => itemValue(selected, item))
    return itemValue(selected, value)
  }
  const entries = Array.isArray(value.data)
    ? value.data.map((entry: Body) => entryValue(selected, entry))
    : entryValue(selected, value.data ?? null)
  if (!isConnected(selected)) return entries
  return { ...(value.data && { nodes: entries }), ...(value.meta && { pageInfo: value.meta.pagination }) }
}

function entryValue(selected: Selected, entry: Body): unknown {
  if (entry === null) return null
  const fields = attributesOf(selected)
  if (fields.length === 0) return { __typename: nameOf(selected).replace(/(Entity|Relation)Response.*$/, '') }
  return Object.fromEntries(
    fields.map(field => [
      flatName(field),
      field.name === 'documentId' ? entry.id : flatValue(field, entry.attributes?.[field.name]),
    ]),
  )
}

/** A component, a part of a zone, or a scalar. */
function itemValue({ type, below, parts }: Selected, item: Body): unknown {
  if (item === null || isLeafType(getNamedType(type))) return item
  const fields = parts ? (parts.find(part => part.type === item.__typename)?.fields ?? []) : below
  return {
    ...((parts || fields.length === 0) && { __typename: item.__typename }),
    ...Object.fromEntries(fields.map(field => [flatName(field), flatValue(field, item[field.name])])),
  }
}
