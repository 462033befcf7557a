import type { ContentType, EntryQuery, Link } from '../../core/index.js'

export type Json = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Hooks that copy the data of a write keep this with it, and it is no name of an attribute. */
const patching = Symbol('patch')

/** The data of a write that is a patch; anything else is refused like the data of any update. */
export const asPatch = (data: unknown): unknown => (isObject(data) ? { ...data, [patching]: true } : data)
export const isPatch = (data: Json): boolean => patching in data

/** The parts of an entry needed to patch it: its documents and components, where a patch reaches into them. */
export type Need = Pick<EntryQuery, 'fields' | 'populate'>

/** Undefined if the patch equals an update. */
export function needOf(type: ContentType, data: Json): Need | undefined {
  const fields = Object.keys(data).filter(name => isDocument(type, name) && isObject(data[name]))
  const populate = partsOf(type, data)
  return fields.length > 0 || populate ? { fields: ['id', ...fields], populate: populate ?? [] } : undefined
}

const isDocument = (type: ContentType, name: string): boolean => type.fields.get(name)?.type.as === 'json'

/** The components into which a patch reaches, as they are populated. */
function partsOf(type: ContentType, data: Json): Json | undefined {
  const parts: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(data)) {
    const link = partLink(type, name)
    const items = link ? itemsOf(value) : []
    if (!link || items.length === 0) continue
    const needs = link.types().map(
      part =>
        [
          part.uid,
          below(
            part,
            items.filter(item => isOf(part, item, link)),
          ),
        ] as const,
    )
    parts[name] = link.shape === 'zone' ? { on: Object.fromEntries(needs) } : needs[0]?.[1]
  }
  return Object.keys(parts).length > 0 ? parts : undefined
}

const partLink = (type: ContentType, name: string): Link | undefined => {
  const link = type.links.get(name)
  return link?.embedded && link.readable ? link : undefined
}

/** The items of a list that are kept, or the one component. */
const itemsOf = (value: unknown): readonly Json[] =>
  Array.isArray(value) ? value.filter(item => isObject(item) && hasId(item)) : isObject(value) ? [value] : []

const hasId = ({ id }: Json): boolean => id !== undefined && id !== null

const isOf = ({ uid }: ContentType, item: Json, { shape }: Link): boolean =>
  shape !== 'zone' || item.__component === uid

/** The parts to read of components of one type: everything that any of the items reaches into. */
function below(part: ContentType, items: readonly Json[]): Json | true {
  const needs = items.flatMap(item => Object.entries(partsOf(part, item) ?? {}))
  return needs.length > 0 ? { populate: Object.fromEntries(needs) } : true
}

/** The data of an update with the effect of the patch: objects are merged, null removes, lists are replaced. */
export function merged(type: ContentType, patch: Json, current: Json | undefined): Json {
  return Object.fromEntries(
    Object.entries(patch).map(([name, value]) => {
      const link = partLink(type, name)
      if (link) return [name, partsWith(link, value, current?.[name])]
      return [name, isDocument(type, name) && isObject(value) ? documentWith(current?.[name], value) : value]
    }),
  )
}

function partsWith(link: Link, value: unknown, current: unknown): unknown {
  if (Array.isArray(value)) {
    const kept: readonly unknown[] = Array.isArray(current) ? current : []
    return value.map(item => {
      if (!isObject(item)) return item
      const known = hasId(item) ? kept.find(one => isObject(one) && isSame(link, one, item)) : undefined
      return part(link, item, known)
    })
  }
  // The one component is the one that is there, unless the patch names another.
  if (!isObject(value) || link.many || (isObject(current) && hasId(value) && !isSame(link, current, value)))
    return value
  return isObject(current) ? { ...(part(link, value, current) as Json), id: current.id } : part(link, value, undefined)
}

const isSame = ({ shape }: Link, one: Json, other: Json): boolean =>
  String(one.id) === String(other.id) && (shape !== 'zone' || one.__component === other.__component)

function part(link: Link, item: Json, current: unknown): unknown {
  const type = link.types().find(one => isOf(one, item, link))
  return type ? merged(type, item, isObject(current) ? current : undefined) : item
}

/** RFC 7396. */
function documentWith(target: unknown, patch: Json): Json {
  const result: Record<string, unknown> = isObject(target) ? { ...target } : {}
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key]
    else define(result, key, isObject(value) ? documentWith(own(result, key), value) : value)
  }
  return result
}

const own = (object: Json, key: string): unknown => (Object.hasOwn(object, key) ? object[key] : undefined)

/** A document may have a key with the name of the prototype. */
const define = (object: object, key: string, value: unknown): object =>
  Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true })
