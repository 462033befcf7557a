import { setAttribute } from './attributes.js'
import { attributesOf, type Drawing, type DrawnType, formerUid, objectIn, textIn } from './drawing.js'
import { componentFile, componentTable, tableOnceNamed, typeFile, typeTable, typeUid } from './places.js'
import { type Json, type JsonObject, written } from './text.js'
import { leadsTo } from './types.js'

export interface TypeNames {
  readonly displayName: string
  readonly singular: string
  readonly plural: string
}

export interface ComponentNames {
  readonly displayName: string
  readonly category: string
  readonly name: string
}

/** Why names of a type stay: code of a Strapi project has its uid, or its plugin has all of them. */
export function fixedNames({ kind, uid, path, running }: DrawnType): 'code' | 'plugin' | undefined {
  if (kind === 'component' || running === undefined) return undefined
  if (!uid.startsWith('api::')) return 'plugin'
  return path.startsWith('src/') ? 'code' : undefined
}

/** The names of a component as a form has them. */
export const componentNames = ({ uid, name }: DrawnType): ComponentNames => {
  const [category = '', own = ''] = uid.split('.')
  return { displayName: name, category, name: own }
}

/** A drawing in which a type has other names, and the uid that it has there. */
export interface RenamedType {
  readonly drawing: Drawing
  readonly uid: string
}

/** Gives a content type other names, wherever its uid stands; the file is called by them as well. */
export function renameType(drawing: Drawing, type: DrawnType, names: TypeNames): RenamedType {
  const isKept = names.singular === type.singular
  const info = objectIn(type.schema, 'info')
  const named = {
    ...info,
    ...(isSaid(info, 'singularName', isKept) && { singularName: names.singular }),
    ...(isSaid(info, 'pluralName', isKept && names.plural === type.plural) && { pluralName: names.plural }),
    ...displayed(info, type, names),
  }
  const table = tableOnceNamed(type, typeTable(type.plural), typeTable(names.plural))
  const place = isKept ? undefined : { uid: typeUid(names.singular), path: fileOf(drawing, type, names.singular) }
  return moved(drawing, type, withNames(type, named, table), place)
}

/** Gives a component another name, or another category. */
export function renameComponent(drawing: Drawing, type: DrawnType, names: ComponentNames): RenamedType {
  const { category, name } = names
  const former = componentNames(type)
  const uid = `${category}.${name}`
  const [usual, next] = [componentTable(former.category, former.name), componentTable(category, name)]
  const before = objectIn(type.schema, 'info')
  const info = { ...before, ...displayed(before, type, names) }
  const place = uid === type.uid ? undefined : { uid, path: componentFile(drawing, category, name) }
  return moved(drawing, type, withNames(type, info, tableOnceNamed(type, usual, next)), place)
}

/** A word that the file did not say stays unsaid while it holds by itself. */
const isSaid = (info: JsonObject, word: string, isKept: boolean): boolean => info[word] !== undefined || !isKept

const displayed = (
  info: JsonObject,
  { name }: DrawnType,
  { displayName }: { readonly displayName: string },
): JsonObject => (isSaid(info, 'displayName', displayName === name) ? { displayName } : {})

const fileOf = (drawing: Drawing, { path, running }: DrawnType, singular: string): string =>
  running && path.endsWith('/schema.json') ? `content-types/${singular}/schema.json` : typeFile(drawing, singular)

function withNames({ schema = {} }: DrawnType, info: JsonObject, table: string): JsonObject {
  return {
    ...schema,
    ...(textIn(schema, 'collectionName') !== undefined && { collectionName: table }),
    ...((schema.info !== undefined || Object.keys(info).length > 0) && { info }),
  }
}

/** Puts a type into its place; without one it stays where it is. */
function moved(
  drawing: Drawing,
  type: DrawnType,
  schema: JsonObject,
  place: { readonly uid: string; readonly path: string } | undefined,
): RenamedType {
  if (!place) return { drawing: drawing.change(type.uid, () => schema), uid: type.uid }
  const { uid } = place
  const { running } = type
  const path = uid === running?.uid ? (running.file ?? place.path) : place.path
  const text = written(withFormerName(schema, type, uid), running?.text ?? type.text)
  const placed = withoutSpent(drawing.with(type.path, null).with(path, text), uid)
  return { drawing: ledTo(placed, type.uid, uid), uid }
}

/** `renamedFrom` tells the server where the entries are; a type that is not stored has none, and neither has one that gets its name back. */
function withFormerName(schema: JsonObject, { running, stored }: DrawnType, uid: string): JsonObject {
  const { renamedFrom: before, ...rest } = schema
  const former = running && (running.uid === uid ? stored?.renamedFrom : shortUid(running.uid))
  if (former === undefined) return rest
  if (before !== undefined) return { ...schema, renamedFrom: former }
  const entries = Object.entries(rest)
  const at = entries.findIndex(([key]) => key === 'info') + 1
  return Object.fromEntries([...entries.slice(0, at), ['renamedFrom', former], ...entries.slice(at)])
}

/** A schema file names a type by its singular name where that is its whole name. */
function shortUid(uid: string): string {
  const singular = uid.slice(uid.lastIndexOf('.') + 1)
  return uid === typeUid(singular) ? singular : uid
}

/** A type that was renamed long ago lets its former name go when another one gets it. */
function withoutSpent(drawing: Drawing, uid: string): Drawing {
  const names = [uid, shortUid(uid)]
  const spent = drawing.types.filter(
    type => names.includes(textIn(type.schema, 'renamedFrom') ?? '') && formerUid(type) === undefined,
  )
  return spent.reduce((all, type) => all.change(type.uid, ({ renamedFrom: _, ...rest }) => rest), drawing)
}

/** An attribute that leads to a type leads to its other name. */
const ledTo = (drawing: Drawing, from: string, to: string): Drawing =>
  drawing.types.reduce((all, type) => {
    const found = attributesOf(type.schema).filter(([, attribute]) => leadsTo(attribute, from))
    return found.reduce((next, [name, attribute]) => setAttribute(next, type.uid, name, led(attribute, from, to)), all)
  }, drawing)

/** An attribute that leads to a type by its other uid. */
export const led = (attribute: JsonObject, from: string, to: string): JsonObject => {
  const of = (value: Json): Json => (value === from ? to : Array.isArray(value) ? value.map(of) : value)
  return Object.fromEntries(
    Object.entries(attribute).map(([key, value]) => [
      key,
      ['target', 'component', 'components'].includes(key) ? of(value) : value,
    ]),
  )
}
