import type { ErrorObject } from 'ajv'
import { sentenceOf, validatorOf } from '../ajv.js'
import { nearest } from '../nearest.js'
import { words } from './expected.js'
import type { AttributeKind } from './field-types.js'
import type { Definition } from './types.js'

/** What schema files may say, as far as that depends on plugins. */
export interface SchemaWords {
  readonly kinds: ReadonlyMap<string, AttributeKind>
  /** Kinds that belong to disabled plugins: their attributes are left out with a note. */
  readonly dormant: ReadonlySet<string>
  /** What plugins read in `options`: JSON schemas by key. */
  readonly options: Options
  /** What plugins read under their names in `pluginOptions`, of types and of attributes. */
  readonly pluginOptions: ReadonlyMap<string, Options>
}

type Options = Readonly<Record<string, object>>

const text = { type: 'string' }
const name = {
  type: 'string',
  pattern: '^[a-z][a-z0-9-]*$',
  description: 'lower-case letters, digits and dashes, beginning with a letter',
}
const identifier = 'letters, digits and underscores, not beginning with a digit'

/** What the server itself reads in `options`. */
export const ownOptions: Options = {
  populateCreatorFields: { type: 'boolean' },
  format: text,
  collation: text,
  comment: text,
}

const infoProperties = { displayName: text, description: {}, icon: {}, name: {} }

/** What plugins declare for `options` and `pluginOptions` is looked at one by one. */
const typeSchema = {
  type: 'object',
  required: ['info', 'attributes'],
  properties: {
    kind: { enum: ['collectionType', 'singleType'] },
    collectionName: {
      type: 'string',
      pattern: '^[A-Za-z_][A-Za-z0-9_-]*$',
      description: 'the name of the table: letters, digits, dashes and underscores, not beginning with a digit',
    },
    info: {
      type: 'object',
      required: ['singularName', 'pluralName'],
      properties: { singularName: name, pluralName: name, ...infoProperties },
    },
    renamedFrom: { type: 'string', minLength: 1, description: 'the former name' },
    options: { type: 'object' },
    pluginOptions: { type: 'object' },
    attributes: {
      type: 'object',
      description: 'an object of attributes',
      propertyNames: { pattern: '^[A-Za-z_][A-Za-z0-9_]*$', description: identifier },
    },
    search: {
      type: 'array',
      minItems: 1,
      description: 'a non-empty list of attributes, such as ["title^10", "body"]',
      items: {
        type: 'string',
        pattern: '^[A-Za-z_][A-Za-z0-9_]*(\\^([1-9]|10))?$',
        description: 'the name of an attribute, alone or with a weight from 1 to 10, such as title^10',
      },
    },
    indexes: {
      type: 'array',
      items: {
        type: 'object',
        required: ['attributes'],
        additionalProperties: false,
        properties: {
          attributes: { type: 'array', items: text, minItems: 1 },
          unique: { type: 'boolean' },
          name: { type: 'string', pattern: '^[A-Za-z_][A-Za-z0-9_]*$', description: identifier },
        },
      },
    },
  },
}

/** A component has no name but that of its file, and has to name its table: nothing else says how that is called. */
const componentSchema = {
  ...typeSchema,
  required: ['collectionName', 'attributes'],
  properties: { ...typeSchema.properties, kind: {}, info: { type: 'object', properties: infoProperties } },
}

const common = {
  type: text,
  required: { type: 'boolean' },
  unique: { type: 'boolean' },
  index: { enum: [true, false, 'present'] },
  moments: { type: 'boolean' },
  private: { type: 'boolean' },
  configurable: { type: 'boolean' },
  writable: { type: 'boolean' },
  visible: { type: 'boolean' },
  searchable: { type: 'boolean' },
  default: {},
  renamedFrom: { type: 'string', minLength: 1, description: 'the former name' },
  collation: text,
  column: { type: 'object' },
}

/** Options of attributes that are read elsewhere, so that they are not taken for others misspelt. */
const foreign = ['columnType', 'joinColumn', 'joinTable', 'customField', 'baseType', 'editable', 'displayName']

