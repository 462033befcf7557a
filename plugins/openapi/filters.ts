import type {
  ContentType,
  Field,
  JsonSchema,
  JsonSchemaObject,
  Link,
  OperatorFamily,
  OperatorOutline,
} from '../../core/index.js'
import { isFilterable, shapeOfField } from '../../core/plugin-kit.js'
import { anyOf, described, listOf, object, type Properties } from './json.js'
import { pascal } from './names.js'
import type { Schemas } from './schemas.js'
import { sentAs, truthRef } from './truth.js'

/** `filters` of a type: its columns, the types behind its relations, and groups of these. */
export const filtersRef = (schemas: Schemas, type: ContentType): JsonSchemaObject =>
  schemas.ofType(type, 'Filters', () => {
    const self = filtersRef(schemas, type)
    return {
      ...object({ ...conditions(schemas, type), ...groups(schemas, self) }, []),
      additionalProperties: false,
      examples: [exampleOf(type)],
    }
  })

/** Recursive schemas have a short example each, as tools make up endless ones. */
export function exampleOf({ fields }: ContentType): JsonSchemaObject {
  const text = [...fields.values()].find(({ readable, type }) => readable && type.operators === 'text')
  return text && !('enum' in Object(shapeOfField(text).operand))
    ? { [text.name]: { $containsi: 'bread' } }
    : { id: { $in: [1, 2] } }
}

function conditions(schemas: Schemas, type: ContentType, only?: readonly string[]): Properties {
  const fields = [...type.fields.values()].filter(({ readable, name }) => readable && (only?.includes(name) ?? true))
  const links = only ? [] : [...type.links.values()].filter(link => isFilterable(link, schemas.app.dialect))
  return Object.fromEntries([
    ['id', idFilter(schemas)] as const,
    ...fields.map(field => [field.name, fieldFilter(schemas, field)] as const),
    ...links.map(link => [link.name, linkFilter(schemas, link)] as const),
  ])
}

/** Filter on the entries behind a relation, or on its id. */
function linkFilter(schemas: Schemas, link: Link): JsonSchema {
  const [target] = link.types()
  if (!target) return idFilter(schemas)
  const behind = link.only
    ? { ...object(conditions(schemas, target, link.only), []), additionalProperties: false }
    : filtersRef(schemas, target)
  return anyOf(behind, idFilter(schemas))
}

/** An id of an entry: requests may send it as text. */
export const idRef = (schemas: Schemas): JsonSchemaObject =>
  schemas.common('Id', () => anyOf({ type: 'integer' }, { type: 'string', pattern: '^-?\\d{1,15}$' }))

const idFilter = (schemas: Schemas): JsonSchemaObject =>
  schemas.common('IdFilter', () => filterOf(schemas, idRef(schemas), { family: 'order' }, () => idFilter(schemas)))

function fieldFilter(schemas: Schemas, field: Field): JsonSchema {
  const operand = sentAs(schemas, shapeOfField(field).operand)
  const { operators: family, name } = field.type
  const measured = schemas.app.operators.filter(({ types }) => types?.includes(field.type.name))
  const make = () => filterOf(schemas, operand, { family, measured }, ref)
  const key = [family, JSON.stringify(operand), ...(measured.length > 0 ? [field.type.name] : [])].join(' ')
  const isText = key === `text ${JSON.stringify(text)}`
  const ref = (): JsonSchemaObject =>
    isText ? schemas.common('TextFilter', make) : schemas.shared(`filter ${key}`, `${pascal(name)}Filter`, make)
  return ref()
}

/** The filter of an attribute: a value, a list of values, or the operators for this kind. */
function filterOf(
  schemas: Schemas,
  operand: JsonSchema,
  { family, measured = [] }: { readonly family: OperatorFamily; readonly measured?: readonly OperatorOutline[] },
  self: () => JsonSchemaObject,
): JsonSchemaObject {
  const nothing = { type: 'null' }
  const values: Readonly<Record<string, JsonSchema>> = {
    one: anyOf(operand, listOf(operand), nothing),
    list: anyOf(listOf(operand), operand),
    two: { ...listOf(operand), minItems: 2, maxItems: 2 },
    flag: truthRef(schemas),
    group: self(),
    groups: listOf(self()),
  }
  const rows = schemas.app.operators
    .filter(({ families }) => families.includes(family))
    .map(({ name, describe, takes, families }) => {
      // A text-only operator compares with a part of a text, which may be no value of the attribute.
      const value = families.every(one => one === 'text') ? anyOf(text, listOf(text)) : values[takes]
      return [name, described(value ?? {}, describe)] as const
    })
  const own = measured.map(({ name, describe, schema = text }) => [name, described(schema, describe)] as const)
  return anyOf(operand, listOf(operand), nothing, {
    ...object(Object.fromEntries([...rows, ...own]), []),
    additionalProperties: false,
  })
}

const text = { type: 'string' }

/** `$and`, `$or` and `$not` around conditions on a type. */
const groups = ({ app }: Schemas, self: JsonSchemaObject): Properties =>
  Object.fromEntries(
    app.operators
      .filter(({ takes }) => takes === 'group' || takes === 'groups')
      .map(({ name, takes, describe }) => [name, described(takes === 'groups' ? listOf(self) : self, describe)]),
  )
