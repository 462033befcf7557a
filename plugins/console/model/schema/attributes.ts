import { attributeOf, attributesOf, type Drawing, type DrawnType, listIn, objectIn } from './drawing.js'
import { isObject, type Json, type JsonObject } from './text.js'

/** The name under which an attribute of a drawn type is stored; undefined for one that is new. */
export function originOf(type: DrawnType, name: string): string | undefined {
  const stored = objectIn(type.stored, 'attributes')
  const former = attributeOf(type, name)?.renamedFrom
  const isPending = typeof former === 'string' && Object.hasOwn(stored, former)
  if (isPending && !Object.hasOwn(objectIn(type.schema, 'attributes'), former)) return former
  return Object.hasOwn(stored, name) ? name : undefined
}

/** The stored attributes that a drawn type has no more. */
export function removedFrom(type: DrawnType): readonly string[] {
  const kept = new Set(attributesOf(type.schema).map(([name]) => originOf(type, name)))
  return attributesOf(type.stored).flatMap(([name]) => (kept.has(name) ? [] : [name]))
}

/** Puts an attribute at the end. */
export const addAttribute = (drawing: Drawing, uid: string, name: string, attribute: JsonObject): Drawing =>
  drawing.change(uid, schema =>
    withAttributes(schema, [
      ...entriesOf(schema).map(([one, before]): Entry => [one, withoutSpent(before, name)]),
      [name, attribute],
    ]),
  )

/** Gives an attribute other options, in its place. */
export const setAttribute = (drawing: Drawing, uid: string, name: string, attribute: JsonObject): Drawing =>
  drawing.change(uid, schema =>
    withAttributes(
      schema,
      entriesOf(schema).map(([one, before]) => (one === name ? [one, attribute] : [one, before])),
    ),
  )

/** Moves an attribute to another place in its type. */
export function moveAttribute(drawing: Drawing, uid: string, name: string, to: number): Drawing {
  return drawing.change(uid, schema => {
    const all = entriesOf(schema)
    const moved = all.find(([one]) => one === name)
    const others = all.filter(one => one !== moved)
    return moved ? withAttributes(schema, [...others.slice(0, to), moved, ...others.slice(to)]) : schema
  })
}

/**
 * Gives an attribute another name, wherever it is named. `renamedFrom` tells the server where its values are; an attribute
 * that is not stored has none, and neither has one that gets the name back under which it is stored.
 */
export function renameAttribute(drawing: Drawing, uid: string, from: string, to: string): Drawing {
  const type = drawing.type(uid)
  if (!type?.schema || from === to) return drawing
  const origin = originOf(type, from)
  const stored = origin === undefined ? undefined : objectIn(type.stored, 'attributes')[origin]
  const renamed = drawing.change(uid, schema => {
    const attributes = entriesOf(schema).map(([name, one]): Entry => {
      if (name !== from) return [name, withoutSpent(one, to)]
      return [to, isObject(one) ? renamedAttribute(one, { origin, to, stored: isObject(stored) ? stored : {} }) : one]
    })
    return withNames(withAttributes(schema, attributes), from, to)
  })
  return withOtherSides(renamed, uid, from, other => ({ ...other, [sideOf(other)]: to }))
}

/** Takes an attribute away, with what names it in its type; the other side of a relation goes with it. */
export function removeAttribute(drawing: Drawing, uid: string, name: string): Drawing {
  const other = otherSideOf(drawing, uid, name)
  const removed = withoutAttribute(drawing, uid, name)
  return other && !(other.uid === uid && other.name === name)
    ? withoutAttribute(removed, other.uid, other.name)
    : removed
}

/** The attribute that shows a relation from its other end. */
export function otherSideOf(drawing: Drawing, uid: string, name: string): { uid: string; name: string } | undefined {
  const attribute = attributeOf(drawing.type(uid), name)
  const other = attribute?.inversedBy ?? attribute?.mappedBy
  const { target } = attribute ?? {}
  if (attribute?.type !== 'relation' || typeof other !== 'string' || typeof target !== 'string') return undefined
  const found = attributeOf(drawing.type(target), other)
  const isBack = found?.type === 'relation' && found.target === uid && sideNamed(found) === name
  return isBack ? { uid: target, name: other } : undefined
}

