import { attributeWords, formOf, ownOptions, type SchemaWords } from '../../../schema/check.js'
import type { JsonSchemaObject } from '../../../schema/json-schema.js'

/** The files by which editors complete and check schema files. */
export const editorSchemas = { type: 'content-type.schema.json', component: 'component.schema.json' } as const

const object = (properties: object, more: object = {}): JsonSchemaObject => ({ type: 'object', properties, ...more })

/**
 * A JSON schema of schema files, in the words of core and of plugins. It allows unknown keys, as the files themselves do:
 * they may be another program's. Its draft is the one that editors know best.
 */
export function editorSchema(
  form: keyof typeof editorSchemas,
  { kinds, options, pluginOptions }: Omit<SchemaWords, 'dormant'>,
): JsonSchemaObject {
  const ofPlugins = {
    pluginOptions: object(Object.fromEntries([...pluginOptions].map(([name, of]) => [name, object(of)]))),
  }
  const { required, properties } = formOf(form)
  const ofKinds = [...kinds].map(([name, kind]) => ({
    if: { properties: { type: { const: name } } },
    // biome-ignore lint/suspicious/noThenProperty: the word of JSON schemas
    then: object(kind.options ?? {}),
  }))
  const attribute = object(
    { ...attributeWords, ...ofPlugins, type: { enum: [...kinds.keys()] } },
    { required: ['type'], allOf: ofKinds },
  )
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    ...object(
      {
        ...properties,
        ...ofPlugins,
        options: object({ ...ownOptions, ...options }),
        attributes: { ...properties.attributes, additionalProperties: attribute },
      },
      { required },
    ),
  }
}
