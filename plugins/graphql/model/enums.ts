import { GraphQLEnumType } from 'graphql'
import type { ContentType, Field } from '../../../core/index.js'
import type { Catalogue } from './catalogue.js'
import { enumNameOf, membersOf } from './names.js'

/** The enum of an attribute; its values are the stored texts. Undefined for other attributes. */
export function enumOf(catalogue: Catalogue, type: ContentType, field: Field): GraphQLEnumType | undefined {
  const { enum: texts } = field.attribute
  if (field.type.name !== 'enumeration' || !Array.isArray(texts)) return undefined
  return catalogue.make(enumNameOf(type, field), `the enum of ${texts.join(', ')}`, name => {
    const members = [...membersOf(texts)].map(([member, value]) => [member, { value }] as const)
    return new GraphQLEnumType({ name, values: Object.fromEntries(members) })
  })
}
