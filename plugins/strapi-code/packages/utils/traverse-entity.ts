import type { Bag, Loose } from '../../types.js'
import { isMorphTo, type Model } from './content-types.js'

/** A place in an entry, as visitors are told it. */
export interface Visit {
  readonly data: Bag
  readonly schema: Model
  readonly key: string
  readonly value: Loose
  readonly attribute: Bag | undefined
  readonly path: { readonly raw: string; readonly attribute: string | null }
}

export interface Changes {
  remove(key: string): void
  set(key: string, value: Loose): void
}

export type Visitor = (at: Visit, changes: Changes) => Loose

export interface TraverseOptions {
  readonly schema: Model | undefined
  readonly path?: Visit['path']
  readonly getModel?: ((uid: string) => Model | undefined) | undefined
}

type ModelOf = (uid: string) => Model | undefined

const modelOf: ModelOf = uid => (globalThis as Bag).strapi?.getModel(uid)
const top: Visit['path'] = { raw: '', attribute: null }

/** Walks over an entry with all that is populated: what it gives is a copy, in which visitors have removed or set keys. */
export async function traverse(visitor: Visitor, options: TraverseOptions, entity: Loose): Promise<Loose> {
  const { schema, path = top, getModel = modelOf } = options
  if (!isPlain(entity) || !schema) return entity
  const copy: Bag = { ...entity }
  for (const key of Object.keys(copy)) {
    const attribute: Bag | undefined = schema.attributes?.[key]
    const here = {
      raw: path.raw === '' ? key : `${path.raw}.${key}`,
      attribute: attribute ? (path.attribute === null ? key : `${path.attribute}.${key}`) : path.attribute,
    }
    const changes: Changes = {
      remove: name => {
        delete copy[name]
      },
      set: (name, value) => {
        copy[name] = value
      },
    }
    await visitor({ data: copy, schema, key, value: copy[key], attribute, path: here }, changes)
    const value = copy[key]
    if (value === undefined || value === null || !attribute) continue
    const into = (uid: string | undefined) => (one: Loose) =>
      uid === undefined ? one : traverse(visitor, { schema: getModel(uid), path: here, getModel }, one)
    copy[key] = await below(attribute, value, into)
  }
  return copy
}

type Into = (uid: string | undefined) => (one: Loose) => Loose

/** The value behind an attribute, walked over with the type that it has. */
function below(attribute: Bag, value: Loose, into: Into): Loose {
  switch (attribute.type) {
    case 'relation':
      return isMorphTo(attribute) ? each(value, one => into(one?.__type)(one)) : each(value, into(attribute.target))
    case 'media':
      return each(value, into('plugin::upload.file'))
    case 'component':
      return each(value, into(attribute.component))
    case 'dynamiczone':
      return each(value, one => into(one?.__component)(one))
    default:
      return value
  }
}

const each = (value: Loose, work: (one: Loose) => Loose): Loose =>
  Array.isArray(value) ? Promise.all(value.map(work)) : work(value)

export const isPlain = (value: Loose): value is Bag =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)

/** `traverseEntity(visitor, options, entity)`, of which the last may come later. */
export const traverseEntity = (visitor: Visitor, options: TraverseOptions, ...entity: [Loose?]): Loose =>
  entity.length > 0 ? traverse(visitor, options, entity[0]) : (later: Loose) => traverse(visitor, options, later)
