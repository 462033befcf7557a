import { addAttribute, otherSideOf, removeAttribute, renameAttribute, setAttribute } from './attributes.js'
import { attributeOf, attributesOf, type Drawing } from './drawing.js'
import type { JsonObject } from './text.js'

/** A relation as it is drawn, from both ends at once. */
export interface DrawnRelation {
  readonly relation: string
  /** The type that it leads to; undefined where it may be any. */
  readonly target: string | undefined
  /** The attribute of the target that shows it from there; empty for none. */
  readonly other: string
}

const opposites: Readonly<Record<string, string>> = {
  oneToOne: 'oneToOne',
  oneToMany: 'manyToOne',
  manyToOne: 'oneToMany',
  manyToMany: 'manyToMany',
}

export const isMutual = (relation: string): boolean => Object.hasOwn(opposites, relation)
/** The relation leads to entries of any type. */
export const leadsAnywhere = (relation: string): boolean => relation === 'morphToOne' || relation === 'morphToMany'

/** The relations by which a type may be led to from any other: what morphOne and morphMany may be the other side of. */
export const morphsOf = (drawing: Drawing, target: string): readonly string[] =>
  attributesOf(drawing.type(target)?.schema).flatMap(([name, { type, relation }]) =>
    type === 'relation' && leadsAnywhere(String(relation)) ? [name] : [],
  )

/** The relation that an attribute is, as a form has it. */
export function relationIn(attribute: JsonObject): DrawnRelation {
  const { relation, target, inversedBy, mappedBy, morphBy } = attribute
  const other = inversedBy ?? mappedBy ?? morphBy
  return {
    relation: typeof relation === 'string' ? relation : 'manyToOne',
    target: typeof target === 'string' ? target : undefined,
    other: typeof other === 'string' ? other : '',
  }
}

/**
 * Draws a relation into both types that it links. An attribute that exists at the other end gets the other name, or goes
 * where the relation has no other side any more. The side that stored links belong to stays their owner.
 */
export function relate(
  drawing: Drawing,
  { uid, name }: { readonly uid: string; readonly name: string },
  options: JsonObject,
  to: DrawnRelation,
): Drawing {
  const before = otherSideOf(drawing, uid, name)
  const isKept = before !== undefined && before.uid === to.target && to.other !== '' && isMutual(to.relation)
  const settled = before && !isKept ? withoutOther(drawing, before) : drawing
  const named = isKept ? renameAttribute(settled, before.uid, before.name, to.other) : settled
  const former = attributeOf(named.type(uid), name)
  const owns = isOwner(former ?? {}, to)
  const own = put(named, uid, name, { ...withoutSides(options), ...sidesOf(to, owns ? 'inversedBy' : 'mappedBy') })
  if (!isMutual(to.relation) || to.other === '' || to.target === undefined) return own
  const other = attributeOf(own.type(to.target), to.other) ?? {}
  const back = { relation: opposites[to.relation] ?? to.relation, target: uid, other: name }
  return put(own, to.target, to.other, { ...withoutSides(other), ...sidesOf(back, owns ? 'mappedBy' : 'inversedBy') })
}

/** One of many leads to the one: there the links are stored, as another server has it. */
function isOwner({ inversedBy, mappedBy, relation }: JsonObject, to: DrawnRelation): boolean {
  if (mappedBy !== undefined && relation === to.relation) return false
  if (inversedBy !== undefined && relation === to.relation) return true
  return to.relation !== 'oneToMany'
}

const withoutOther = (drawing: Drawing, { uid, name }: { uid: string; name: string }): Drawing => {
  const other = otherSideOf(drawing, uid, name)
  const own = other && attributeOf(drawing.type(other.uid), other.name)
  const apart = other && own ? setAttribute(drawing, other.uid, other.name, withoutSides(own)) : drawing
  return removeAttribute(apart, uid, name)
}

function put(drawing: Drawing, uid: string, name: string, attribute: JsonObject): Drawing {
  const before = attributeOf(drawing.type(uid), name)
  if (before === undefined) return addAttribute(drawing, uid, name, attribute)
  return setAttribute(drawing, uid, name, inOrder(attribute, before))
}

/** The keys of an attribute keep their places. */
function inOrder(attribute: JsonObject, before: JsonObject): JsonObject {
  const kept = Object.keys(before).filter(key => Object.hasOwn(attribute, key))
  return Object.fromEntries(
    [...new Set([...kept, ...Object.keys(attribute)])].map(key => [key, attribute[key] ?? null]),
  )
}

function sidesOf({ relation, target, other }: DrawnRelation, side: 'inversedBy' | 'mappedBy'): JsonObject {
  const leads = { type: 'relation', relation, ...(target !== undefined && !leadsAnywhere(relation) && { target }) }
  if (other === '' || leadsAnywhere(relation)) return leads
  return { ...leads, [isMutual(relation) ? side : 'morphBy']: other }
}

function withoutSides(attribute: JsonObject): JsonObject {
  const { inversedBy: _, mappedBy: _mapped, morphBy: _morph, ...rest } = attribute
  return rest
}
