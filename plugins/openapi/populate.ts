import type { ContentType, JsonSchema, JsonSchemaObject, Link } from '../../core/index.js'
import { filtersRef } from './filters.js'
import { anyOf, described, listOf, object, type Properties, sent } from './json.js'
import type { Schemas } from './schemas.js'
import { sentAs, truthRef } from './truth.js'

const word = { type: 'string' }

/** `populate` of a type: `*`, names separated by commas, a list of names, or an object with a query for each. */
export const populateSchema = (schemas: Schemas, type: ContentType): JsonSchemaObject =>
  anyOf({ ...word, description: '*, or names separated by commas' }, listOf(word), populateRef(schemas, type))

const populateRef = (schemas: Schemas, type: ContentType): JsonSchemaObject =>
  schemas.ofType(type, 'Populate', () => ({
    ...object(Object.fromEntries(readableLinks(type).map(link => [link.name, linkPopulate(schemas, link)])), []),
    ...exampleOf(type),
  }))

const readableLinks = ({ links }: ContentType): Link[] => [...links.values()].filter(link => link.readable)

/** True if a type has links to populate. */
export const canPopulate = (type: ContentType): boolean => readableLinks(type).length > 0

function exampleOf(type: ContentType): JsonSchemaObject {
  const [first] = readableLinks(type)
  return first ? { examples: [{ [first.name]: true }] } : {}
}

/** A short example of a populate that asks for more than names. */
export function populateExample(type: ContentType): unknown {
  const links = readableLinks(type)
  const deep = links.find(link => link.shape !== 'zone' && link.types().some(canPopulate))
  const [first] = links
  return deep ? { [deep.name]: { populate: '*' } } : first ? { [first.name]: true } : '*'
}

const asIs = (schemas: Schemas): JsonSchema[] => [truthRef(schemas), { type: 'string', enum: ['*'] }]

/** Schema of the `populate` of one attribute. */
function linkPopulate(schemas: Schemas, link: Link): JsonSchema {
  const types = link.types()
  const [type] = types
  const isVaried = link.shape === 'zone' || link.targets === undefined
  if (!isVaried && type) return anyOf(...asIs(schemas), nestedRef(schemas, type))
  return anyOf(...asIs(schemas), varied(schemas, types, link))
}

/** A zone, or a relation to any type: `on` asks each type its own way. */
function varied(schemas: Schemas, types: readonly ContentType[], link: Link): JsonSchemaObject {
  const { loosePolymorphicPopulate } = schemas.app.dialect
  const nested = types.map(type => [type.uid, anyOf(...asIs(schemas), nestedRef(schemas, type))] as const)
  const on =
    link.targets === undefined
      ? { type: 'object', additionalProperties: anyOf(...asIs(schemas), { type: 'object' }) }
      : object(Object.fromEntries(nested), [])
  const isLoose = loosePolymorphicPopulate && link.targets === undefined
  return object(
    {
      on: { ...on, description: 'what each type is asked, by its uid' },
      populate: anyOf(word, listOf(word), { type: 'object' }),
      ...(isLoose && { fields: anyOf(word, listOf(word)), sort: sortRef(schemas), filters: { type: 'object' } }),
    },
    [],
  )
}

/** The parameters inside the populate of a type. */
const nestedRef = (schemas: Schemas, type: ContentType): JsonSchemaObject =>
  schemas.ofType(type, 'Nested', () => {
    const { dialect } = schemas.app
    const { pagingInPopulate, countInPopulate } = dialect
    const paging = { start: { type: 'integer' }, limit: { type: 'integer' } }
    const counting = { count: described(truthRef(schemas), 'how many there are, in place of them') }
    return {
      ...object(
        { ...nestedParams(schemas, type), ...(pagingInPopulate && paging), ...(countInPopulate && counting) },
        [],
      ),
      ...(dialect.strictPopulate && { additionalProperties: false }),
    }
  })

function nestedParams(schemas: Schemas, type: ContentType): Properties {
  const own = ownParams(schemas, type)
  const taken = schemas.app.params.filter(
    ({ nested, types, name }) =>
      nested && (types === 'all' || types.includes(type.uid)) && (name !== 'populate' || canPopulate(type)),
  )
  return Object.fromEntries(
    taken.map(({ name, schema }) => [name, own[name]?.() ?? sentAs(schemas, sent(schema ?? {}))]),
  )
}

/** The parameters whose values depend on the type. */
export const ownParams = (schemas: Schemas, type: ContentType): Readonly<Record<string, () => JsonSchema>> => ({
  fields: () => fieldsSchema(schemas, type),
  sort: () => sortRef(schemas),
  filters: () => filtersRef(schemas, type),
  highlight: () => highlightSchema(type),
  populate: () => populateSchema(schemas, type),
})

/** Names of columns, one or a list; `*` is all of them. */
const fieldsSchema = (schemas: Schemas, type: ContentType): JsonSchemaObject => {
  const name = schemas.ofType(type, 'Field', () => {
    const fields = [...type.fields.values()].filter(({ readable }) => readable).map(({ name }) => name)
    return { ...word, enum: ['id', ...fields, '*'] }
  })
  return anyOf(listOf(name), name)
}

/** Names of fields that are searched, one or a list; `*` is all of them. */
const highlightSchema = ({ search }: ContentType): JsonSchemaObject => {
  const name = { ...word, enum: [...(search?.fields ?? []).map(field => field.name), '*'] }
  return anyOf(listOf(name), name)
}

/** Measures have names that stand on attributes of some types alone. */
const measured = ({ app }: Schemas): string =>
  app.operators
    .flatMap(({ name, types = [], describe }) =>
      types.map(
        type => `; attributes of the type ${type} as an object: \`{ "<field>": { "${name}": "..." } }\` (${describe})`,
      ),
    )
    .join('')

const measuresIn = ({ app }: Schemas): JsonSchemaObject => {
  const own = app.operators.filter(({ types }) => types !== undefined)
  if (own.length === 0) return {}
  return { properties: Object.fromEntries(own.map(({ name, describe }) => [name, { ...word, description: describe }])) }
}

const sortRef = (schemas: Schemas): JsonSchemaObject =>
  schemas.common('Sort', () => ({
    ...anyOf(listOf(anyOf(word, sortObject(schemas))), word, sortObject(schemas)),
    description: `\`<field>:asc\` or \`<field>:desc\`, also of relations: \`author.name:desc\`; several as a list. An object says the same: \`{ author: { name: desc } }\`${measured(schemas)}`,
    examples: [['id:desc'], [{ id: 'desc' }]],
  }))

/** Fields with their directions, relations with their fields, and measures with their operands. */
const sortObject = (schemas: Schemas): JsonSchemaObject =>
  schemas.common('SortObject', () => ({
    type: 'object',
    ...measuresIn(schemas),
    additionalProperties: anyOf({ ...word, pattern: '^([aA][sS][cC]|[dD][eE][sS][cC])$' }, sortObject(schemas)),
  }))
