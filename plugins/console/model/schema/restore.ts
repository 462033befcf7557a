import { originOf, removedFrom } from './attributes.js'
import {
  attributeOf,
  attributesOf,
  type Drawing,
  type DrawnType,
  formerUid,
  listIn,
  objectIn,
  textIn,
} from './drawing.js'
import { attributeProblem } from './names.js'
import { led } from './rename.js'
import { isObject, type Json, type JsonObject } from './text.js'

/** Why a removed attribute cannot come back; its text is `schema.restore.<reason>`. */
export type RestoreProblem = 'taken' | 'other' | 'target'

/** The reason for which an attribute that was removed cannot come back into the drawing as it is. */
export function restoreProblem(drawing: Drawing, type: DrawnType, name: string): RestoreProblem | undefined {
  if (attributeProblem(drawing, type, name) !== undefined) return 'taken'
  const { target, component, components } = storedAttribute(drawing, type, name)
  const uids = [target, component, ...(Array.isArray(components) ? components : [])].filter(one => one !== undefined)
  const known = [...drawing.targets, ...drawing.types].map(({ uid }) => uid)
  if (uids.some(uid => !known.includes(String(uid)))) return 'target'
  const other = otherSide(drawing, type, name)
  if (!other || other.isBack) return undefined
  const isFree = removedFrom(other.type).includes(other.name) && !attributeProblem(drawing, other.type, other.name)
  return isFree ? undefined : 'other'
}

/** Puts a removed attribute back as it is stored, with what named it in its type, and with the other side of a relation. */
export function restoreAttribute(drawing: Drawing, uid: string, name: string): Drawing {
  const type = drawing.type(uid)
  if (!type || restoreProblem(drawing, type, name) !== undefined) return drawing
  const other = otherSide(drawing, type, name)
  const restored = putBack(drawing, uid, name)
  return other && !other.isBack && !(other.type.uid === uid && other.name === name)
    ? putBack(restored, other.type.uid, other.name)
    : restored
}

/** The stored form of an attribute, with the uids that types have in the drawing. */
function storedAttribute(drawing: Drawing, type: DrawnType, name: string): JsonObject {
  const attribute = objectIn(objectIn(type.stored, 'attributes'), name)
  return drawing.types.reduce((all, one) => {
    const former = formerUid(one)
    return former === undefined ? all : led(all, former, one.uid)
  }, attribute)
}

/** The stored attribute at the other end of a stored relation, and if it leads back in the drawing. */
function otherSide(drawing: Drawing, type: DrawnType, name: string) {
  const attribute = storedAttribute(drawing, type, name)
  const side = textIn(attribute, 'inversedBy') ?? textIn(attribute, 'mappedBy')
  const other = drawing.type(textIn(attribute, 'target') ?? '')
  if (side === undefined || !other || !isObject(objectIn(other.stored, 'attributes')[side])) return undefined
  const now = attributeOf(other, side)
  const isBack = now?.target === type.uid && [now.inversedBy, now.mappedBy].includes(name)
  return { type: other, name: side, isBack }
}

function putBack(drawing: Drawing, uid: string, name: string): Drawing {
  const type = drawing.type(uid)
  if (!type?.stored) return drawing
  const { stored } = type
  const attribute = storedAttribute(drawing, type, name)
  const names = new Map(attributesOf(type.schema).map(([one]) => [originOf(type, one) ?? '', one]))
  const nameOf = (one: string): string => (one === name ? name : (names.get(one) ?? ''))
  const back = { stored, name, nameOf }
  return drawing.change(uid, schema => {
    const order = attributesOf(stored).map(([one]) => nameOf(one))
    const attributes = inserted(
      Object.entries(objectIn(schema, 'attributes')),
      [name, attribute],
      order,
      ([one]) => one,
    )
    return withIndexes(
      withSearch({ ...schema, attributes: Object.fromEntries(attributes.map(one => withSource(one, back))) }, back),
      back,
    )
  })
}

interface Back {
  readonly stored: JsonObject
  readonly name: string
  /** The name in the drawing of an attribute that is stored; empty where it is not there. */
  readonly nameOf: (stored: string) => string
}

/** A uid was made from the attribute. */
function withSource([one, now]: readonly [string, Json], { stored, name, nameOf }: Back): readonly [string, Json] {
  const before = attributesOf(stored).find(([other, { targetField }]) => nameOf(other) === one && targetField === name)
  if (!before || !isObject(now) || now.type !== 'uid' || now.targetField !== undefined) return [one, now]
  return [one, withKey(now, 'targetField', name, before[1])]
}

function withSearch(schema: JsonObject, { stored, name, nameOf }: Back): JsonObject {
  const [attribute, list] = [(one: Json) => String(one).replace(/\^.*$/, ''), listIn(schema, 'search')]
  const before = listIn(stored, 'search').find(one => attribute(one) === name)
  if (before === undefined || list.some(one => attribute(one) === name)) return schema
  const order = listIn(stored, 'search').map(one => nameOf(attribute(one)))
  return withKey(schema, 'search', inserted(list, before, order, attribute), stored)
}

function withIndexes(schema: JsonObject, { stored, name, nameOf }: Back): JsonObject {
  const all = listIn(stored, 'indexes').map(index =>
    isObject(index) ? { ...index, attributes: listIn(index, 'attributes').map(one => nameOf(String(one))) } : index,
  )
  const order = all.map(one => JSON.stringify(one))
  const gone = all.filter(index => {
    const attributes = isObject(index) ? listIn(index, 'attributes') : []
    return attributes.includes(name) && !attributes.includes('')
  })
  return gone.reduce<JsonObject>((next, index) => {
    const list = listIn(next, 'indexes')
    if (list.some(one => JSON.stringify(one) === JSON.stringify(index))) return next
    return withKey(next, 'indexes', inserted(list, index, order, JSON.stringify), stored)
  }, schema)
}

const withKey = (schema: JsonObject, key: string, value: Json, stored: JsonObject): JsonObject =>
  Object.hasOwn(schema, key)
    ? { ...schema, [key]: value }
    : Object.fromEntries(inserted(Object.entries(schema), [key, value], Object.keys(stored), ([one]) => one))

/** Puts something behind what it stood behind. */
function inserted<One>(
  list: readonly One[],
  one: One,
  order: readonly string[],
  nameOf: (one: One) => string,
): readonly One[] {
  const before = order.slice(0, order.indexOf(nameOf(one))).reverse()
  const behind = before.find(name => list.some(other => nameOf(other) === name))
  const at = list.findIndex(other => nameOf(other) === behind) + 1
  return [...list.slice(0, at), one, ...list.slice(at)]
}
