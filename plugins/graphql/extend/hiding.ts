import { type GraphQLSchema, isInputObjectType, isObjectType } from 'graphql'
import type { ContentType } from '../../../core/index.js'
import { nameOf } from '../model/names.js'
import type { Hides } from './sdl-parts.js'

/** The words of Strapi 4 for what roots do. */
const actions: Readonly<Record<string, string>> = { list: 'find', one: 'findOne', single: 'find', localize: 'create' }

/** Takes parts of the content out of a schema that has just been made. */
export function hide(schema: GraphQLSchema, hides: Hides): GraphQLSchema {
  const types = new Map<string, ContentType>()
  for (const type of Object.values(schema.getTypeMap())) {
    const stele = isObjectType(type) ? type.extensions.stele : undefined
    if (!isObjectType(type) || (stele?.part !== 'attributes' && stele?.part !== 'component')) continue
    types.set(nameOf(stele.type), stele.type)
    drop(type.getFields(), name => hides.attribute(stele.type, name, 'output'))
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

function drop(fields: Record<string, unknown>, isHidden: (name: string) => boolean): void {
  for (const name of Object.keys(fields)) if (isHidden(name)) delete fields[name]
}
