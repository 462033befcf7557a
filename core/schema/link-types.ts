import { nearest } from '../kit/nearest.js'
import type { LinkPlace, LinkType } from './field-types.js'
import { isOfApp } from './foreign-targets.js'
import { snakeCase } from './names.js'
import type { AttributeBase, LinkSpec } from './types.js'

type Relation = AttributeBase & {
  relation: string
  target?: string
  inversedBy?: string
  mappedBy?: string
  morphBy?: string
  useJoinTable?: boolean
}

/** The schema of the attribute was checked before: it has a kind. */
const relationOf = ({ attribute }: LinkPlace): Relation => ({ ...attribute, relation: String(attribute.relation) })

/** A mistake that another server refuses as well, and that stops the start of its projects, too. */
export class Refusal {
  readonly sentence: string

  constructor(sentence: string) {
    this.sentence = sentence
  }
}

/** The type that a relation leads to. That of a relation which another one owns is not looked for in another server. */
function targetOf(place: LinkPlace, { target = '', mappedBy }: Relation): OtherType {
  try {
    return place.other(target)
  } catch (reason) {
    throw place.note && mappedBy === undefined && typeof reason === 'string' ? new Refusal(reason) : reason
  }
}

const relationKinds = [
  'oneToOne',
  'oneToMany',
  'manyToOne',
  'manyToMany',
  'morphToOne',
  'morphToMany',
  'morphOne',
  'morphMany',
]

const relation: LinkType = {
  name: 'relation',
  kind: 'link',
  options: {
    relation: { enum: relationKinds },
    target: { type: 'string' },
    mappedBy: { type: 'string' },
    inversedBy: { type: 'string' },
    morphBy: { type: 'string' },
    useJoinTable: { type: 'boolean' },
    autoPopulate: { type: 'boolean' },
  },
  check: ({ relation, target, morphBy, inversedBy, mappedBy }) => {
    if (!relationKinds.includes(String(relation))) return `relation must be one of ${relationKinds.join(', ')}`
    const anyTarget = relation === 'morphToOne' || relation === 'morphToMany'
    if (!anyTarget && target === undefined) return `a ${relation} relation needs a target`
    if ((relation === 'morphOne' || relation === 'morphMany') && morphBy === undefined)
      return `a ${relation} relation needs morphBy, the polymorphic attribute of its target`
    if (mappedBy === null) return 'mappedBy is null, so that it has no links'
    if (inversedBy !== undefined && mappedBy !== undefined) return 'inversedBy and mappedBy exclude each other'
    return undefined
  },
  link: place => {
    const attribute = relationOf(place)
    switch (attribute.relation) {
      case 'morphToOne':
        return morphToOne()
      case 'morphToMany':
        return morphToMany(place)
      case 'morphOne':
      case 'morphMany':
        return morphInverse(place, attribute)
      default:
        return between(place, attribute)
    }
  },
}

/** A relation between two known types; one table for both directions, named after the owning side. */
function between(place: LinkPlace, attribute: Relation): LinkSpec {
  const target = targetOf(place, attribute)
  const back = attribute.inversedBy ?? attribute.mappedBy
  if (isComponent(target.uid)) throw `a relation leads to a content type, and "${target.uid}" is a component`
  const inverse = back === undefined ? undefined : inverseOf(place, attribute, back)
  const inverseAttribute = inverse === undefined ? undefined : (target.attribute(inverse) as Relation | undefined)
  const many = attribute.relation.endsWith('ToMany')
  const owning = attribute.mappedBy === undefined && !isOverruled(place, target.uid, inverseAttribute)
  const table = owning
    ? linkTable({ ...place, to: target.singularName, kind: attribute.relation, mutual: back !== undefined })
    : linkTable({
        ...target,
        name: inverse ?? '',
        to: place.singularName,
        kind: inverseAttribute?.relation ?? '',
        mutual: true,
      })
  const { order, inverseOrder } = table
  const owner = owning ? attribute : inverseAttribute
  const inColumn = owner && isInColumn(owner) ? columnStorage(owning ? place.name : (inverse ?? ''), owning) : undefined
  return {
    many,
    shape: 'data',
    targets: [target.uid],
    exclusive: back !== undefined && attribute.relation.startsWith('oneTo'),
    owning,
    ...(inverseAttribute && { inverse: inverse as string }),
    storage:
      inColumn ??
      (owning
        ? {
            via: 'table',
            table: table.table,
            from: table.from,
            to: table.to,
            match: {},
            ...orders(order, inverseOrder),
          }
        : {
            via: 'table',
            table: table.table,
            from: table.to,
            to: table.from,
            match: {},
            ...orders(inverseOrder, order),
          }),
  }
}

/** The owner of a relation to one entry says that a column of its own table leads there, and no table between them. */
const isInColumn = ({ relation, useJoinTable }: Relation): boolean =>
  useJoinTable === false && relation.endsWith('ToOne')

/** The column is called after the attribute of the owner; the other side looks for its id there. */
function columnStorage(owner: string, owning: boolean): LinkSpec['storage'] {
  const column = `${snakeCase(owner)}_id`
  return owning ? { via: 'column', column } : { via: 'target', column, match: {} }
}

