import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { Ajv } from 'ajv'
import standalone from 'ajv/dist/standalone/index.js'
import { minifySync } from 'rolldown/utils'
import { compiling, keyOf } from '../dist/core/ajv.js'
import { wordsOf } from '../dist/core/boot/app-types.js'
import { settingsSchemas } from '../dist/core/config/schemas.js'
import { settingsSchemaOf } from '../dist/core/plugin/arrange.js'
import { builtInPlugins, schemaWords } from '../dist/core/plugin/find.js'
import { schemasFor } from '../dist/core/schema/check.js'
import { valueTypes } from '../dist/core/schema/field-types.js'
import { linkTypes } from '../dist/core/schema/link-types.js'
import { folder } from './one-file.mjs'

/**
 * Has ajv write the validators of all schemas that core and the built-in plugins have: dist/core/packages/validators.js.
 * A schema that is not among them, as that of an app's own plugin, is compiled by the start that needs it.
 */
const plugins = await builtInPlugins()
const kinds = new Map(
  [...valueTypes, ...linkTypes, ...plugins.flatMap(({ fieldTypes = [] }) => fieldTypes)].map(kind => [kind.name, kind]),
)
const words = wordsOf([...(await schemaWords()), ...plugins])
const schemas = [
  ...settingsSchemas.map(schema => [schema, 'finite']),
  ...[...schemasFor({ kinds, ...words }), ...plugins.map(settingsSchemaOf)].map(schema => [schema, 'any']),
]
const written = new Map(schemas.map(([schema, numbers]) => [keyOf(schema, numbers), codeOf(schema, numbers)]))
const lines = [...written].map(([key, code]) => `[${JSON.stringify(key)},module=>{${code}}]`)
const text = `import length from 'ajv/dist/runtime/ucs2length.js'\nexport const built = new Map([${lines.join()}])\n`
writeFileSync(path.join(folder, 'validators.js'), minifySync('validators.js', text, { module: true }).code)

/** The code of one validator, which sets the exports of its `module`. */
function codeOf(schema, numbers) {
  const ajv = new Ajv({ ...compiling(numbers), code: { source: true } })
  const code = standalone(ajv, ajv.compile(schema)).replaceAll('require("ajv/dist/runtime/ucs2length")', 'length')
  if (code.includes('require(')) throw new Error(`what the validator of a schema needs is missing: ${code}`)
  return code
}
