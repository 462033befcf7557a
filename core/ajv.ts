import { Ajv, type AnySchemaObject, type ErrorObject, type Options, type ValidateFunction } from 'ajv'
import { nearest } from './kit/nearest.js'

/** `any` allows infinite numbers, which JSON has no word for. */
export type Numbers = 'finite' | 'any'

/**
 * The options of compiling. Schemas belong to the program: that they are schemas is not checked, as the schema of schemas would
 * have to be compiled first, which takes longer than all others (keywords check their values all the same), and schemas that run
 * once or twice are not optimized.
 */
const options = (numbers: Numbers): Options => ({
  allErrors: true,
  verbose: true,
  useDefaults: true,
  strict: false,
  strictNumbers: numbers === 'finite',
  meta: false,
  validateSchema: false,
  addUsedSchema: false,
  code: { optimize: false },
})

const compilers: Partial<Record<Numbers, Ajv>> = {}
const compiled = new Map<string, ValidateFunction>()

/** Says whether a value keeps to a schema, and holds the errors afterwards. */
export interface Validator<T> {
  (value: unknown): value is T
  errors: readonly ErrorObject[]
}

/** The validator of a schema: it is compiled for its first value, and once for all schemas that say the same. */
export function validatorOf<T = unknown>(schema: AnySchemaObject, numbers: Numbers = 'any'): Validator<T> {
  let check: ValidateFunction | undefined
  const validate: Validator<T> = (value): value is T => {
    check ??= compiledOf(schema, numbers)
    const isValid = check(value)
    validate.errors = check.errors ?? []
    return isValid
  }
  validate.errors = []
  return validate
}

function compiledOf(schema: AnySchemaObject, numbers: Numbers): ValidateFunction {
  const key = `${numbers} ${JSON.stringify(schema)}`
  compilers[numbers] ??= new Ajv(options(numbers))
  const known = compiled.get(key) ?? compilers[numbers].compile(schema)
  compiled.set(key, known)
  return known
}

/** An alternative that does not fit fails once as a whole and once per branch; only the whole is worth a sentence. */
export function foremost(errors: readonly ErrorObject[]): ErrorObject[] {
  const wholes = errors.filter(error => error.keyword === 'anyOf').map(error => error.instancePath)
  const shortest = wholes.filter(path => !wholes.some(other => path.startsWith(`${other}/`)))
  return errors.filter(error =>
    error.keyword === 'anyOf'
      ? shortest.includes(error.instancePath)
      : !shortest.some(path => `${error.instancePath}/`.startsWith(`${path}/`)),
  )
}

/** The words of messages about one kind of file. */
export interface Words {
  /** Names the place of an error, by the keys that lead to it. */
  place(path: readonly string[]): string
  /** The predicate of an unknown key, behind its place: "is not a setting". */
  readonly unknown: string
  /** Writes the name that such a key most likely meant, by the keys that lead to it. */
  name(path: readonly string[]): string
  /** Lists the known names, if none is near. */
  others(known: readonly string[]): string
  /** Chooses the properties of an object that are offered; all of them by default. */
  known?(parent: AnySchemaObject): readonly string[]
  /** The sentence about a value that is not accepted. */
  wrong(place: string, error: ErrorObject, path: readonly string[]): string
}

/** The sentence about one error of a validator, in the words of its file; the validator must be `verbose`. */
export function sentenceOf(error: ErrorObject, words: Words): string {
  const path = pathOf(error)
  const place = words.place(path)
  if (error.keyword !== 'additionalProperties') return words.wrong(place, error, path)
  const parent = error.parentSchema ?? {}
  return `${place} ${words.unknown}; ${advice(path, words.known?.(parent) ?? Object.keys(parent.properties ?? {}), words)}`
}

/** The known name that is nearest to an unknown one, or else all known names. */
export function advice(
  path: readonly string[],
  known: readonly string[],
  { name, others }: Pick<Words, 'name' | 'others'>,
): string {
  const meant = nearest(path.at(-1) ?? '', known)
  return meant === undefined ? others(known) : `did you mean ${name([...path.slice(0, -1), meant])}?`
}

/** The keys that lead to the place of an error, an unknown one included. */
function pathOf({ instancePath, params }: ErrorObject): string[] {
  const path = instancePath
    .split('/')
    .slice(1)
    .map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'))
  return params.additionalProperty === undefined ? path : [...path, params.additionalProperty]
}