/** The attribute that shows the relation from its other end; undefined if none does. */
function inverseOf(place: LinkPlace, { target = '', mappedBy }: Relation, back: string): string | undefined {
  const other = place.other(target)
  const found = other.attribute(back) as Relation | undefined
  if (place.note === undefined) {
    checkBack(place, target, back, found)
    return back
  }
  if (mappedBy !== undefined) return ownerOf(place, other, back)
  if (!found && !isOfApp(target)) {
    // An attribute that code adds to a plugin's type in the project of another server is not known here, as that code is not run.
    place.note(`${target} has no attribute "${back}" here; the relation is served from this side only`)
    return undefined
  }
  const isThere = found ? String(found.type) === 'relation' : other.isUnserved(back)
  if (!isThere) throw new Refusal(noRelation(place, target, back))
  const owners = ownersOf(place.other(place.uid), back, target)
  const isBack = found?.mappedBy !== undefined || found?.inversedBy === place.name
  const isShown = isBack && found?.target === place.uid && owners.at(-1) === place.name
  if (!isShown)
    place.note(
      `"${back}" of ${target} does not show this relation; it is served from this side only: correct inversedBy`,
    )
  return isShown ? back : undefined
}

type OtherType = ReturnType<LinkPlace['other']>

/** The relations of a type that name an attribute of another as their other side. */
const ownersOf = (type: OtherType, back: string, target: string): string[] =>
  type.relations().filter(name => {
    const { inversedBy, target: to } = (type.attribute(name) ?? {}) as Partial<Relation>
    return inversedBy === back && to === target
  })

/** The owner of a relation. Another server shows the relation that names this side last, whichever this side names. */
function ownerOf(place: LinkPlace, target: OtherType, mappedBy: string): string {
  const owner = ownersOf(target, place.name, place.uid).at(-1)
  if (owner === undefined)
    throw `no relation of ${target.uid} to ${place.uid} says "inversedBy": "${place.name}", so that it has no links`
  if (owner !== mappedBy)
    place.note?.(
      `it shows the links of "${owner}" of ${target.uid}, which names it as its other side and comes last, not those of "${mappedBy}": correct inversedBy or mappedBy`,
    )
  return owner
}

const opposite: Record<string, string> = {
  oneToOne: 'oneToOne',
  oneToMany: 'manyToOne',
  manyToOne: 'oneToMany',
  manyToMany: 'manyToMany',
}

function checkBack(place: LinkPlace, target: string, back: string, found: Relation | undefined): void {
  const { relation, inversedBy: owns } = relationOf(place)
  if (!found || String(found.type) !== 'relation') throw noRelation(place, target, back)
  const { target: returns, inversedBy, mappedBy } = found
  if (returns !== place.uid) throw `"${back}" of ${target} leads to ${returns}, not back to ${place.uid}`
  if (found.relation !== opposite[relation])
    throw `"${back}" of ${target} is ${found.relation}; the other side of ${relation} must be ${opposite[relation]}`
  if ((inversedBy ?? mappedBy) !== place.name)
    throw `"${back}" of ${target} does not name "${place.name}" as its other side`
  if ((owns === undefined) === (inversedBy === undefined))
    throw `"${place.name}" and "${back}" of ${target} both say ${owns === undefined ? 'mappedBy' : 'inversedBy'}; one side owns the relation and says inversedBy, the other says mappedBy`
}

function noRelation(place: LinkPlace, target: string, back: string): string {
  const meant = nearest(back, place.other(target).relations())
  return `${target} has no relation "${back}"${meant === undefined ? '' : `; did you mean "${meant}"?`}`
}

/** True if both sides claim to own the relation and this one comes first: the later one owns it, as in the tables of another server. */
function isOverruled(place: LinkPlace, target: string, back: Relation | undefined): boolean {
  const { inversedBy } = relationOf(place)
  if (inversedBy === undefined || back?.inversedBy === undefined) return false
  const isFirst = place.uid === target ? standsBefore(place, inversedBy) : place.uid < target
  if (isFirst)
    place.note?.(
      `"${place.name}" and "${inversedBy}" of ${target} both say inversedBy; the latter comes last and is taken for the owner: check that the links are the right ones, and let "${place.name}" say mappedBy`,
    )
  return isFirst
}

/** Attributes of one type come in the order of its schema file. */
function standsBefore(place: LinkPlace, other: string): boolean {
  const names = place.other(place.uid).relations()
  return names.indexOf(place.name) < names.indexOf(other)
}

/** Components have uids of one dot: `shared.seo`. */
const isComponent = (uid: string): boolean => !uid.includes('::')

function componentOf(place: LinkPlace, uid: string): string {
  if (!isComponent(uid)) throw `"${uid}" is a content type, not a component`
  return place.other(uid).uid
}

/** A relation as the type that owns it says it. */
interface OwnedRelation {
  readonly table: string
  readonly name: string
  readonly singularName: string
  /** The singular name of the type at the other end. */
  readonly to: string
  readonly kind: string
  /** The other end shows the relation as well. */
  readonly mutual: boolean
}

