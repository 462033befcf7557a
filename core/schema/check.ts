import type { ErrorObject } from 'ajv'
import { sentenceOf, validatorOf } from '../ajv.js'
import { type ChangedValue, fitTo } from '../config/fit-to.js'
import { isSection } from '../config/merge.js'
import { nearest } from '../kit/nearest.js'
import { words } from './expected.js'
import type { AttributeKind, ValueType } from './field-types.js'
import type { Definition } from './types.js'

/** The words of schema files that depend on plugins. */
export interface SchemaWords {
  readonly kinds: ReadonlyMap<string, AttributeKind>
  /** Kinds that belong to disabled plugins: their attributes are left out with a note. */
  readonly dormant: ReadonlySet<string>
  /** JSON schemas of the `options` that plugins read, by key. */
  readonly options: Options
  /** JSON schemas of `pluginOptions`, of types and of attributes, by the name of the plugin. */
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

/** JSON schemas of the `options` that the server itself reads. */
export const ownOptions: Options = {
  populateCreatorFields: { type: 'boolean' },
  format: text,
  collation: text,
  comment: text,
}

const infoProperties = { displayName: text, description: {}, icon: {}, name: {} }

/** The form of a type, without the words that depend on plugins. */
export const typeSchema = {
  type: 'object',
  required: ['info', 'attributes'],
  properties: {
    $schema: { type: 'string', description: 'the JSON schema by which editors complete and check the file' },
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

/** The JSON schema of a file, without the parts that depend on plugins. */
export const formOf = (form: 'type' | 'component') => (form === 'type' ? typeSchema : componentSchema)

/** JSON schemas of the words that every attribute may have. */
export const attributeWords = {
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

/** Names of tables and attributes that another server accepts, too, as far as databases take them and requests can say them. */
const widerNames = {
  collectionName: { type: 'string', pattern: '^[^."\'`\\x00-\\x1f]+$', description: 'the name of the table' },
  attributes: { type: 'object', description: 'an object of attributes' },
}
const sayable = /^(?!\d+$)[\p{L}\p{M}\p{N}_-]+$/u

const wider = (form: typeof typeSchema | typeof componentSchema) => ({
  ...form,
  properties: { ...form.properties, ...widerNames },
})

/** A form with the `options` and `pluginOptions` that plugins declare. */
const whole = <F extends { readonly properties: object }>(form: F, { options, pluginOptions }: DeclaredWords) => ({
  ...form,
  properties: {
    ...form.properties,
    options: { type: 'object', properties: { ...ownOptions, ...options } },
    pluginOptions: ofEachPlugin(pluginOptions),
  },
})

type DeclaredWords = Pick<SchemaWords, 'options' | 'pluginOptions'>

const ofEachPlugin = (declared: SchemaWords['pluginOptions']) => ({
  type: 'object',
  properties: Object.fromEntries([...declared].map(([name, properties]) => [name, { type: 'object', properties }])),
})

/** The forms by which schema files of another server are read: that of a type, that of a component, and those of attributes. */
function readingForms({ kinds, options: declared, pluginOptions: ofPlugins }: Omit<SchemaWords, 'dormant'>) {
  const ofType = (form: typeof typeSchema | typeof componentSchema) => {
    const { attributes: _, info, ...properties } = wider(form).properties
    // The names in it have to be there, and are for the check to miss.
    const named = { type: 'object', properties: info.properties }
    const read = { type: 'object', properties: { ...properties, info: named } }
    return whole(read, { options: declared, pluginOptions: ofPlugins })
  }
  const pluginOptions = ofEachPlugin(ofPlugins)
  const ofAttribute = ({ options }: AttributeKind) => ({
    type: 'object',
    properties: { ...attributeWords, ...options, pluginOptions },
  })
  return {
    type: ofType(typeSchema),
    component: ofType(componentSchema),
    attributes: new Map([...kinds.values()].map(kind => [kind.name, ofAttribute(kind)])),
  }
}

/** A definition without words that this server cannot use and attributes that it cannot serve, and the notes about both. */
export interface Readable {
  readonly definition: Definition
  readonly unserved: readonly string[]
  readonly notes: readonly string[]
}

/**
 * Reads schema files that another server accepts: an option of another type is ignored, or read as JavaScript reads it. Words
 * that a type cannot do without, and those that the other server refuses too, are left for the check.
 */
export function schemaReader(words: SchemaWords): (definition: Definition) => Readable {
  const { kinds } = words
  const forms = readingForms(words)

  function read({ uid, source, schema }: Definition): Readable {
    const findings = new Findings(source, true)
    const unserved: string[] = []
    const { attributes, collectionName, ...rest } = schema
    const { value, changed } = fitTo(rest, uid.includes('::') ? forms.type : forms.component)
    findings.changed('', changed)
    const read = { ...(value as object), attributes: readAttributes(findings, unserved, attributes) }
    // Another table than the file means would look as if everything were gone: a wrong name is for the check.
    const isNamed = collectionName !== undefined && collectionName !== null && collectionName !== ''
    const definition = { uid, source, schema: { ...read, ...(isNamed && { collectionName }) } }
    return { definition, unserved, notes: findings.notes }
  }

  function readAttributes(findings: Findings, unserved: string[], attributes: unknown): unknown {
    if (!isSection(attributes)) return attributes
    const entries = Object.entries(attributes).flatMap(([name, value]) => {
      const place = `attribute "${name}"`
      const isNamed = sayable.test(name)
      if (!isNamed) findings.note(`${place} is not served: requests cannot name it`)
      const read = isNamed ? readAttribute(findings, place, value) : undefined
      if (read === undefined) unserved.push(name)
      return read === undefined ? [] : [[name, read] as const]
    })
    return Object.fromEntries(entries)
  }

  /** The attribute as it can be served; undefined if it cannot be. */
  function readAttribute(findings: Findings, place: string, value: unknown): unknown {
    const kind = isSection(value) ? kinds.get(String(value.type)) : undefined
    if (!kind) return value
    const { value: read, changed } = fitTo(value, forms.attributes.get(kind.name) as object)
    findings.changed(`${place}: `, changed)
    const attribute = read as CheckedAttribute
    // Null sets nothing, but for a relation that is as good as a name that is not there.
    const said = kind.kind === 'link' ? kind.check?.(value as CheckedAttribute) : undefined
    const wrong = kind.check?.(attribute)
    const reason = wrong ?? said
    if (reason === undefined) return attribute
    // The option at fault is the one without which nothing is wrong.
    const faulty =
      wrong === undefined
        ? undefined
        : Object.keys(kind.options ?? {}).find(
            option => Object.hasOwn(attribute, option) && kind.check?.(without(attribute, option)) === undefined,
          )
    if (faulty !== undefined) {
      findings.note(`${place}: ${reason}; ${faulty} is ignored`)
      return without(attribute, faulty)
    }
    const plain = kind.kind === 'value' ? plainOf(kind) : undefined
    if (plain === undefined) {
      findings.note(`${place} is not served: ${reason}`)
      return undefined
    }
    findings.note(`${place}: ${reason}; it is served as ${plain}, and cannot be written`)
    const { private: isPrivate, column } = attribute
    return { type: plain, writable: false, ...(isPrivate && { private: true }), ...(column && { column }) }
  }

  /** A kind that is stored alike and needs no options. */
  const plainOf = ({ as }: ValueType): string | undefined =>
    [...kinds.values()].find(
      kind => kind.kind === 'value' && kind.as === as && kind.check?.({ type: kind.name }) === undefined,
    )?.name

  return read
}

type CheckedAttribute = Parameters<NonNullable<AttributeKind['check']>>[0]

const without = (attribute: CheckedAttribute, option: string): CheckedAttribute =>
  Object.fromEntries(Object.entries(attribute).filter(([key]) => key !== option)) as unknown as CheckedAttribute

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

/** Errors of the options that an attribute has: most attributes have few, and compiling takes longer than checking. */
function wrongOptions(attribute: unknown, options: Options): ErrorObject[] {
  return Object.entries(options).flatMap(([option, schema]) => {
    if (fieldOf(attribute, option) === undefined) return []
    return wrongIn(attribute, { type: 'object', properties: { [option]: schema } })
  })
}

function wrongIn(value: unknown, schema: object): readonly ErrorObject[] {
  const validate = validatorOf(schema)
  return validate(value) ? [] : validate.errors
}

/**
 * Checks the form of schema files; links from one type to another are the registry's to check. If the files are another server's
 * as well, an unknown word is a note: it may be that server's.
 */
export function schemaChecker(
  { kinds, dormant, options: declared, pluginOptions: ofPlugins }: SchemaWords,
  lenient: boolean,
) {
  const options = { ...ownOptions, ...declared }
  const pluginOptions = ofEachPlugin(ofPlugins)
  const misspeltPluginOptions = (value: unknown): Misspelling[] => [
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
    const errors = wrongOptions(value, { ...attributeWords, ...kind.options, pluginOptions })
    findings.wrong(`${place}: `, errors)
    const reason =
      errors.length === 0 ? kind.check?.(value as Parameters<NonNullable<typeof kind.check>>[0]) : undefined
    if (reason !== undefined) findings.problem(`${place}: ${reason}`)
    findings.misspelt(`${place}: `, [
      ...misspelt(
        value,
        [...Object.keys(attributeWords), 'pluginOptions', ...Object.keys(kind.options ?? {})],
        '',
        foreign,
      ),
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
    const errors = wrongIn(schema, whole(lenient ? wider(form) : form, { options: declared, pluginOptions: ofPlugins }))
    findings.wrong('', errors)
    if (errors.length > 0 && findings.problems.length > 0) return findings
    for (const [name, value] of Object.entries(schema.attributes as Record<string, unknown>))
      checkAttribute(findings, name, value)
    return findings
  }
}

/** The problems and notes about one schema file. */
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

  misspelt(place: string, found: readonly Misspelling[]): void {
    for (const { key, meant } of found)
      if (this.#lenient) this.note(`${place}"${key}" is not an option and is ignored; did you mean "${meant}"?`)
      else this.problem(`${place}"${key}" is not an option; did you mean "${meant}"?`)
  }

  /** Options that are left out or read otherwise; a number that is written as text means the number. */
  changed(place: string, all: readonly ChangedValue[]): void {
    for (const { error, used } of all)
      if (used === undefined) this.note(`${place}${sentenceOf(error, words)}; it is ignored`)
      else if (typeof used === 'boolean') this.note(`${place}${sentenceOf(error, words)}; it counts as ${used}`)
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

interface Misspelling {
  readonly key: string
  readonly meant: string
}

/** An unknown key may be another program's; one that is nearly a known key is a mistake. */
function misspelt(
  value: unknown,
  known: readonly string[],
  place = '',
  foreign: readonly string[] = [],
): Misspelling[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.keys(value).flatMap(key => {
    const meant = known.includes(key) || foreign.includes(key) ? undefined : nearest(key, known)
    return meant === undefined ? [] : [{ key: `${place}${key}`, meant: `${place}${meant}` }]
  })
}

const fieldOf = (value: unknown, key: string): unknown =>
  (value as Readonly<Record<string, unknown>> | undefined)?.[key]
