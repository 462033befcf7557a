import {
  type GraphQLFieldConfigMap,
  GraphQLID,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLString,
  getNamedType,
} from 'graphql'
import type { ContentType } from '../../../core/index.js'
import type { OperationContext } from '../meaning.js'
import { lowerFirst, nameOf } from '../model/names.js'
import { idNamed, type Shape } from '../model/shape.js'

/** Tells the types whose changes are recorded. */
export type Records = (type: ContentType) => boolean

/** The schema with a root of `Subscription` for each type that has roots of `Query` and whose changes are recorded. */
export function withSubscription(
  schema: GraphQLSchema,
  records: Records,
  shape: Pick<Shape<never>, 'idName'>,
): GraphQLSchema {
  const fields: GraphQLFieldConfigMap<unknown, OperationContext> = {}
  for (const root of Object.values(schema.getQueryType()?.getFields() ?? {})) {
    const meaning = root.extensions.stele
    if (meaning?.is !== 'list' && meaning?.is !== 'single') continue
    const { type } = meaning
    const name = `${nameOf(type)}Changed`
    if (!records(type) || fields[lowerFirst(name)]) continue
    const entity = entryIn(getNamedType(root.type) as GraphQLObjectType)
    const filters = root.args.find(({ name }) => name === 'filters')
    fields[lowerFirst(name)] = {
      type: new GraphQLObjectType({
        name,
        fields: {
          event: { type: new GraphQLNonNull(GraphQLString) },
          [shape.idName]: { type: new GraphQLNonNull(GraphQLID), extensions: { stele: { is: 'id' } } },
          entity: { type: entity },
        },
      }),
      args: { ...idNamed(shape, GraphQLID), ...(filters && { filters: { type: filters.type } }) },
      extensions: { stele: { is: 'changed', type, permission: meaning.permission } },
    }
  }
  if (Object.keys(fields).length === 0) return schema
  const subscription = new GraphQLObjectType({ name: 'Subscription', fields })
  return new GraphQLSchema({ ...schema.toConfig(), subscription })
}

/** The type of the entries that an object is around. */
function entryIn(type: GraphQLObjectType): GraphQLObjectType {
  const held = Object.values(type.getFields()).find(({ extensions }) => extensions.stele?.is === 'held')
  return held ? (getNamedType(held.type) as GraphQLObjectType) : type
}
