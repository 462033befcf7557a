import { type GraphQLNamedType, GraphQLObjectType, GraphQLSchema, isObjectType, validateSchema } from 'graphql'
import { BootError } from '../../../core/index.js'
import { type Records, withSubscription } from '../live/model.js'
import { type ModelParts, type More, modelOf, type OwnFields } from '../model/index.js'
import type { MadeTypes } from '../model/parts.js'
import { shapeOf } from '../model/shapes.js'
import type { Addition, Extensions } from './extensions.js'
import { hide } from './hiding.js'
import { extendByText, namesIn } from './sdl.js'

/** The schema of an app with everything that plugins add to it. */
export function extendedModel(
  parts: ModelParts & { readonly records?: Records | undefined },
  extensions: Extensions,
): GraphQLSchema {
  const { makers, texts } = extensions.read()
  const fields: Readonly<Record<string, OwnFields>>[] = []
  let kept: readonly GraphQLNamedType[] = []
  const more = (made: MadeTypes): More => {
    const own = typeof parts.more === 'function' ? parts.more(made) : (parts.more ?? {})
    const added = makers.map(make => make(made))
    fields.push(...added.map(one => one.fields ?? {}))
    // Texts may name types of the content that nothing else leads to.
    const named = texts.flatMap(text => namesIn(text)).filter(name => made.has(name))
    const all = joined([own, ...added, { types: named.map(name => made.any(name)) }])
    kept = all.types ?? []
    return all
  }
  let schema = modelOf({ ...parts, more })
  for (const byType of fields) for (const [name, added] of Object.entries(byType)) addFields(schema, name, added)
  if (fields.some(byType => Object.keys(byType).length > 0)) schema = again(schema, kept)
  for (const { hides } of texts) if (hides) schema = again(hide(schema, hides), kept)
  if (parts.records) schema = withSubscription(schema, parts.records, shapeOf(parts.settings))
  for (const text of texts) schema = extendByText(schema, text, parts.note)
  return valid(schema)
}

/** Requests would find out otherwise, each of them. */
function valid(schema: GraphQLSchema): GraphQLSchema {
  const [problem] = validateSchema(schema)
  if (problem) throw new BootError(`graphql: the schema is none: ${problem.message}`)
  return schema
}

/** The schema with the types that its roots lead to by now, and these. */
function again(schema: GraphQLSchema, types: readonly GraphQLNamedType[]): GraphQLSchema {
  const [query, mutation] = [schema.getQueryType(), schema.getMutationType()].map(type =>
    type && Object.keys(type.getFields()).length > 0 ? type : null,
  )
  return new GraphQLSchema({ query, mutation, types })
}

function joined(parts: readonly Addition[]): More {
  for (const root of ['query', 'mutation'] as const) {
    const seen = new Set<string>()
    for (const name of parts.flatMap(part => Object.keys(part[root] ?? {}))) {
      if (seen.has(name)) throw new BootError(`graphql: two plugins add the field "${name}" to ${root}`)
      seen.add(name)
    }
  }
  return {
    query: Object.assign({}, ...parts.map(part => part.query)),
    mutation: Object.assign({}, ...parts.map(part => part.mutation)),
    types: [...new Set(parts.flatMap(part => part.types ?? []))],
  }
}

function addFields(schema: GraphQLSchema, name: string, fields: OwnFields): void {
  const type = schema.getType(name)
  if (!isObjectType(type))
    throw new BootError(`graphql: a plugin adds fields to ${name}, which is no object type of the schema`)
  const made = new GraphQLObjectType({ name, fields }).getFields()
  for (const field of Object.values(made))
    if (field.resolve && !field.extensions.stele)
      Object.assign(field, { extensions: { ...field.extensions, own: true } })
  Object.assign(type.getFields(), made)
}
