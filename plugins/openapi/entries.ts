import type { ContentType, Field, JsonSchema, JsonSchemaObject, Link } from '../../core/index.js'
import { shapeOfField } from '../../core/plugin-kit.js'
import { anyOf, listOf, nullable, object, type Properties } from './json.js'
import type { Schemas } from './schemas.js'

/** The format of entries: `{ id, attributes }`, or one flat object. */
export type Style = 'nested' | 'plain'

const id = { type: 'integer', minimum: 1 }

/** An entry as a response has it at its root, or behind a relation. */
export function entryRef(schemas: Schemas, type: ContentType, style: Style): JsonSchemaObject {
  if (style === 'plain') return schemas.ofType(type, 'Plain', () => flat(schemas, type, 'plain'))
  return schemas.ofType(type, '', () => {
    const attributes = schemas.ofType(type, 'Attributes', () => object(attributesOf(schemas, type, 'nested'), []))
    const meta = schemas.app.dialect.entryMeta && { meta: metaOf(type) }
    return object({ id, attributes, ...meta }, ['id', 'attributes'])
  })
}

const flat = (schemas: Schemas, type: ContentType, style: Style): JsonSchemaObject =>
  object({ id, ...idTextsOf(schemas, type, style), ...attributesOf(schemas, type, style) }, ['id'])

/** The id of an entry under the names that formats give it as well. */
function idTextsOf({ app }: Schemas, { kind }: ContentType, style: Style): Properties {
  const names = app.formats.flatMap(({ entry, idText }) => (entry === style && idText !== undefined ? [idText] : []))
  if (kind === 'component') return {}
  return Object.fromEntries(names.map(name => [name, { type: 'string', description: 'the id as a text' }]))
}

/** Schema of the `meta` of each entry of a type, at the root of a response. */
function metaOf({ entryMeta }: ContentType): JsonSchemaObject {
  const listed = entryMeta.map(({ name, link, fields }) => {
    const [target] = link.types()
    const shown = fields.map(field => [field, target ? fieldSchema(target.fields.get(field)) : {}] as const)
    return [name, listOf(object({ id, ...Object.fromEntries(shown) }))] as const
  })
  return {
    type: 'object',
    description: 'what plugins list about the entry; only at the root of a response',
    ...(listed.length > 0
      ? { properties: Object.fromEntries(listed) }
      : { additionalProperties: listOf({ type: 'object' }) }),
  }
}

/** No attribute is required: `fields` chooses columns, and `populate` the links. */
function attributesOf(schemas: Schemas, type: ContentType, style: Style): Properties {
  const fields = [...type.fields.values()].filter(field => field.readable)
  const links = [...type.links.values()].filter(link => link.readable)
  return Object.fromEntries([
    ...fields.map(field => [field.name, fieldSchema(field)] as const),
    ...links.map(link => [link.name, linkSchema(schemas, link, style)] as const),
  ])
}

/** Any column may have no value: the entry may be unfinished, or older than the rule. */
const fieldSchema = (field: Field | undefined): JsonSchema => (field ? nullable(shapeOfField(field).read) : {})

/** Schema of a populated attribute. */
function linkSchema(schemas: Schemas, link: Link, style: Style): JsonSchema {
  const { shape, targets, only } = link
  const { plainPolymorphic } = schemas.app.dialect
  if (shape === 'zone') return zone(schemas, link, style)
  if (targets === undefined) {
    const isPlain = style === 'plain' || plainPolymorphic
    return placed(link, anyEntry(schemas, isPlain), isPlain)
  }
  const items = link.types().map(type => {
    if (only) return flatOnly(type, only)
    return type.kind === 'component' ? partRef(schemas, type, style) : entryRef(schemas, type, style)
  })
  const [item = {}] = items
  return placed(link, items.length > 1 ? anyOf(...items) : item, style === 'plain' || shape !== 'data')
}

/** A value or a list, in its envelope if it has one. */
function placed({ many, emptyIsNull }: Link, item: JsonSchema, isPlain: boolean): JsonSchema {
  const list = listOf(item)
  const value = many ? (emptyIsNull ? anyOf(list, { type: 'null' }) : list) : nullable(item)
  return isPlain ? value : object({ data: value })
}

const flatOnly = ({ fields }: ContentType, only: readonly string[]): JsonSchemaObject =>
  object({ id, ...Object.fromEntries(only.map(name => [name, fieldSchema(fields.get(name))])) }, ['id'])

/** A component where one kind of component stands. */
const partRef = (schemas: Schemas, type: ContentType, style: Style): JsonSchemaObject =>
  schemas.ofType(type, style === 'plain' ? 'Plain' : '', () => flat(schemas, type, style))

/** The components of a zone tell which they are. */
function zone(schemas: Schemas, link: Link, style: Style): JsonSchema {
  const suffix = style === 'plain' ? 'PlainInZone' : 'InZone'
  const parts = link.types().map(type => {
    const make = () => {
      const { properties, required } = flat(schemas, type, style) as { properties: Properties; required: string[] }
      const { id: first, ...rest } = properties
      return object({ id: first ?? id, __component: named(type), ...rest }, [...required, '__component'])
    }
    return [type.uid, schemas.ofType(type, suffix, make)] as const
  })
  return listOf(oneOfParts(parts))
}

/** The name of a component, as it tells the components of a zone apart. */
export const named = ({ uid }: ContentType): JsonSchemaObject => ({ type: 'string', const: uid, enum: [uid] })

/** A choice of components, told apart by their names. */
export function oneOfParts(parts: readonly (readonly [uid: string, ref: JsonSchemaObject])[]): JsonSchema {
  if (parts.length === 0) return false
  return {
    oneOf: parts.map(([, ref]) => ref),
    discriminator: {
      propertyName: '__component',
      mapping: Object.fromEntries(parts.map(([uid, { $ref }]) => [uid, $ref])),
    },
  }
}

/** An entry of a relation that leads to any type: `__type` says which. */
const anyEntry = (schemas: Schemas, isPlain: boolean): JsonSchemaObject =>
  schemas.common('AnyEntry', () => {
    const type = { __type: { type: 'string', description: 'the uid of the type' } }
    return isPlain
      ? { ...object({ id, ...type }, ['id']), additionalProperties: true }
      : object({ id, attributes: { ...object(type, []), additionalProperties: true } })
  })
