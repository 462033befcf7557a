import {
  type FieldNode,
  type GraphQLField,
  type GraphQLObjectType,
  getArgumentValues,
  getNamedType,
  isObjectType,
} from 'graphql'
import type { Entry } from '../../../core/index.js'
import type { FieldMeaning } from '../meaning.js'
import { Binder, type BinderParts, holding } from './binder.js'
import { fieldsBelow, fieldsOf } from './fields.js'
import { asQuery, Need } from './needs.js'
import { failed, type ProjectedField, type Projector, Sink, sealOf } from './projector.js'
import { type BoundRoot, sealed } from './roots.js'

/** A field of the root of a list: its entries, a text that is known, or its meta, which is made when the total is known. */
export type ListField =
  | { readonly key: string; readonly is: 'data' }
  | { readonly key: string; readonly is: 'text'; readonly text: string }
  | { readonly key: string; readonly is: 'meta'; readonly project: Projector }

/** A root of `Query` that lists entries. */
export interface BoundList extends BoundRoot {
  readonly fields: readonly ListField[]
}

/** A root that graphql-js runs by itself. */
export interface OwnRoot {
  readonly key: string
  readonly nodes: readonly FieldNode[]
}

export type AnyRoot = BoundRoot | BoundList | OwnRoot

export const isOwn = (root: AnyRoot): root is OwnRoot => 'nodes' in root
export const isList = (root: AnyRoot): root is BoundList => 'fields' in root

/** The roots of an operation by their keys, ready to run. */
export function bindRoots(
  parts: BinderParts,
  type: GraphQLObjectType,
  selections: Parameters<typeof fieldsOf>[2],
): AnyRoot[] {
  return [...fieldsOf(parts, type, selections)].map(([key, nodes]): AnyRoot => {
    const field = type.getFields()[(nodes[0] as FieldNode).name.value]
    const meaning = field?.extensions.stele
    if (!field || !meaning) return { key, nodes }
    return bindRoot(parts, { key, field, meaning, nodes })
  })
}

interface RootPlace {
  readonly key: string
  readonly field: GraphQLField<unknown, unknown>
  readonly meaning: FieldMeaning
  readonly nodes: readonly FieldNode[]
}

function bindRoot(parts: BinderParts, { key, field, meaning, nodes }: RootPlace): BoundRoot | BoundList {
  const node = nodes[0] as FieldNode
  const args = getArgumentValues(field, node, parts.variables)
  const binder = new Binder(parts)
  const need = new Need()
  const { around } = field.extensions
  const about = { key, meaning, args, node, field, need, owns: binder.owns, around }
  const named = getNamedType(field.type)
  if ((meaning.is === 'list' || meaning.is === 'listed') && isObjectType(named)) {
    const { fields, data } = listFields({ parts, binder, need }, named, nodes)
    const shape = {
      key: `${key} ${binder.signature}`,
      entry: 'plain' as const,
      one: () => null,
      many: listed(key, data),
    }
    return { ...about, fields, query: asQuery(need), shape }
  }
  // A list of entries that a mutation names is put together of each of them.
  const project = binder.value(meaning.is === 'entries' ? (named as GraphQLObjectType) : field.type, nodes, need)
  const one = (entry: Entry | null) => {
    const sink = new Sink(key)
    // A change is an object of its own, of which the entry is a part.
    const value = project(meaning.is === 'changed' ? entry : holding(entry), sink)
    return sealed(sealOf(sink), value === failed ? null : value)
  }
  const shape = { key: `${key} ${binder.signature}`, entry: 'plain' as const, one, many: (entries: Entry[]) => entries }
  return { ...about, query: asQuery(need), shape }
}

const listed =
  (key: string, data: readonly ProjectedField[]) =>
  (entries: Entry[]): unknown => {
    const sink = new Sink(key)
    const values = data.map(({ project }) => project(holding(entries), sink))
    return sealed(sealOf(sink), ...values.map(value => (value === failed ? null : value)))
  }

interface Binding {
  readonly parts: BinderParts
  readonly binder: Binder
  readonly need: Need
}

/** The fields of the object around a list, and those of them that are made of its entries. */
function listFields({ parts, binder, need }: Binding, type: GraphQLObjectType, nodes: readonly FieldNode[]) {
  const selected = fieldsBelow(parts, type, nodes)
  const nameOf = (key: string) => selected.get(key)?.[0]?.name.value
  const data = binder.fields({ type, nodes }, need).filter(({ key }) => nameOf(key) === 'data')
  const fields = [...selected].map(([key, of]): ListField => {
    const name = nameOf(key)
    if (name === '__typename') return { key, is: 'text', text: JSON.stringify(type.name) }
    if (name === 'data') return { key, is: 'data' }
    const meta = getNamedType(type.getFields().meta?.type) as GraphQLObjectType
    return { key, is: 'meta', project: binder.value(meta, of, new Need()) }
  })
  return { fields, data }
}
