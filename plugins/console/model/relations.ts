import { keyOf, type SchemaAttribute, type SchemaType } from './schema.js'

/** A relation of a type, as it is told in a sentence. */
export interface ToldRelation {
  readonly from: SchemaType
  readonly attribute: string
  readonly kind: RelationKind
  /** The type that it leads to; undefined where it may be any, or one that is not there. */
  readonly to: SchemaType | undefined
  /** The attribute of the other side. */
  readonly other: string | undefined
}

export const relationKinds = [
  'oneToOne',
  'oneToMany',
  'manyToOne',
  'manyToMany',
  'morphToOne',
  'morphToMany',
  'morphOne',
  'morphMany',
] as const
export type RelationKind = (typeof relationKinds)[number]

/** The relations of types, those of creators and languages left out, which the server adds. */
export function relationsOf(types: readonly SchemaType[], all: readonly SchemaType[]): readonly ToldRelation[] {
  return types.flatMap(from =>
    from.attributes.filter(({ added }) => !added).flatMap(attribute => told(from, attribute, all) ?? []),
  )
}

/** Relations that lead to a type from others. */
export const relationsTo = (type: SchemaType, all: readonly SchemaType[]): readonly ToldRelation[] =>
  relationsOf(
    all.filter(one => one !== type),
    all,
  ).filter(({ to }) => to === type)

function told(
  from: SchemaType,
  { name: attribute, type, options }: SchemaAttribute,
  all: readonly SchemaType[],
): ToldRelation | undefined {
  const kind = relationKinds.find(one => one === options.relation)
  if (type !== 'relation' || kind === undefined) return undefined
  const other = options.inversedBy ?? options.mappedBy ?? options.morphBy
  return {
    ...{ from, attribute, kind },
    to: all.find(({ uid }) => uid === options.target),
    other: typeof other === 'string' ? other : undefined,
  }
}

export const typeOfKey = <T extends Pick<SchemaType, 'uid' | 'singular'>>(
  key: string,
  all: readonly T[],
): T | undefined => all.find(type => keyOf(type) === key) ?? all.find(({ uid }) => uid === key)
