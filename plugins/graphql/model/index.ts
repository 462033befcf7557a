import { GraphQLBoolean, GraphQLNonNull, GraphQLObjectType, GraphQLSchema } from 'graphql'
import { BootError } from '../../../core/index.js'
import { isLink } from './attributes.js'
import { Catalogue } from './catalogue.js'
import { reserved } from './common.js'
import { madeTypes } from './made.js'
import { isName, nameOf } from './names.js'
import type { ModelParts, More } from './parts.js'
import { mutationsOf, queriesOf } from './roots.js'

export type { MadeTypes, ModelParts, ModelSettings, More } from './parts.js'

/** The schema of an app: its content as Strapi 4 names it, and the fields that others add. */
export function modelOf(parts: ModelParts): GraphQLSchema {
  const catalogue = new Catalogue(parts)
  checkNames(catalogue)
  const more = moreOf(parts, catalogue)
  const query = { ...(parts.settings.shadowCRUD && queriesOf(catalogue)), ...more.query }
  const mutation = { ...(parts.settings.shadowCRUD && mutationsOf(catalogue)), ...more.mutation }
  const isEmpty = Object.keys(query).length === 0
  return new GraphQLSchema({
    query: new GraphQLObjectType({ name: 'Query', fields: isEmpty ? { ok } : query }),
    mutation: Object.keys(mutation).length > 0 ? new GraphQLObjectType({ name: 'Mutation', fields: mutation }) : null,
    types: more.types ?? [],
  })
}

/** A schema has at least one field. */
const ok = { type: new GraphQLNonNull(GraphQLBoolean), resolve: () => true }

function moreOf({ more = {} }: ModelParts, catalogue: Catalogue): More {
  return typeof more === 'function' ? more(madeTypes(catalogue)) : more
}

function checkNames({ types, parts: { note } }: Catalogue): void {
  for (const type of types.values()) {
    const name = nameOf(type)
    if (reserved.includes(name))
      throw new BootError(
        `graphql: ${type.uid} would be called "${name}" in the schema, as the schema itself calls something; rename it, or disable the plugin graphql`,
      )
    for (const one of [...type.fields.values(), ...type.links.values()])
      if (!isName(one.name) && (one.readable || one.writable))
        note?.(
          `graphql: ${type.uid} has the ${isLink(one) ? 'relation' : 'attribute'} "${one.name}", which is no name in GraphQL: the schema does not have it`,
        )
  }
}
