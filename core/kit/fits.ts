/** A JSON schema, as far as this file looks at it. */
type Schema = Readonly<Record<string, unknown>>

/**
 * Says without compiling it that a value keeps to a JSON schema, and puts defaults into the value. A compiled schema pays off
 * after hundreds of values; a start has one or two for each of its schemas, nearly all of them right. False means that it is
 * not certain: the value may be wrong, or the schema has a word or a mistake that is for the compiler.
 */
export function fits(value: unknown, schema: unknown): boolean {
  return isObject(schema) && Object.entries(schema).every(([word, said]) => words.get(word)?.(said, value, schema))
}

/** The value of a property that is not there: only its schema is looked at. */
const absent = Symbol('absent')

type Word = (said: unknown, value: unknown, schema: Schema) => boolean

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isText = (value: unknown): value is string => typeof value === 'string'
const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)

const types: Readonly<Record<string, (value: unknown) => boolean>> = {
  object: isObject,
  array: Array.isArray,
  string: isText,
  number: isNumber,
  integer: Number.isInteger,
  boolean: value => typeof value === 'boolean',
  null: value => value === null,
}

const isAnything: Word = () => true

/** A value of no properties: defaults of an alternative are for no value. */
const isFlat = (value: unknown) => [value].flat().every(one => Object(one) !== one)
const areSound = (schemas: unknown): schemas is unknown[] =>
  Array.isArray(schemas) && schemas.every(schema => fits(absent, schema))
const isOther = (value: unknown, schema: unknown) => isObject(schema) && 'const' in schema && schema.const !== value

const numberOf = (value: unknown) => (typeof value === 'number' ? value : undefined)
const lengthOf = (value: unknown) => (isText(value) ? [...value].length : undefined)
const countOf = (value: unknown) => (Array.isArray(value) ? value.length : undefined)

type Size = (value: unknown) => number | undefined
const atLeast =
  (sizeOf: Size): Word =>
  (said, value) =>
    isNumber(said) && (sizeOf(value) ?? said) >= said
const atMost =
  (sizeOf: Size): Word =>
  (said, value) =>
    isNumber(said) && (sizeOf(value) ?? said) <= said

const words: ReadonlyMap<string, Word> = new Map<string, Word>([
  ['description', isAnything],
  ['default', isAnything],
  ['minimum', atLeast(numberOf)],
  ['maximum', atMost(numberOf)],
  ['minLength', atLeast(lengthOf)],
  ['maxLength', atMost(lengthOf)],
  ['minItems', atLeast(countOf)],
  ['maxItems', atMost(countOf)],
  ['pattern', (said, value) => isText(said) && (!isText(value) || new RegExp(said, 'u').test(value))],
  ['const', (said, value) => value === absent || value === said],
  ['not', (said, value) => fits(absent, said) && (value === absent || isOther(value, said))],
  ['oneOf', (said, value) => areSound(said) && value === absent],
  [
    'anyOf',
    (said, value) => areSound(said) && (value === absent || (isFlat(value) && said.some(one => fits(value, one)))),
  ],
  ['enum', (said, value) => Array.isArray(said) && (value === absent || said.includes(value))],
  [
    'type',
    (said, value) => {
      const known = [said].flat().map(type => types[String(type)])
      return known.every(Boolean) && (value === absent || known.some(isOfType => isOfType?.(value)))
    },
  ],
  [
    'required',
    (said, value) => Array.isArray(said) && (!isObject(value) || said.every(name => value[name] !== undefined)),
  ],
  [
    'properties',
    (said, value) =>
      isObject(said) && Object.entries(said).every(([name, schema]) => fits(held(value, name, schema), schema)),
  ],
  [
    'additionalProperties',
    (said, value, { properties = {} }) => {
      const others = isObject(value) ? Object.keys(value).filter(name => !Object.hasOwn(Object(properties), name)) : []
      if (typeof said === 'boolean') return said || others.length === 0
      return fits(absent, said) && others.every(name => fits(Object(value)[name], said))
    },
  ],
  ['propertyNames', (said, value) => fits(absent, said) && Object.keys(Object(value)).every(name => fits(name, said))],
  ['items', (said, value) => fits(absent, said) && (!Array.isArray(value) || value.every(item => fits(item, said)))],
])

/** The value of a property, its default where there is none. */
function held(value: unknown, name: string, schema: unknown): unknown {
  if (!isObject(value)) return absent
  if (value[name] === undefined && isObject(schema) && schema.default !== undefined)
    value[name] = structuredClone(schema.default)
  return value[name] === undefined ? absent : value[name]
}
