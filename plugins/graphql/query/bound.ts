import { type FieldNode, type GraphQLField, type GraphQLObjectType, getNamedType } from 'graphql'
import type { Entry } from '../../../core/index.js'
import type { FieldMeaning } from '../meaning.js'
import { argumentsOf } from './arguments.js'
import { Binder, type BinderParts, holding, isAround } from './binder.js'
import { fieldsBelow, fieldsOf } from './fields.js'
import { asQuery, Need } from './needs.js'
import { failed, type Projector, Sink, sealOf } from './projector.js'
import { type BoundRoot, sealed } from './roots.js'

/** A field of the root of a list: its entries, a text that is known, or its page, which is made when the total is known. */
export type ListField =
  | { readonly key: string; readonly is: 'held' }
  | { readonly key: string; readonly is: 'text'; readonly text: string }
  | { readonly key: string; readonly is: 'pages'; readonly project: Projector }

/** A root of `Query` that lists entries. */
export interface BoundList extends BoundRoot {
  /** The fields of the object around it; undefined where the list is the value of the root. */
  readonly fields: readonly ListField[] | undefined
}

/** A root that graphql-js runs by itself. */
export interface OwnRoot {
  readonly key: string
  readonly nodes: readonly FieldNode[]
}

export type AnyRoot = BoundRoot | BoundList | OwnRoot

export const isOwn = (root: AnyRoot): root is OwnRoot => 'nodes' in root
export const isList = (root: AnyRoot): root is BoundList => 'fields' in root

/** True for a list whose total is asked for. */
export const isPaged = ({ fields = [] }: BoundList): boolean => fields.some(({ is }) => is === 'pages')

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
  const args = argumentsOf(field, node, parts.variables)
  const binder = new Binder(parts)
  const need = new Need()
  const { around } = field.extensions
  const about = { key, meaning, args, node, field, need, owns: binder.owns, around }
  const named = getNamedType(field.type)
  if (meaning.is === 'list' || meaning.is === 'listed') {
    const { fields, ...made } = isAround(field.type)
      ? listFields({ parts, binder, need }, named as GraphQLObjectType, nodes)
      : { fields: undefined, data: [binder.value(field.type, nodes, need)], around: (entries: Entry[]) => entries }
    const shape = {
      key: `${key} ${binder.signature}`,
      entry: 'plain' as const,
      one: () => null,
      many: listed(key, made),
    }
    return { ...about, fields, query: asQuery(need), shape }
  }
  // A list of entries that a mutation names is put together of each of them.
  const project = binder.value(meaning.is === 'entries' ? (named as GraphQLObjectType) : field.type, nodes, need)
  const one = (entry: Entry | null) => {
    const sink = new Sink(key)
    const value = project(isAround(field.type) ? holding(entry) : entry, sink)
    return sealed(sealOf(sink), value === failed ? null : value)
  }
  const shape = { key: `${key} ${binder.signature}`, entry: 'plain' as const, one, many: (entries: Entry[]) => entries }
  return { ...about, query: asQuery(need), shape }
}

/** The parts of a response that are made of the entries of a list. */
interface MadeOfEntries {
  readonly data: readonly Projector[]
  readonly around: (entries: Entry[]) => unknown
}

const listed =
  (key: string, { data, around }: MadeOfEntries) =>
  (entries: Entry[]): unknown => {
    const sink = new Sink(key)
    const values = data.map(project => project(around(entries), sink))
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
  const fieldOf = (key: string) => type.getFields()[selected.get(key)?.[0]?.name.value ?? '']
  const isHeld = (key: string) => fieldOf(key)?.extensions.stele?.is === 'held'
  const held = binder.fields({ type, nodes }, need).filter(({ key }) => isHeld(key))
  const fields = [...selected].map(([key, of]): ListField => {
    const field = fieldOf(key)
    if (!field) return { key, is: 'text', text: JSON.stringify(type.name) }
    if (isHeld(key)) return { key, is: 'held' }
    return { key, is: 'pages', project: binder.value(field.type, of, new Need()) }
  })
  return { fields, data: held.map(({ project }) => project), around: holding }
}
