import type { ErrorObject, ValidateFunction } from 'ajv'
import { compiler } from '../ajv.js'
import { nearest } from '../config/nearest.js'
import type { AttributeKind } from './field-types.js'
import type { Definition } from './types.js'

const name = { type: 'string', pattern: '^[a-z][a-z0-9-]*$' }

const typeSchema = {
  type: 'object',
  required: ['kind', 'collectionName', 'info', 'attributes'],
  properties: {
    kind: { enum: ['collectionType', 'singleType'] },
    collectionName: { type: 'string', pattern: '^[A-Za-z_][A-Za-z0-9_-]*$' },
    info: {
      type: 'object',
      required: ['singularName', 'pluralName'],
      properties: { singularName: name, pluralName: name, displayName: { type: 'string' } },
    },
    renamedFrom: { type: 'string', minLength: 1 },
    options: { type: 'object' },
    pluginOptions: { type: 'object' },
    attributes: { type: 'object', propertyNames: { pattern: '^[A-Za-z_][A-Za-z0-9_]*$' } },
    indexes: {
      type: 'array',
      items: {
        type: 'object',
        required: ['attributes'],
        additionalProperties: false,
        properties: {
          attributes: { type: 'array', items: { type: 'string' }, minItems: 1 },
          unique: { type: 'boolean' },
          name: { type: 'string', pattern: '^[A-Za-z_][A-Za-z0-9_]*$' },
        },
      },
    },
  },
}

const componentSchema = {
  ...typeSchema,
  required: ['collectionName', 'attributes'],
  properties: { ...typeSchema.properties, kind: {}, info: { type: 'object' } },
}

const common = {
  type: { type: 'string' },
  required: { type: 'boolean' },
  unique: { type: 'boolean' },
  index: { enum: [true, false, 'present'] },
  private: { type: 'boolean' },
  configurable: { type: 'boolean' },
  writable: { type: 'boolean' },
  visible: { type: 'boolean' },
  searchable: { type: 'boolean' },
  default: {},
  renamedFrom: { type: 'string', minLength: 1 },
  column: { type: 'object' },
  pluginOptions: { type: 'object' },
}

/**
 * Checks the form of schema files; what leads from one type to another is the registry's to check.
 * A dormant kind belongs to a plugin that is off: its attributes are left out with a note. So are those of unknown kinds
 * where the schema files are another server's as well.
 */
export function schemaChecker(
  kinds: ReadonlyMap<string, AttributeKind>,
  dormant: ReadonlySet<string>,
  lenient: boolean,
) {
  const ajv = compiler({ allErrors: true, strict: false })
  const whole = ajv.compile(typeSchema)
  const part = ajv.compile(componentSchema)
  const compiled = new Map<string, ValidateFunction>()
  // Compiling takes longer than checking: only kinds that occur are compiled, and those with the same options once.
  const validatorOf = (kind: AttributeKind): ValidateFunction => {
    const properties = { ...common, ...kind.options }
    const key = JSON.stringify(properties)
    const validate = compiled.get(key) ?? ajv.compile({ type: 'object', properties })
    compiled.set(key, validate)
    return validate
  }

  return function check({ uid, source, schema }: Definition): { problems: string[]; notes: string[] } {
    const problems: string[] = []
    const notes: string[] = []
    const form = uid.includes('::') ? whole : part
    if (!form(schema)) {
      problems.push(...sentences(source, '', form.errors))
      return { problems, notes }
    }
    const attributes = schema.attributes as Record<string, unknown>
    for (const [attribute, value] of Object.entries(attributes)) {
      const place = `attribute "${attribute}"`
      const type = (value as { type?: unknown } | null)?.type
      const kind = kinds.get(String(type))
      if (typeof value !== 'object' || value === null) problems.push(`${source}: ${place} must be an object`)
      else if (dormant.has(String(type)))
        notes.push(`${source}: ${place} is not served: the plugin that brings the type "${type}" is off`)
      else if (!kind && lenient)
        notes.push(`${source}: ${place} is not served: nothing here knows the type ${JSON.stringify(type)}`)
      else if (!kind)
        problems.push(
          `${source}: ${place} has the type ${JSON.stringify(type)}; known types are ${[...kinds.keys()].join(', ')}`,
        )
      else {
        const validate = validatorOf(kind)
        if (!validate(value)) problems.push(...sentences(source, `${place}, `, validate.errors))
        const reason = kind.check?.(value as never)
        if (reason !== undefined) problems.push(`${source}: ${place}: ${reason}`)
        notes.push(...misspelt(value, kind).map(said => `${source}: ${place}: ${said}`))
      }
    }
    return { problems, notes }
  }
}

/** Options that nobody knows may be another program's; one that is nearly known is a slip of the pen. */
function misspelt(attribute: object, kind: AttributeKind): string[] {
  const known = [...Object.keys(common), ...Object.keys(kind.options ?? {})]
  return Object.keys(attribute).flatMap(option => {
    const meant = known.includes(option) ? undefined : nearest(option, known)
    return meant === undefined ? [] : [`"${option}" is not an option and is ignored; did you mean "${meant}"?`]
  })
}

function sentences(source: string, place: string, errors: ErrorObject[] | null | undefined): string[] {
  return (errors ?? []).map(({ instancePath, message, params, propertyName }) => {
    const within = instancePath.slice(1).replaceAll('/', '.')
    const at = propertyName === undefined ? within : `${within}: the name "${propertyName}"`
    const allowed = (params as { allowedValues?: unknown[] }).allowedValues
    return `${source}: ${place}${at === '' ? '' : `${at} `}${message}${allowed ? `: ${allowed.join(', ')}` : ''}`
  })
}
