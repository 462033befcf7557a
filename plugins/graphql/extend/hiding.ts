import {
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  isInputObjectType,
  isObjectType,
  isUnionType,
} from 'graphql'
import type { ContentType } from '../../../core/index.js'
import { nameOf } from '../model/names.js'
import type { Hides } from './sdl-parts.js'

/** The words of Strapi 4 for what roots do. */
const actions: Readonly<Record<string, string>> = { list: 'find', one: 'findOne', single: 'find', localize: 'create' }

const ofAttributes: readonly string[] = ['attributes', 'entry', 'component']

/** Takes parts of the content out of a schema that has just been made. */
export function hide(schema: GraphQLSchema, hides: Hides): GraphQLSchema {
  const types = new Map<string, ContentType>()
  for (const type of Object.values(schema.getTypeMap())) {
    if (isUnionType(type)) dropMembers(type.getTypes() as GraphQLObjectType[], hides)
    const stele = isObjectType(type) ? type.extensions.stele : undefined
    if (!isObjectType(type) || !stele || !ofAttributes.includes(stele.part)) continue
    types.set(nameOf(stele.type), stele.type)
    const fields = type.getFields()
    drop(fields, name => hides.attribute(stele.type, attributeOf(fields[name]) ?? name, 'output'))
  }
  for (const [suffix, place] of [['Input', 'input'] as const, ['FiltersInput', 'filters'] as const])
    for (const [name, type] of types) {
      const input = schema.getType(name + suffix)
      if (isInputObjectType(input)) drop(input.getFields(), field => hides.attribute(type, field, place))
    }
  for (const root of [schema.getQueryType(), schema.getMutationType()]) {
    const fields = root?.getFields() ?? {}
    drop(fields, name => {
      const meaning = fields[name]?.extensions.stele
      if (!meaning || !('permission' in meaning)) return false
      return hides.action(meaning.type, actions[meaning.is] ?? meaning.is)
    })
  }
  return schema
}

/** The attribute that a field shows: a relation may be shown by two. */
function attributeOf(field: GraphQLField<unknown, unknown> | undefined): string | undefined {
  const meaning = field?.extensions.stele
  return meaning && 'name' in meaning ? meaning.name : undefined
}

function dropMembers(members: GraphQLObjectType[], hides: Hides): void {
  const shown = members.filter(({ extensions: { stele } }) => !stele || !hides.type(stele.type))
  members.splice(0, members.length, ...shown)
}

function drop(fields: Record<string, unknown>, isHidden: (name: string) => boolean): void {
  for (const name of Object.keys(fields)) if (isHidden(name)) delete fields[name]
}
