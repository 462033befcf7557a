import type { ForeignTypes } from '../../plugin/foreign.js'
import { snakeCase } from '../../schema/names.js'
import type { Definition } from '../../schema/types.js'
import { readRecorded, type StrapiRecord } from './layout.js'

/** An attribute of a kind that a plugin of Strapi 4 brings: it is stored as one of the standard types. */
interface CustomField {
  readonly type?: string
  readonly customField?: string
  /** The type it is stored as, where the schema file says it. */
  readonly baseType?: string
  readonly column?: { readonly name?: string }
}

/** Fields of common plugins, for a project whose database has no record of them. */
const wellKnown: Readonly<Record<string, string>> = {
  'plugin::ckeditor.CKEditor': 'richtext',
  'plugin::ckeditor5.CKEditor': 'richtext',
  'plugin::color-picker.color': 'string',
  'plugin::multi-select.multi-select': 'json',
  'plugin::oembed.oembed': 'json',
}

/** Attribute types by the column types that Strapi 4 records; several are stored alike. */
const byColumn: Readonly<Record<string, string>> = {
  string: 'string',
  text: 'text',
  jsonb: 'json',
  json: 'json',
  integer: 'integer',
  bigInteger: 'biginteger',
  decimal: 'decimal',
  double: 'float',
  boolean: 'boolean',
  date: 'date',
  time: 'time',
  datetime: 'datetime',
  timestamp: 'timestamp',
}

/**
 * Gives custom fields of a Strapi 4 project the type of their columns: from the schema file, else from Strapi's record in
 * the database, else from the list of known fields. Other fields keep their type and are not served.
 */
export async function withBaseTypes(
  definitions: readonly Definition[],
  { kinds, open }: ForeignTypes,
): Promise<readonly Definition[]> {
  const fieldsOf = ({ schema }: Definition) => Object.values(attributesOf(schema)).filter(isCustom)
  const isOpen = definitions.flatMap(fieldsOf).some(({ baseType }) => baseType === undefined)
  const recorded = isOpen ? await recordedSchemas(open) : {}
  return definitions.map(definition => {
    if (fieldsOf(definition).length === 0) return definition
    const attributes = Object.entries(attributesOf(definition.schema)).map(([name, attribute]) => {
      const base = isCustom(attribute) ? baseOf(definition, name, attribute, recorded) : undefined
      return [name, base !== undefined && kinds.get(base)?.kind === 'value' ? { ...attribute, type: base } : attribute]
    })
    return { ...definition, schema: { ...definition.schema, attributes: Object.fromEntries(attributes) } }
  })
}

const attributesOf = (schema: Definition['schema']) =>
  Object(schema.attributes) as Readonly<Record<string, CustomField>>

const isCustom = (attribute: CustomField): boolean => Object(attribute).type === 'customField'

function baseOf(
  { uid, schema }: Definition,
  name: string,
  { customField = '', baseType, column }: CustomField,
  { types, schema: layout }: StrapiRecord,
): string | undefined {
  if (baseType !== undefined) return baseType
  const ofType = types?.[uid]?.attributes[name] as CustomField | undefined
  if (bases.has(ofType?.type)) return ofType?.type
  const { info = {}, collectionName = (info as { singularName?: string }).singularName } = schema
  const table = layout?.tables?.find(one => one.name === collectionName)
  const stored = table?.columns.find(one => one.name === (column?.name ?? snakeCase(name)))
  return byColumn[stored?.type ?? ''] ?? (Object.hasOwn(wellKnown, customField) ? wellKnown[customField] : undefined)
}

/** Types that need no options of their own, as an enumeration does. */
const bases: ReadonlySet<unknown> = new Set([...Object.values(byColumn), 'richtext', 'email', 'blocks'])

/** The schemas that Strapi 4 has recorded, if its database exists. */
async function recordedSchemas(open: ForeignTypes['open']): Promise<StrapiRecord> {
  const engine = await open()
  if (!engine) return {}
  try {
    return await readRecorded(engine, await engine.introspect())
  } finally {
    await engine.close()
  }
}
