import {
  type GraphQLFieldConfigArgumentMap,
  GraphQLInputObjectType,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
} from 'graphql'

const count = () => ({ type: new GraphQLNonNull(GraphQLInt) })

export const pagination = new GraphQLObjectType({
  name: 'Pagination',
  fields: { total: count(), page: count(), pageSize: count(), pageCount: count() },
})

/** The last member of the union of every zone; only a zone that lists no components answers it. */
export const zoneError = new GraphQLObjectType({
  name: 'Error',
  fields: { code: { type: new GraphQLNonNull(GraphQLString) }, message: { type: GraphQLString } },
})

export const paginationArg = new GraphQLInputObjectType({
  name: 'PaginationArg',
  fields: {
    page: { type: GraphQLInt },
    pageSize: { type: GraphQLInt },
    start: { type: GraphQLInt },
    limit: { type: GraphQLInt },
  },
})

export const pageArgs = {
  pagination: { type: paginationArg, defaultValue: {} },
  sort: { type: new GraphQLList(GraphQLString), defaultValue: [] },
} satisfies GraphQLFieldConfigArgumentMap

/** Names of every schema that belong to no content. */
export const reserved: readonly string[] = [
  ...['Query', 'Mutation', 'Subscription', 'Error', 'Pagination'],
  ...['PaginationArg', 'DateTime', 'Date', 'Time', 'Long', 'JSON', 'Upload', 'I18NLocaleCode'],
  ...['ID', 'Int', 'Float', 'String', 'Boolean'],
]
