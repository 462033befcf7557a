import { foremost, sentenceOf, validatorOf, type Words } from '../ajv.js'
import type { VariableReading } from './env.js'
import type { ConfigFile } from './files.js'
import type { Schema } from './forms.js'
import { valueAt } from './merge.js'
import { foreign, overrides, schemaOf } from './schemas.js'
import type { Project } from './setting.js'

/**
 * Everything that is wrong with the settings, one sentence each; files this server does not read are never wrong, nor are
 * the settings of a project that is another server's as well, where this one does not know them.
 */
export function problemsOf(
  files: ReadonlyMap<string, ConfigFile>,
  overriding: unknown,
  project: Project = 'stele',
): string[] {
  const inFiles = [...files].flatMap(([name, file]) => {
    const schema = schemaOf(name, file.value)
    return schema ? problemsIn(schema, file.value, path => sourceOf(name, file, path), project === 'stele') : []
  })
  const isOverridden = Object.keys(Object(overriding)).length > 0
  return [...inFiles, ...(isOverridden ? problemsIn(overrides, overriding, () => ({ label: 'overrides' })) : [])]
}

/** The words for mistakes in a file, which name the place where the value was written. */
export const wordsFor = (name: string, file: ConfigFile): Words => wordsOf(path => sourceOf(name, file, path))

interface FileOrigin {
  readonly label: string
  readonly readings?: readonly VariableReading[]
}

function problemsIn(
  schema: Schema,
  value: unknown,
  placeOf: (path: readonly string[]) => FileOrigin,
  isStrict = true,
): string[] {
  const validate = validatorOf(schema, 'finite')
  if (validate(value)) return []
  const errors = validate.errors.filter(({ keyword }) => isStrict || keyword !== 'additionalProperties')
  const words = wordsOf(placeOf)
  return [...new Set(foremost(errors).map(error => sentenceOf(error, words)))]
}

function wordsOf(placeOf: (path: readonly string[]) => FileOrigin): Words {
  return {
    place: path => [placeOf(path).label, ...(path.length > 0 ? [path.join('.')] : [])].join(': '),
    unknown: 'is not a setting',
    name: path => path.join('.'),
    others: known => `known here are ${known.join(', ')}`,
    known: ({ properties = {} }) => Object.keys(properties).filter(key => properties[key] !== foreign),
    wrong: (place, { data, parentSchema }, path) =>
      `${place} is ${shown(data, path.join('.'))}${origin(data, placeOf(path))}; expected ${parentSchema?.description}`,
  }
}

/** The last file with a value at this place: an overlay hides the values that it covers. */
function sourceOf(name: string, file: ConfigFile, path: readonly string[]): FileOrigin {
  return file.sources.findLast(source => valueAt(source.value, path) !== undefined) ?? { label: `config/${name}` }
}

function shown(value: unknown, key: string): string {
  if (Array.isArray(value)) return 'a list'
  if (value !== null && ['object', 'function'].includes(typeof value)) {
    return typeof value === 'object' ? 'an object' : 'a function'
  }
  // The log is read by more people than the settings are.
  if (/password|secret|token|url|connectionString/i.test(key)) return value === null ? 'null' : `a ${typeof value}`
  return typeof value === 'string' ? JSON.stringify(value) : String(value)
}

/** The environment variable that a wrong value came from, as far as the value itself tells. */
function origin(value: unknown, { readings = [] }: FileOrigin): string {
  if (typeof value !== 'string' && typeof value !== 'number') return ''
  const reading = readings.find(reading => Object.is(reading.value, value))
  if (!reading) return ''
  return reading.text === String(value) ? ` (from ${reading.name})` : ` (from ${reading.name}="${reading.text}")`
}
