import { removeAttribute, setAttribute, withList } from './attributes.js'
import { attributesOf, type Drawing, type DrawnType, listIn, objectIn } from './drawing.js'
import { componentFile, componentTable, typeFile, typeTable } from './places.js'
import { isObject, type Json, type JsonObject, written } from './text.js'

export interface NewType {
  readonly kind: 'collectionType' | 'singleType'
  readonly displayName: string
  readonly singular: string
  readonly plural: string
  /** Words of `options` and `pluginOptions` that are switched on, by their paths. */
  readonly switches: readonly (readonly string[])[]
}

export interface NewComponent {
  readonly category: string
  readonly name: string
  readonly displayName: string
}

/** A content type in a file of its own, without attributes. */
export function addType(drawing: Drawing, { kind, displayName, singular, plural, switches }: NewType): Drawing {
  const info = { singularName: singular, pluralName: plural, displayName }
  const named = { kind, collectionName: typeTable(plural), info }
  const schema = switches.reduce<JsonObject>((all, path) => withWord(all, path, true), named)
  return drawing.with(typeFile(drawing, singular), written({ ...schema, attributes: {} }))
}

/** A component in a file of its own, without attributes. */
export function addComponent(drawing: Drawing, { category, name, displayName }: NewComponent): Drawing {
  const collectionName = componentTable(category, name)
  return drawing.with(
    componentFile(drawing, category, name),
    written({ collectionName, info: { displayName }, attributes: {} }),
  )
}

/** The attributes of other types that lead to one. */
export const leadingTo = (
  drawing: Drawing,
  uid: string,
): readonly { readonly type: DrawnType; readonly name: string }[] =>
  drawing.types
    .filter(type => type.uid !== uid)
    .flatMap(type =>
      attributesOf(type.schema).flatMap(([name, attribute]) => (leadsTo(attribute, uid) ? [{ type, name }] : [])),
    )

export const leadsTo = ({ target, component, components }: JsonObject, uid: string): boolean =>
  target === uid || component === uid || (Array.isArray(components) && components.includes(uid))

/** Takes the file of a type away, and what leads to it; a zone loses one of its components. */
export function removeType(drawing: Drawing, uid: string): Drawing {
  const path = drawing.type(uid)?.path
  if (path === undefined) return drawing
  const free = leadingTo(drawing, uid).reduce((all, { type, name }) => {
    const attribute = objectIn(objectIn(all.type(type.uid)?.schema, 'attributes'), name)
    const others = listIn(attribute, 'components').filter(one => one !== uid)
    if (others.length > 0) return setAttribute(all, type.uid, name, { ...attribute, components: others })
    return removeAttribute(all, type.uid, name)
  }, drawing)
  return free.with(path, null)
}

/** A word of the schema, such as `options.trash`; an object in which nothing is left goes, unless it was so before. */
export function withWord(schema: JsonObject, path: readonly string[], value: Json | undefined): JsonObject {
  const [key = '', ...rest] = path
  const { [key]: before, ...others } = schema
  if (rest.length === 0) return value === undefined ? others : { ...schema, [key]: value }
  const next = withWord(isObject(before) ? before : {}, rest, value)
  return Object.keys(next).length === 0 && (before === undefined || value === undefined)
    ? others
    : { ...schema, [key]: next }
}

export const wordIn = (schema: JsonObject | undefined, path: readonly string[]): Json | undefined =>
  path.reduce<Json | undefined>((value, key) => (isObject(value) ? value[key] : undefined), schema)

export const setWord = (drawing: Drawing, uid: string, path: readonly string[], value: Json | undefined): Drawing =>
  drawing.change(uid, schema => inPlace(withWord(schema, path, value)))

export const setList = (drawing: Drawing, uid: string, key: 'search' | 'indexes', list: readonly Json[]): Drawing =>
  drawing.change(uid, schema => withList(schema, key, list))

/** Options are told before the attributes, where they are new. */
function inPlace(schema: JsonObject): JsonObject {
  const keys = Object.keys(schema)
  const at = keys.indexOf('attributes')
  const early = keys.filter((key, index) => index > at && (key === 'options' || key === 'pluginOptions'))
  if (at < 0 || early.length === 0) return schema
  const order = [...keys.slice(0, at), ...early, ...keys.slice(at).filter(key => !early.includes(key))]
  return Object.fromEntries(order.map(key => [key, schema[key] ?? null]))
}
