import type { ContentType, Field, JsonSchema, JsonSchemaObject, Link } from '../../core/index.js'
import { isInput, isRequired, shapeOfField } from '../../core/plugin-kit.js'
import { named, oneOfParts } from './entries.js'
import { idRef } from './filters.js'
import { anyOf, described, listOf, nullable, object, type Properties, sent } from './json.js'
import type { Schemas } from './schemas.js'

/** Tells whether `data` creates an entry, and whether all of it. */
interface InputOptions {
  readonly creates: boolean
  /** Required values of a new entry have to be there. */
  readonly required: boolean
}

/** The `data` that creates an entry, whole or in part, or that changes one. */
export const inputRef = (
  schemas: Schemas,
  type: ContentType,
  { creates, required: isWhole }: InputOptions,
): JsonSchemaObject =>
  schemas.ofType(type, isWhole ? 'Create' : creates ? 'CreatePartial' : 'Update', () => {
    const data = object(inputsOf(schemas, type, creates), [])
    const required = isWhole ? requiredOf(type, schemas) : []
    return required.length === 0 ? data : { ...data, ...demanding(schemas, type, required) }
  })

/** Schema of required attributes; a draft, which a plugin hides from readers until it is finished, may lack them. */
function demanding({ app }: Schemas, type: ContentType, required: readonly string[]): JsonSchemaObject {
  const withheld = app.plugins.flatMap(({ hides }) =>
    hides && !hides.when && type.fields.has(hides.attribute) ? [hides.attribute] : [],
  )
  if (withheld.length === 0) return { required }
  const [attribute = ''] = withheld
  return {
    description: `Required unless ${attribute} is null: ${required.join(', ')}`,
    if: { type: 'object', properties: { [attribute]: { type: 'null' } }, required: [attribute] },
    else: object(Object.fromEntries(required.map(name => [name, true])), required),
  }
}

/** The attributes that a create has to give. */
function requiredOf({ fields, links, kind }: ContentType, { app: { dialect } }: Schemas): string[] {
  const isMade = ({ madeFrom }: Field) => dialect.madeUids && kind !== 'component' && madeFrom !== undefined
  return [...[...fields.values()].filter(field => !isMade(field)), ...links.values()]
    .filter(one => one.writable && isRequired(one, dialect) && one.attribute.default === undefined)
    .map(({ name }) => name)
}

function inputsOf(schemas: Schemas, { fields, links }: ContentType, isNew: boolean): Properties {
  const isSent = (one: Field | Link) => isInput(one, isNew)
  return Object.fromEntries([
    ...[...fields.values()].filter(isSent).map(field => [field.name, fieldInput(field)] as const),
    ...[...links.values()].filter(isSent).map(link => [link.name, linkInput(schemas, link)] as const),
  ])
}

function fieldInput(field: Field): JsonSchema {
  const { write } = shapeOfField(field)
  const fallback = field.attribute.default
  const schema = nullable(write)
  return typeof schema === 'boolean' ? schema : sent(fallback === undefined ? schema : { ...schema, default: fallback })
}

function linkInput(schemas: Schemas, link: Link): JsonSchema {
  const { embedded, shape, many, attribute } = link
  if (!embedded) return relationInput(schemas, link)
  const parts = link.types().map(type => [type.uid, partRef(schemas, type, shape === 'zone')] as const)
  const item = shape === 'zone' ? oneOfParts(parts) : (parts[0]?.[1] ?? {})
  if (!many) return nullable(item)
  const { max } = attribute as { max?: number }
  const list = { ...listOf(item), ...(max !== undefined && { maxItems: max }) }
  return schemas.app.dialect.nullClearsLists && attribute.required !== true ? nullable(list) : list
}

