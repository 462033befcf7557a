import type { ErrorObject } from 'ajv'
import { compiler } from '../ajv.js'
import type { Reading } from './env.js'
import type { ConfigFile } from './files.js'
import { valueAt } from './merge.js'
import { nearest } from './nearest.js'
import type { Project } from './project.js'
import { foreign, overrides, type Schema, schemaOf } from './schemas.js'

const ajv = compiler({ allErrors: true, verbose: true, strictTypes: false })

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

interface Place {
  readonly label: string
  readonly readings?: readonly Reading[]
}

function problemsIn(
  schema: Schema,
  value: unknown,
  placeOf: (path: readonly string[]) => Place,
  isStrict = true,
): string[] {
  const validate = ajv.compile(schema)
  if (validate(value)) return []
  const errors = (validate.errors ?? []).filter(({ keyword }) => isStrict || keyword !== 'additionalProperties')
  const sentences = foremost(errors).map(error => {
    const path = pathOf(error)
    return sentence(error, path, placeOf(path))
  })
  return [...new Set(sentences)]
}

/** An alternative that does not fit fails once as a whole and once per branch; only the whole is worth a sentence. */
function foremost(errors: readonly ErrorObject[]): ErrorObject[] {
  const wholes = errors.filter(error => error.keyword === 'anyOf').map(error => error.instancePath)
  const shortest = wholes.filter(path => !wholes.some(other => path.startsWith(`${other}/`)))
  return errors.filter(error =>
    error.keyword === 'anyOf'
      ? shortest.includes(error.instancePath)
      : !shortest.some(path => `${error.instancePath}/`.startsWith(`${path}/`)),
  )
}

function sentence(error: ErrorObject, path: readonly string[], place: Place): string {
  const parent = error.parentSchema as Schema
  const key = path.join('.')
  if (error.keyword === 'additionalProperties') {
    return `${place.label}: ${key} is not a setting; ${advice(path, settingsOf(parent))}`
  }
  const subject = key ? `${place.label}: ${key}` : place.label
  return `${subject} is ${shown(error.data, key)}${origin(error.data, place)}; right would be ${parent.description}`
}

function settingsOf({ properties = {} }: Schema): string[] {
  return Object.keys(properties).filter(key => properties[key] !== foreign)
}

function advice(path: readonly string[], known: readonly string[]): string {
  const meant = nearest(path.at(-1) ?? '', known)
  if (meant) return `did you mean ${[...path.slice(0, -1), meant].join('.')}?`
  return `known here are ${known.join(', ')}`
}

/** The last file that says something at this place: an overlay hides what it covers. */
function sourceOf(name: string, file: ConfigFile, path: readonly string[]): Place {
  return file.sources.findLast(source => valueAt(source.value, path) !== undefined) ?? { label: `config/${name}` }
}

function pathOf(error: ErrorObject): string[] {
  const path = error.instancePath
    .split('/')
    .slice(1)
    .map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'))
  return error.keyword === 'additionalProperties' ? [...path, error.params.additionalProperty] : path
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

/** Which environment variable a wrong value came from, as far as the value itself tells. */
function origin(value: unknown, { readings = [] }: Place): string {
  if (typeof value !== 'string' && typeof value !== 'number') return ''
  const reading = readings.find(reading => Object.is(reading.value, value))
  if (!reading) return ''
  return reading.text === String(value) ? ` (from ${reading.name})` : ` (from ${reading.name}="${reading.text}")`
}
