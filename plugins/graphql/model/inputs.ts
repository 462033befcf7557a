import {
  GraphQLError,
  GraphQLID,
  type GraphQLInputFieldConfigMap,
  GraphQLInputObjectType,
  type GraphQLInputType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLScalarType,
  Kind,
  type ValueNode,
  valueFromASTUntyped,
} from 'graphql'
import type { ContentType, Field, Link } from '../../../core/index.js'
import { attributesOf, isLink, wayOf } from './attributes.js'
import type { Catalogue } from './catalogue.js'
import { enumOf } from './enums.js'
import { scalarOf } from './filters.js'
import { nameOf, zoneNameOf } from './names.js'
import { attributesType } from './outputs.js'

/** `TInput`; undefined where a type has nothing that clients write. */
export function inputOf(catalogue: Catalogue, type: ContentType): GraphQLInputObjectType | undefined {
  const isPart = type.kind === 'component'
  if (!isPart && !attributesOf(type).some(one => isTaken(catalogue, one))) return undefined
  return catalogue.make(
    `${nameOf(type)}Input`,
    `the input of ${type.uid}`,
    name =>
      new GraphQLInputObjectType({
        name,
        fields: () => ({ ...(isPart && { id: { type: GraphQLID } }), ...valuesOf(catalogue, type) }),
      }),
  )
}

const isTaken = (catalogue: Catalogue, one: Field | Link): boolean => {
  if (!one.writable) return false
  const way = isLink(one) ? wayOf(one, catalogue.has) : undefined
  return !isLink(one) || (way !== undefined && way.is !== 'any')
}

const valuesOf = (catalogue: Catalogue, type: ContentType): GraphQLInputFieldConfigMap =>
  Object.fromEntries(
    attributesOf(type).flatMap(one => {
      const input = isTaken(catalogue, one) ? fieldInput(catalogue, type, one) : undefined
      return input ? [[one.name, { type: input }]] : []
    }),
  )

function fieldInput(catalogue: Catalogue, type: ContentType, one: Field | Link): GraphQLInputType | undefined {
  if (!isLink(one)) return enumOf(catalogue, type, one) ?? scalarOf(one)
  const way = wayOf(one, catalogue.has)
  if (way === undefined || way.is === 'any') return undefined
  if (way.is === 'zone') return new GraphQLList(new GraphQLNonNull(zoneInput(catalogue, type, one)))
  const item = way.is === 'component' ? inputOf(catalogue, way.target) : GraphQLID
  return item && (one.many ? new GraphQLList(item) : item)
}

/** The scalar of the components of a zone: objects with `__typename`, which become what REST takes. */
function zoneInput(catalogue: Catalogue, type: ContentType, link: Link): GraphQLScalarType {
  return catalogue.make(`${zoneNameOf(type, link.name)}Input`, `the input of ${link.name} of ${type.uid}`, name => {
    const way = wayOf(link, catalogue.has)
    const targets = way?.is === 'zone' ? way.targets : []
    const uids = new Map(targets.map(target => [attributesType(catalogue, target).name, target.uid]))
    return new GraphQLScalarType({
      name,
      parseValue: value => partOf(value, uids),
      parseLiteral: (node, variables) => {
        if (node.kind !== Kind.OBJECT) throw notAPart(uids, node)
        const value = valueFromASTUntyped(node, variables) as Readonly<Record<string, unknown>>
        // Literals are checked before there are variables.
        const isOpen = variables === undefined && isVariable(node, '__typename')
        return isOpen ? value : partOf(value, uids, node)
      },
    })
  })
}

const isVariable = (node: ValueNode, name: string): boolean =>
  node.kind === Kind.OBJECT &&
  node.fields.some(field => field.name.value === name && field.value.kind === Kind.VARIABLE)

function partOf(value: unknown, uids: ReadonlyMap<string, string>, node?: ValueNode): Record<string, unknown> {
  const { __typename: name, ...rest } = (value ?? {}) as Record<string, unknown>
  const uid = typeof name === 'string' ? uids.get(name) : undefined
  if (uid === undefined) throw notAPart(uids, node)
  return { ...rest, __component: uid }
}

const notAPart = (uids: ReadonlyMap<string, string>, node?: ValueNode): GraphQLError =>
  new GraphQLError(
    `Component not found. A component is an object with __typename, expected one of: ${[...uids.keys()].join(', ')}`,
    node && { nodes: [node] },
  )
