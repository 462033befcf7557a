import {
  GraphQLEnumType,
  type GraphQLFieldConfigArgumentMap,
  GraphQLInputObjectType,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
} from 'graphql'

const count = () => ({ type: new GraphQLNonNull(GraphQLInt) })

const pagination = new GraphQLObjectType({
  name: 'Pagination',
  fields: { total: count(), page: count(), pageSize: count(), pageCount: count() },
})

export const collectionMeta = new GraphQLObjectType({
  name: 'ResponseCollectionMeta',
  fields: { pagination: { type: new GraphQLNonNull(pagination), extensions: { stele: { is: 'same' } } } },
})

/** The last member of the union of every zone; only a zone that lists no components answers it. */
export const zoneError = new GraphQLObjectType({
  name: 'Error',
  fields: { code: { type: new GraphQLNonNull(GraphQLString) }, message: { type: GraphQLString } },
})

export const publicationState = new GraphQLEnumType({
  name: 'PublicationState',
  values: { LIVE: {}, PREVIEW: {} },
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

export const pageArgs: GraphQLFieldConfigArgumentMap = {
  pagination: { type: paginationArg, defaultValue: {} },
  sort: { type: new GraphQLList(GraphQLString), defaultValue: [] },
}

export const stateArgs: GraphQLFieldConfigArgumentMap = {
  publicationState: { type: publicationState, defaultValue: 'LIVE' },
}

/** Names of the schema that belong to no content. */
export const reserved: ReadonlySet<string> = new Set([
  ...['Query', 'Mutation', 'Subscription', 'Error', 'Pagination', 'ResponseCollectionMeta', 'PublicationState'],
  ...['PaginationArg', 'DateTime', 'Date', 'Time', 'Long', 'JSON', 'Upload', 'I18NLocaleCode'],
  ...['ID', 'Int', 'Float', 'String', 'Boolean'],
])
