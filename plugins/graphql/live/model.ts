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

/** Tells the types whose changes are recorded. */
export type Records = (type: ContentType) => boolean

/** The schema with a root of `Subscription` for each type that has roots of `Query` and whose changes are recorded. */
export function withSubscription(schema: GraphQLSchema, records: Records): GraphQLSchema {
  const fields: GraphQLFieldConfigMap<unknown, OperationContext> = {}
  for (const root of Object.values(schema.getQueryType()?.getFields() ?? {})) {
    const meaning = root.extensions.stele
    if (meaning?.is !== 'list' && meaning?.is !== 'single') continue
    const { type } = meaning
    if (!records(type)) continue
    const entity = entryIn(getNamedType(root.type) as GraphQLObjectType)
    const filters = root.args.find(({ name }) => name === 'filters')
    fields[`${lowerFirst(nameOf(type))}Changed`] = {
      type: new GraphQLObjectType({
        name: `${nameOf(type)}Changed`,
        fields: {
          event: { type: new GraphQLNonNull(GraphQLString) },
          id: { type: new GraphQLNonNull(GraphQLID) },
          entity: { type: entity },
        },
      }),
      args: { id: { type: GraphQLID }, ...(filters && { filters: { type: filters.type } }) },
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