function linkTable({ table, name, singularName, to, kind, mutual }: OwnedRelation) {
  const [own, other] = [snakeCase(singularName), snakeCase(to)]
  const order = kind.endsWith('ToMany') ? `${other}_order` : undefined
  let inverseOrder = mutual && kind.startsWith('manyTo') ? `${own}_order` : undefined
  if (order !== undefined && order === inverseOrder) inverseOrder = `inv_${inverseOrder}`
  return {
    table: `${table}_${snakeCase(name)}_links`,
    from: `${own}_id`,
    to: own === other ? `inv_${other}_id` : `${other}_id`,
    order,
    inverseOrder,
  }
}

const orders = (order: string | undefined, inverseOrder: string | undefined) => ({
  ...(order !== undefined && { order }),
  ...(inverseOrder !== undefined && { inverseOrder }),
})

function morphToOne(): LinkSpec {
  return {
    many: false,
    shape: 'data',
    targets: undefined,
    polymorphic: true,
    owning: true,
    storage: { via: 'column', column: 'target_id', typeColumn: 'target_type' },
  }
}

function morphTable(table: string, singular: string, name: string) {
  const column = snakeCase(name)
  return {
    table: `${table}_${column}_morphs`,
    own: `${snakeCase(singular)}_id`,
    id: `${column}_id`,
    type: `${column}_type`,
  }
}

function morphToMany(place: LinkPlace): LinkSpec {
  const { table, own, id, type } = morphTable(place.table, place.singularName, place.name)
  return {
    many: true,
    shape: 'data',
    targets: undefined,
    polymorphic: true,
    owning: true,
    storage: { via: 'table', table, from: own, to: id, typeColumn: type, order: 'order', match: {} },
  }
}

/** The other end of a polymorphic relation: it reads the rows that the relation stores. */
function morphInverse(place: LinkPlace, attribute: Relation): LinkSpec {
  const target = targetOf(place, attribute)
  const by = target.attribute(attribute.morphBy ?? '') as Relation | undefined
  const many = attribute.relation === 'morphMany'
  if (by?.relation === 'morphToOne')
    return {
      many,
      shape: 'data',
      targets: [target.uid],
      polymorphic: true,
      storage: { via: 'target', column: 'target_id', match: { target_type: place.uid } },
    }
  if (by?.relation !== 'morphToMany')
    throw `"${attribute.morphBy}" of ${target.uid} is not a polymorphic relation (morphToOne or morphToMany)`
  const morph = morphTable(target.table, target.singularName, attribute.morphBy ?? '')
  return {
    many,
    shape: 'data',
    targets: [target.uid],
    polymorphic: true,
    storage: {
      via: 'table',
      table: morph.table,
      from: morph.id,
      to: morph.own,
      order: 'order',
      match: { [morph.type]: place.uid, field: place.name },
    },
  }
}

const listBounds = { min: { type: 'integer', minimum: 0 }, max: { type: 'integer', minimum: 0 } }

const component: LinkType = {
  name: 'component',
  kind: 'link',
  options: { component: { type: 'string' }, repeatable: { type: 'boolean' }, ...listBounds },
  check: ({ component }) => (typeof component === 'string' ? undefined : 'component must name a component'),
  link: place => {
    const { table, name, attribute } = place
    const target = componentOf(place, String(attribute.component))
    return {
      many: attribute.repeatable === true,
      shape: 'inline',
      targets: [target],
      embedded: true,
      owning: true,
      open: true,
      storage: componentRows(table, { field: name, component_type: target }),
    }
  },
}

const dynamicZone: LinkType = {
  name: 'dynamiczone',
  kind: 'link',
  options: { components: { type: 'array', items: { type: 'string' } }, ...listBounds },
  check: ({ components }) =>
    Array.isArray(components) ? undefined : 'components must list the components of the zone',
  link: place => ({
    many: true,
    shape: 'zone',
    ...zoneTargets(place),
    embedded: true,
    owning: true,
    polymorphic: true,
    open: true,
    storage: { ...componentRows(place.table, { field: place.name }), typeColumn: 'component_type' },
  }),
}

/** A zone inside of a component stays as it is listed: it could lead to itself. */
function zoneTargets(place: LinkPlace): Pick<LinkSpec, 'targets' | 'listed'> {
  const listed = (place.attribute.components as string[]).flatMap(uid => zoneComponent(place, uid))
  return place.components && !isComponent(place.uid) ? { targets: place.components, listed } : { targets: listed }
}

/** Leaves a missing component out of a zone that another server serves without it. */
function zoneComponent(place: LinkPlace, uid: string): string[] {
  try {
    return [componentOf(place, uid)]
  } catch (reason) {
    if (!place.note || typeof reason !== 'string') throw reason
    place.note(`${reason}; the zone is served without it`)
    return []
  }
}

function componentRows(table: string, match: Record<string, string>) {
  return {
    via: 'table',
    table: `${table}_components`,
    from: 'entity_id',
    to: 'component_id',
    order: 'order',
    match,
  } as const
}

/** The attribute types of the specification that lead to other rows. */
export const linkTypes: readonly LinkType[] = [relation, component, dynamicZone]