/** A component in the data of an entry: with the id of one that is there, that one is changed. */
function partRef(schemas: Schemas, type: ContentType, inZone: boolean): JsonSchemaObject {
  return schemas.ofType(type, inZone ? 'InputInZone' : 'Input', () => {
    const id = nullable(described(idRef(schemas), 'of a component that the entry has: it is changed'))
    const own = { id, ...(inZone && { __component: named(type) }), ...inputsOf(schemas, type, true) }
    const required = inZone ? ['__component'] : []
    const missing = requiredOf(type, schemas)
    return {
      ...object(own, required),
      ...(missing.length > 0 && { description: `Required in a new one of a finished entry: ${missing.join(', ')}` }),
    }
  })
}

/** The input of a relation: an id, a list of ids, or an object with changes. */
function relationInput(schemas: Schemas, link: Link): JsonSchema {
  if (link.targets === undefined) return toAny(schemas)
  if (link.setOnly) return schemas.common('Files', () => anyOf(...whole(schemas), setOnly(schemas)))
  const change = changeRef(schemas)
  const ref = link.many
    ? schemas.common('ToMany', () => anyOf(...whole(schemas), change))
    : schemas.common('ToOne', () => anyOf(...whole(schemas), change))
  const created = newEntries(schemas, link)
  return described(
    created ? anyOf(ref, created) : ref,
    `${link.many ? 'entries' : 'an entry'} of ${link.targets.join(', ')}`,
  )
}

/** A relation with new entries, where a plugin takes such under a word of its own. */
function newEntries(schemas: Schemas, link: Link): JsonSchemaObject | undefined {
  const words = schemas.app.plugins.flatMap(({ relationWords = [] }) => relationWords)
  const [target, another] = link.types()
  if (words.length === 0 || !target?.routed || another) return undefined
  const data = inputRef(schemas, target, { creates: true, required: true })
  const list = listOf(related(schemas))
  const beside: Properties = link.many ? { set: list, connect: list, disconnect: list } : {}
  const own = words.map(word => [word, link.many ? anyOf(data, listOf(data)) : data] as const)
  return object({ ...Object.fromEntries(own), ...beside }, words)
}

/** A new list in place of the stored one; null and an empty list clear it. */
const whole = (schemas: Schemas): JsonSchema[] => [related(schemas), listOf(related(schemas)), { type: 'null' }]

const related = (schemas: Schemas): JsonSchemaObject =>
  schemas.common('RelatedEntry', () => anyOf(idRef(schemas), object({ id: idRef(schemas) })))

const setOnly = (schemas: Schemas): JsonSchemaObject =>
  object({ set: listOf(related(schemas)), disconnect: anyOf(listOf(related(schemas)), related(schemas)) }, [])

const changeRef = (schemas: Schemas): JsonSchemaObject =>
  schemas.common('RelationChange', () => changeOf(schemas, related(schemas)))

/** `set` replaces the list; `connect` and `disconnect` change it. */
function changeOf(schemas: Schemas, item: JsonSchemaObject): JsonSchemaObject {
  const connected = anyOf(item, { type: 'object', properties: { position: positionRef(schemas) } })
  return object(
    {
      set: nullable(listOf(item)),
      connect: nullable(listOf(connected)),
      disconnect: nullable(anyOf(listOf(item), item)),
      options: object({ strict: { type: 'boolean' } }, []),
    },
    [],
  )
}

/** Position of a connected entry; the end if it is not set. */
const positionRef = (schemas: Schemas): JsonSchemaObject =>
  schemas.common('Position', () => {
    const end = { type: 'boolean', const: true }
    const place = { before: idRef(schemas), after: idRef(schemas), start: end, end }
    return { ...object(place, []), maxProperties: 1, examples: [{ start: true }] }
  })

/** A relation to any type names the type of each entry. */
const toAny = (schemas: Schemas): JsonSchemaObject =>
  schemas.common('ToAny', () => {
    const item = schemas.common('RelatedEntryOfType', () =>
      object({ id: idRef(schemas), __type: { type: 'string', description: 'the uid of the type' } }, ['id']),
    )
    return anyOf(item, listOf(item), { type: 'null' }, changeOf(schemas, item))
  })
