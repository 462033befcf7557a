import type { AttributeInfo, LinkInfo, Meta, TypeMeta } from '../meta.js'
import { changeOf, targetOf } from './connect.js'
import type { Item, Node } from './item.js'
import { coversAll, Kinds } from './kinds.js'
import { noLinks } from './plain.js'
import { isEmpty } from './typed.js'

/** The ways in which a field of many entries is changed. */
const changeWays = ['set', 'clear', 'add', 'remove'] as const
export type ChangeWay = (typeof changeWays)[number]

/** The ways that are there for an attribute; none where each entry needs a value of its own. */
export function waysOf(attribute: AttributeInfo): readonly ChangeWay[] {
  const clear = attribute.required ? [] : (['clear'] as const)
  if (attribute.kind === 'field') {
    const isOwn = attribute.unique === true || ['uid', 'password'].includes(attribute.type)
    return isOwn ? [] : ['set', ...clear]
  }
  // An entry that leads to one alone would be led to each of the chosen ones in turn, and stay with the last.
  const set = attribute.exclusive ? [] : (['set'] as const)
  if (attribute.embedded || !attribute.many) return [...set, ...clear]
  const add = attribute.exclusive ? [] : (['add'] as const)
  return [...set, ...clear, ...add, 'remove']
}

/** The attributes that an account may change in many entries at once, in the order of the form. */
export function changeable(kinds: Kinds, type: TypeMeta): readonly AttributeInfo[] {
  const { update } = type.can
  return kinds.shown(type.uid).filter(attribute => {
    const isOpen = attribute.writable && !attribute.added && type.layout.fields[attribute.name]?.editable !== false
    const isPermitted = update !== null && coversAll(kinds, update, attribute, [attribute.name])
    return isOpen && isPermitted && waysOf(attribute).length > 0
  })
}

/** The types for a form of changes: nothing is filled in, nothing is required, and the permission is that of updates. */
export function changingKinds(meta: Meta, type: TypeMeta): Kinds {
  const attributes = type.attributes.map(attribute => {
    const { required: _, ...rest } = attribute
    if (rest.kind === 'link') return rest
    const { default: __, ...field } = rest
    return field
  })
  const changed: TypeMeta = { ...type, attributes, can: { ...type.can, create: type.can.update } }
  return new Kinds({ ...meta, types: meta.types.map(one => (one.uid === type.uid ? changed : one)) })
}

export type Changes = ReadonlyMap<string, ChangeWay>

/** The fields that shall have a value, and have none in the form. */
export function lackingIn({ nodes }: Item, changes: Changes): readonly string[] {
  return [...changes].flatMap(([name, way]) => {
    const node = nodes.get(name)
    return node && way !== 'clear' && isNothing(node) ? [name] : []
  })
}

function isNothing(node: Node): boolean {
  if (node.kind === 'cell') return isEmpty(node.value.peek())
  return (node.kind === 'items' ? node.items : node.entries).peek().length === 0
}

/** The attributes of a request that changes an entry, except files that join a list. */
export function changesBody({ nodes }: Item, changes: Changes): Readonly<Record<string, unknown>> {
  const body = [...changes].flatMap(([name, way]) => {
    const node = nodes.get(name)
    if (!node || joinsFiles(node, way)) return []
    return [[name, way === 'clear' ? emptyOf(node.attribute) : changedValue(node, way)] as const]
  })
  return Object.fromEntries(body)
}

/** Files that join the list of each entry, by attribute. */
export function filesAdded({ nodes }: Item, changes: Changes): Readonly<Record<string, readonly number[]>> {
  const added = [...changes].flatMap(([name, way]) => {
    const node = nodes.get(name)
    if (node?.kind !== 'links' || !joinsFiles(node, way)) return []
    return [[name, node.entries.peek().map(({ id }) => id)] as const]
  })
  return Object.fromEntries(added)
}

const joinsFiles = ({ attribute }: Node, way: ChangeWay): boolean => way === 'add' && attribute.type === 'media'

function emptyOf(attribute: AttributeInfo): unknown {
  if (attribute.kind === 'field' || !attribute.many) return null
  return attribute.embedded || attribute.type === 'media' ? [] : { set: [] }
}

function changedValue(node: Node, way: ChangeWay): unknown {
  if (node.kind !== 'links') return node.body(true)
  const { attribute, value, entries } = node
  if (way === 'remove') return changeOf(attribute, value.peek(), noLinks)
  if (way === 'set' && isList(attribute)) return { set: entries.peek().map(entry => targetOf(attribute, entry)) }
  return changeOf(attribute, noLinks, value.peek())
}

const isList = ({ many, type }: LinkInfo): boolean => many && type !== 'media'
