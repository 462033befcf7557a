import { GraphQLBoolean, type GraphQLNamedType, GraphQLNonNull, GraphQLObjectType, GraphQLSchema } from 'graphql'
import { BootError } from '../../../core/index.js'
import { Catalogue } from './catalogue.js'
import { madeTypes } from './made.js'
import { isName } from './names.js'
import type { ModelParts, More } from './parts.js'
import { mutationsOf, queriesOf } from './roots.js'
import { shapeOf } from './shapes.js'

export type { MadeTypes, ModelParts, ModelSettings, More, OwnFields } from './parts.js'

/** The schema of an app: its content as Strapi 4 names it, and the fields that others add. */
export function modelOf(parts: ModelParts): GraphQLSchema {
  const catalogue = new Catalogue(parts, shapeOf(parts.settings))
  const { shadowCRUD } = parts.settings
  checkNames(catalogue)
  const more = moreOf(parts, catalogue)
  const query = { ...(shadowCRUD && queriesOf(catalogue)), ...more.query }
  const mutation = { ...(shadowCRUD && mutationsOf(catalogue)), ...more.mutation }
  return schemaOf(
    new GraphQLObjectType({ name: 'Query', fields: Object.keys(query).length > 0 ? query : { ok } }),
    Object.keys(mutation).length > 0 ? new GraphQLObjectType({ name: 'Mutation', fields: mutation }) : null,
    more.types ?? [],
  )
}

/** A schema has at least one field. */
const ok = { type: new GraphQLNonNull(GraphQLBoolean), resolve: () => true }

/** A schema of everything that the roots lead to. */
function schemaOf(query: GraphQLObjectType, mutation: GraphQLObjectType | null, types: readonly GraphQLNamedType[]) {
  try {
    return new GraphQLSchema({ query, mutation, types })
  } catch (error) {
    if (error instanceof BootError) throw error
    throw new BootError(`graphql: no schema can be made of the content types and what plugins add: ${error}`)
  }
}

const moreOf = ({ more = {} }: ModelParts, catalogue: Catalogue): More =>
  typeof more === 'function' ? more(madeTypes(catalogue)) : more

function checkNames({ types, shape, parts: { note, isLenient } }: Catalogue): void {
  for (const type of types.values())
    for (const { name, readable, writable } of [...type.fields.values(), ...type.links.values()]) {
      if (!isName(name) && (readable || writable))
        note?.(`graphql: the schema leaves out "${name}" of ${type.uid}, as that is no name in GraphQL`)
      if (!shape.isTaken(type, name)) continue
      const problem = `graphql: the attribute "${name}" of ${type.uid} has the name of another field in the shape "flat"`
      if (!isLenient) throw new BootError(`${problem}; rename it, or set graphql.config.shape to "v4"`)
      note?.(`${problem}; the schema leaves it out`)
    }
}
