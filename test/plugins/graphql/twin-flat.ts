import {
  type GraphQLFieldResolver,
  GraphQLObjectType,
  type GraphQLResolveInfo,
  getNamedType,
  getNullableType,
  isListType,
} from 'graphql'
import { type Body, kinds } from './twin-rows.js'

type Resolver = GraphQLFieldResolver<unknown, unknown>
type Args = Readonly<Record<string, unknown>>

/** Answers the fields of the flat shape: each asks for what is the same in the other shape, and takes away what is around entries. */
export const flattened =
  (inner: Resolver): Resolver =>
  async (source, args, context, info) => {
    const { parentType, returnType, schema } = info
    if (parentType.name.endsWith('Collection')) return (source as Body)[info.fieldName]
    const fieldName = info.fieldName.replace(/_connection$/, '')
    const named = getNamedType(returnType).name
    const type = named.replace(/(Entity|Relation)ResponseCollection$/, '')
    const ask = (about: Partial<GraphQLResolveInfo>) => inner(source, v4Args(args), context, { ...info, ...about })
    if (fieldName === 'documentId') return ask({ fieldName: 'id' })
    if (!Object.hasOwn(kinds, type)) return ask({})
    const isMany = named !== type || isListType(getNullableType(returnType))
    const isRoot = parentType === schema.getQueryType()
    const wrapper = isMany ? `${isRoot ? 'Entity' : 'Relation'}ResponseCollection` : 'EntityResponse'
    const { data, meta }: Body = await ask({
      fieldName,
      returnType: new GraphQLObjectType({ name: type + wrapper, fields: {} }),
    })
    return named === type ? data : { nodes: data, pageInfo: meta?.pagination }
  }

function v4Args({ documentId, status, filters, sort, ...rest }: Args): Record<string, unknown> {
  return {
    ...rest,
    ...(documentId !== undefined && { id: documentId }),
    ...(status !== undefined && { publicationState: status === 'DRAFT' ? 'PREVIEW' : 'LIVE' }),
    ...(filters !== undefined && { filters: withoutDocuments(filters) }),
    ...(sort !== undefined && { sort: JSON.parse(JSON.stringify(sort).replaceAll('documentId', 'id')) }),
  }
}

function withoutDocuments(filters: unknown): unknown {
  if (Array.isArray(filters)) return filters.map(withoutDocuments)
  if (typeof filters !== 'object' || filters === null) return filters
  return Object.fromEntries(
    Object.entries(filters).map(([name, value]) => [name === 'documentId' ? 'id' : name, withoutDocuments(value)]),
  )
}
