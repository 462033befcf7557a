import {
  type GraphQLNamedType,
  isInputObjectType,
  isNamedType,
  isObjectType,
  isScalarType,
  specifiedScalarTypes,
} from 'graphql'
import { BootError, type ContentType } from '../../../core/index.js'
import type { Catalogue } from './catalogue.js'
import { filtersOf } from './filters.js'
import { inputOf } from './inputs.js'
import { nameOf } from './names.js'
import { attributesType, collection, relations, response } from './outputs.js'
import type { MadeTypes } from './parts.js'
import { date, dateTime, json, long, time, upload } from './scalars.js'

type Maker = (catalogue: Catalogue, type: ContentType) => GraphQLNamedType | undefined

const makers: Readonly<Record<string, Maker>> = {
  '': attributesType,
  EntityResponse: response,
  EntityResponseCollection: collection,
  RelationResponseCollection: relations,
  Input: inputOf,
  FiltersInput: filtersOf,
}

/** Finds types by their names for those who add fields; each is made when it is asked for. */
export function madeTypes(catalogue: Catalogue): MadeTypes {
  const scalars = [dateTime, date, time, long, json, upload, catalogue.localeCode, ...specifiedScalarTypes]
  const places = new Map<string, () => GraphQLNamedType | undefined>(scalars.map(type => [type.name, () => type]))
  for (const type of catalogue.types.values())
    for (const [suffix, make] of Object.entries(makers)) {
      const isWrapper = type.kind === 'component' && suffix.includes('Response')
      if (!isWrapper) places.set(nameOf(type) + suffix, () => make(catalogue, type))
    }
  const get = <T extends GraphQLNamedType>(name: string, is: (type: unknown) => type is T): T => {
    const type = places.get(name)?.()
    if (is(type)) return type
    throw new BootError(`graphql: a plugin adds a field that needs the type ${name}, which the schema does not have`)
  }
  return {
    idName: catalogue.shape.idName,
    one: name => {
      const type = [...catalogue.types.values()].find(one => nameOf(one) === name)
      return type ? catalogue.shape.one(catalogue, type) : get(name, isObjectType)
    },
    has: name => places.get(name)?.() !== undefined,
    any: name => get(name, isNamedType),
    object: name => get(name, isObjectType),
    input: name => get(name, isInputObjectType),
    scalar: name => get(name, isScalarType),
  }
}