type Entry = readonly [string, Json]

const entriesOf = (schema: JsonObject): readonly Entry[] => Object.entries(objectIn(schema, 'attributes'))

const withAttributes = (schema: JsonObject, attributes: readonly Entry[]): JsonObject => ({
  ...schema,
  attributes: Object.fromEntries(attributes),
})

function renamedAttribute(
  attribute: JsonObject,
  { origin, to, stored }: { origin: string | undefined; to: string; stored: JsonObject },
): JsonObject {
  const { renamedFrom: _, ...rest } = attribute
  if (origin === undefined) return rest
  if (origin !== to) return { ...attribute, renamedFrom: origin }
  return stored.renamedFrom === undefined ? rest : { ...attribute, renamedFrom: stored.renamedFrom }
}

/** An attribute that was renamed long ago lets its former name go when another one gets it. */
const withoutSpent = (attribute: Json, name: string): Json => {
  if (!isObject(attribute) || attribute.renamedFrom !== name) return attribute
  const { renamedFrom: _, ...rest } = attribute
  return rest
}

/** Names in the schema beside the attributes: those of `search` and `indexes`, and the source of a uid. */
function withNames(schema: JsonObject, from: string, to: string): JsonObject {
  const next: Record<string, Json> = { ...schema }
  if (Array.isArray(schema.search)) next.search = listIn(schema, 'search').map(one => searchNamed(one, from, to))
  if (Array.isArray(schema.indexes))
    next.indexes = listIn(schema, 'indexes').map(index =>
      isObject(index) && Array.isArray(index.attributes)
        ? { ...index, attributes: listIn(index, 'attributes').map(one => (one === from ? to : one)) }
        : index,
    )
  return withAttributes(
    next,
    entriesOf(schema).map(([name, one]) => [
      name,
      isObject(one) && one.type === 'uid' && one.targetField === from ? { ...one, targetField: to } : one,
    ]),
  )
}

const searchNamed = (one: Json, from: string, to: string): Json =>
  typeof one === 'string' && one.replace(/\^.*$/, '') === from ? to + one.slice(from.length) : one

function withoutAttribute(drawing: Drawing, uid: string, name: string): Drawing {
  return drawing.change(uid, schema => {
    const attributes = entriesOf(schema).flatMap(([one, attribute]): readonly Entry[] => {
      if (one === name) return []
      if (!isObject(attribute) || attribute.type !== 'uid' || attribute.targetField !== name) return [[one, attribute]]
      const { targetField: _, ...rest } = attribute
      return [[one, rest]]
    })
    return withAttributes(withoutNames(schema, name), attributes)
  })
}

function withoutNames(schema: JsonObject, name: string): JsonObject {
  const search = listIn(schema, 'search').filter(one => String(one).replace(/\^.*$/, '') !== name)
  const indexes = listIn(schema, 'indexes').filter(
    index => !isObject(index) || !listIn(index, 'attributes').includes(name),
  )
  return withList(withList(schema, 'search', search), 'indexes', indexes)
}

/** A list of a schema, which is left out where nothing is in it; one that was empty may stay so. */
export function withList(schema: JsonObject, key: string, list: readonly Json[]): JsonObject {
  if (list.length === listIn(schema, key).length && list.length === 0) return schema
  const { [key]: _, ...rest } = schema
  return list.length === 0 ? rest : { ...schema, [key]: list }
}

const sides = ['inversedBy', 'mappedBy', 'morphBy'] as const

const sideOf = (attribute: JsonObject): string => sides.find(side => attribute[side] !== undefined) ?? 'mappedBy'

const sideNamed = (attribute: JsonObject): Json | undefined => attribute[sideOf(attribute)]

/** Changes the attributes that name one of a type as their other side. */
function withOtherSides(
  drawing: Drawing,
  uid: string,
  name: string,
  work: (attribute: JsonObject) => JsonObject,
): Drawing {
  return drawing.types.reduce((all, type) => {
    const found = attributesOf(type.schema).filter(
      ([, one]) => one.type === 'relation' && one.target === uid && sideNamed(one) === name,
    )
    return found.reduce((next, [other, one]) => setAttribute(next, type.uid, other, work(one)), all)
  }, drawing)
}