interface KnownKinds extends Pick<SchemaWords, 'kinds' | 'dormant'> {
  readonly lenient: boolean
}

/** The kind of an attribute that is served. */
function kindOf(
  { kinds, dormant, lenient }: KnownKinds,
  findings: Findings,
  place: string,
  value: object,
): AttributeKind | undefined {
  const type = fieldOf(value, 'type')
  const kind = kinds.get(String(type))
  if (kind) return kind
  const known = [...kinds.keys()]
  if (type === undefined && !lenient) {
    const [typo] = misspelt(value, ['type'])
    if (typo) findings.misspelt(`${place}: `, [typo])
    else findings.problem(`${place} has no type; known types are ${known.join(', ')}`)
    return undefined
  }
  const meant = typeof type === 'string' ? nearest(type, known) : undefined
  const hint = meant === undefined ? '' : `; did you mean "${meant}"?`
  if (dormant.has(String(type)))
    findings.note(`${place} is not served: the plugin that brings the type "${type}" is disabled`)
  else if (lenient) findings.note(`${place} is not served: ${unknownType(value)}${hint}`)
  else
    findings.problem(`${place} has the type ${JSON.stringify(type)}${hint || ';'} known types are ${known.join(', ')}`)
  return undefined
}

const anyPluginOptions = { pluginOptions: { type: 'object' } }

/** What is declared for one value, by the keys that lead to it. */
type Declared = readonly [path: readonly string[], schema: object]

const declaredAt = (path: readonly string[], options: Options): Declared[] =>
  Object.entries(options).map(([option, schema]) => [[...path, option], schema])

const ofEachPlugin = (ofPlugins: SchemaWords['pluginOptions']): Declared[] =>
  [...ofPlugins].map(([plugin, properties]) => [['pluginOptions', plugin], { type: 'object', properties }])

/** Errors are about the whole, and name the keys. */
const schemaOf = ([path, schema]: Declared): object =>
  path.reduceRight((inner, key) => ({ type: 'object', properties: { [key]: inner } }), schema)

/** What is wrong with the declared values that are there: which these are depends on plugins, and most are not. */
function wrongIn(whole: unknown, declared: readonly Declared[]): ErrorObject[] {
  return declared.flatMap(one => {
    if (one[0].reduce(fieldOf, whole) === undefined) return []
    const validate = validatorOf(schemaOf(one))
    return validate(whole) ? [] : (validate.errors ?? [])
  })
}

/** All schemas by which files are checked whose words are these. */
export function schemasFor({ kinds, options, pluginOptions }: Omit<SchemaWords, 'dormant'>): object[] {
  const declared = [
    ...declaredAt(['options'], { ...ownOptions, ...options }),
    ...[{ options: common }, ...kinds.values()].flatMap(kind => declaredAt([], kind.options ?? {})),
    ...declaredAt([], anyPluginOptions),
    ...ofEachPlugin(pluginOptions),
  ]
  return [typeSchema, componentSchema, ...declared.map(schemaOf)]
}

/**
 * Checks the form of schema files; what leads from one type to another is the registry's to check. Where the files are
 * another server's as well, what is not known is a note: it may be that server's.
 */
