import { isDeepStrictEqual } from 'node:util'
import type { Definition } from '../../../core/index.js'
import type { Bag, LoadedPlugin, Loose, Strapi } from '../types.js'

/** The types of the project's own plugins, with their tables; custom fields are stored as the code has registered them. */
export const typesOfPlugins = (plugins: Iterable<LoadedPlugin>, fields: ReadonlyMap<string, string>): Definition[] =>
  [...plugins]
    .filter(({ from }) => from !== 'ours')
    .flatMap(({ name, server, file }) =>
      Object.entries((server.contentTypes ?? {}) as Bag).map(([key, { schema }]) => ({
        uid: `plugin::${name}.${key}`,
        source: file ?? `the plugin ${name}`,
        schema: { ...ownTable(schema, name, key), attributes: stored(schema.attributes, fields) },
      })),
    )

/** A type whose table has no name has that of the plugin and the type. */
const ownTable = (schema: Bag, plugin: string, key: string): Bag => ({
  ...schema,
  kind: schema.kind ?? 'collectionType',
  collectionName: schema.collectionName ?? `${plugin}_${key}`.replaceAll('-', '_').toLowerCase(),
  info: { singularName: key, pluralName: `${key}s`, displayName: key, ...schema.info },
})

const stored = (attributes: Bag = {}, fields: ReadonlyMap<string, string>): Bag =>
  Object.fromEntries(
    Object.entries(attributes).map(([name, attribute]) => {
      const type =
        attribute?.type === 'customField' ? (attribute.baseType ?? fields.get(attribute.customField)) : undefined
      return [name, type === undefined ? attribute : { ...attribute, type }]
    }),
  )

/** The schemas of this server's types, as they were before code of the project could change them. */
export type Schemas = ReadonlyMap<string, Bag>

/**
 * The schema files of an app with what its code has added to types of this server: an attribute more is a column more, and
 * one that code has written anew is as it says.
 */
export function withOwnAttributes(
  definitions: readonly Definition[],
  plugins: Iterable<LoadedPlugin>,
  before: Schemas,
): readonly Definition[] {
  const changed = new Map<string, Bag>()
  for (const { name, server, from } of plugins)
    for (const [key, type] of Object.entries((server.contentTypes ?? {}) as Bag)) {
      const uid = `plugin::${name}.${key}`
      if (from === 'ours' && before.has(uid)) changed.set(uid, changesOf(before.get(uid) as Bag, type.schema))
    }
  const known = definitions.map(definition => {
    const more = changed.get(definition.uid)
    changed.delete(definition.uid)
    return more ? extendedBy(definition, more) : definition
  })
  const added = [...changed]
    .filter(([, { attributes }]) => Object.keys(attributes).length > 0)
    .map(([uid, schema]) => ({ uid, source: 'src/extensions', schema }))
  return [...known, ...added]
}

function changesOf(before: Bag, after: Bag): { attributes: Bag; options?: Bag } {
  const attributes = Object.entries(Object(after?.attributes) as Bag).filter(
    ([name, attribute]) => !isDeepStrictEqual(attribute, before.attributes?.[name]),
  )
  return { attributes: Object.fromEntries(attributes) }
}

/** The code's word counts: it has run after the file was read. */
function extendedBy(definition: Definition, { attributes }: Bag): Definition {
  const schema = definition.schema as Loose
  return { ...definition, schema: { ...schema, attributes: { ...schema.attributes, ...attributes } } }
}

/** The attributes that every type has without saying so: they come from the server. */
const ofServer = ['id', 'createdAt', 'updatedAt', 'publishedAt', 'createdBy', 'updatedBy', 'locale', 'localizations']

/** The schemas with the attributes that `register` of some code has put into `strapi.contentTypes`, or changed there. */
export const withLateAttributes = <T extends Definition>(
  definitions: readonly T[],
  { getModel }: Pick<Strapi, 'getModel'>,
): T[] =>
  definitions.map(definition => {
    const { attributes = {}, __schema__ } = getModel(definition.uid) ?? {}
    const late = Object.entries(attributes).filter(
      ([name, attribute]) => !ofServer.includes(name) && !isDeepStrictEqual(attribute, __schema__?.attributes?.[name]),
    )
    if (late.length === 0) return definition
    const { schema } = definition
    return {
      ...definition,
      schema: { ...schema, attributes: { ...Object(schema.attributes), ...Object.fromEntries(late) } },
    }
  })
