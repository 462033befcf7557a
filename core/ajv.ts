import { Ajv, type AnySchemaObject, type ErrorObject, type Options } from 'ajv'
import { nearest } from './nearest.js'

/**
 * A compiler of schemas that belong to the program. They are compiled at every start and used once or twice, so what
 * counts is how long that takes: no check of the schema by the schema of schemas, which is compiled first and takes most
 * of the time (keywords check their values all the same), and no optimising of what runs once.
 */
export function compiler(options: Options): Ajv {
  return new Ajv({ meta: false, validateSchema: false, code: { optimize: false }, ...options })
}

/** The words that say what is wrong with one kind of file. */
export interface Words {
  /** How the place of an error is called, by the keys that lead to it. */
  place(path: readonly string[]): string
  /** What follows the place of an unknown key: "is not a setting". */
  readonly unknown: string
  /** How the name is written that such a key most likely meant, by the keys that lead to it. */
  name(path: readonly string[]): string
  /** What there is to choose from, where no name is near. */
  others(known: readonly string[]): string
  /** Which properties of an object are offered; all of them unless this says otherwise. */
  known?(parent: AnySchemaObject): readonly string[]
  /** The sentence about a value that is not accepted. */
  wrong(place: string, error: ErrorObject, path: readonly string[]): string
}

/** What one error of a validator says, in the words of its file; the validator must be `verbose`. */
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