export function schemaChecker(
  { kinds, dormant, options: declared, pluginOptions: ofPlugins }: SchemaWords,
  lenient: boolean,
) {
  const options = { ...ownOptions, ...declared }
  const ofType = [...declaredAt(['options'], options), ...ofEachPlugin(ofPlugins)]
  const ofAttributes = [...declaredAt([], anyPluginOptions), ...ofEachPlugin(ofPlugins)]
  const misspeltPluginOptions = (value: unknown): Misspelt[] => [
    ...misspelt(value, [...ofPlugins.keys()], 'pluginOptions.'),
    ...[...ofPlugins].flatMap(([plugin, known]) =>
      misspelt(fieldOf(value, plugin), Object.keys(known), `pluginOptions.${plugin}.`),
    ),
  ]

  const checkAttribute = (findings: Findings, name: string, value: unknown): void => {
    const place = `attribute "${name}"`
    const isObject = typeof value === 'object' && value !== null
    if (!isObject) findings.problem(`${place} must be an object`)
    const kind = isObject ? kindOf({ kinds, dormant, lenient }, findings, place, value) : undefined
    if (!kind) return
    const errors = wrongIn(value, [...declaredAt([], { ...common, ...kind.options }), ...ofAttributes])
    findings.wrong(`${place}: `, errors)
    const reason =
      errors.length === 0 ? kind.check?.(value as Parameters<NonNullable<typeof kind.check>>[0]) : undefined
    if (reason !== undefined) findings.problem(`${place}: ${reason}`)
    findings.misspelt(`${place}: `, [
      ...misspelt(value, [...Object.keys(common), 'pluginOptions', ...Object.keys(kind.options ?? {})], '', foreign),
      ...misspeltPluginOptions(fieldOf(value, 'pluginOptions')),
    ])
  }

  return function check({ uid, source, schema }: Definition): Pick<Findings, 'problems' | 'notes'> {
    const findings = new Findings(source, lenient)
    const form = uid.includes('::') ? typeSchema : componentSchema
    const { properties } = form
    findings.misspelt('', [
      ...misspelt(schema, Object.keys(properties)),
      ...misspelt(schema.info, Object.keys(properties.info.properties), 'info.'),
      ...misspelt(schema.options, Object.keys(options), 'options.'),
      ...misspeltPluginOptions(schema.pluginOptions),
    ])
    const errors = wrongIn(schema, [[[], form], ...ofType])
    findings.wrong('', errors)
    if (errors.length > 0 && findings.problems.length > 0) return findings
    for (const [name, value] of Object.entries(schema.attributes as Record<string, unknown>))
      checkAttribute(findings, name, value)
    return findings
  }
}

/** What there is to say of one schema file. */
class Findings {
  readonly problems: string[] = []
  readonly notes: string[] = []
  readonly #source: string
  readonly #lenient: boolean

  constructor(source: string, lenient: boolean) {
    this.#source = source
    this.#lenient = lenient
  }

  problem(sentence: string): void {
    this.problems.push(`${this.#source}: ${sentence}`)
  }

  note(sentence: string): void {
    this.notes.push(`${this.#source}: ${sentence}`)
  }

  misspelt(place: string, found: readonly Misspelt[]): void {
    for (const { key, meant } of found)
      if (this.#lenient) this.note(`${place}"${key}" is not an option and is ignored; did you mean "${meant}"?`)
      else this.problem(`${place}"${key}" is not an option; did you mean "${meant}"?`)
  }

  wrong(place: string, errors: readonly ErrorObject[]): void {
    // A wrong name is reported twice: as itself, and as a name of the object that has it.
    for (const error of errors.filter(({ keyword }) => keyword !== 'propertyNames'))
      if (this.#lenient && /^\/(options|pluginOptions)\//.test(error.instancePath))
        this.note(`${place}${sentenceOf(error, words)}`)
      else this.problem(`${place}${sentenceOf(error, words)}`)
  }
}

function unknownType(attribute: object): string {
  const { type, customField, baseType } = attribute as Readonly<Record<string, unknown>>
  if (type !== 'customField') return `nothing here knows the type ${JSON.stringify(type)}`
  if (baseType !== undefined) return `its baseType ${JSON.stringify(baseType)} is not the type of a column`
  return `nothing tells the type that ${customField ?? 'its customField'} is stored as; set "baseType" of the attribute to it, such as "text" or "json"`
}

interface Misspelt {
  readonly key: string
  readonly meant: string
}

/** An unknown key may be another program's; one that is nearly a known key is a mistake. */
function misspelt(value: unknown, known: readonly string[], place = '', foreign: readonly string[] = []): Misspelt[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.keys(value).flatMap(key => {
    const meant = known.includes(key) || foreign.includes(key) ? undefined : nearest(key, known)
    return meant === undefined ? [] : [{ key: `${place}${key}`, meant: `${place}${meant}` }]
  })
}

const fieldOf = (value: unknown, key: string): unknown =>
  (value as Readonly<Record<string, unknown>> | undefined)?.[key]
