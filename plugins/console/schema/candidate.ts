import { ValidationError } from '../../../core/index.js'
import { isRecord } from '../../pages/values/records.js'
import { written } from '../model/schema/text.js'
import type { PlanRequest, WriteRequest } from '../model/schema.js'
import type { FileTexts } from './files.js'

/** Files and characters of one request: schema files have a few kilobytes. */
const mostFiles = 200
const mostLetters = 500_000

/** Files in place of those of the app, by their paths; null where there is to be none. */
export type Candidate = ReadonlyMap<string, string | null>

const name = '[A-Za-z0-9][A-Za-z0-9_-]*'
const places = [
  `content-types/${name}(/schema)?\\.json`,
  `content-types/plugins/${name}/${name}(/schema)?\\.json`,
  `content-types/components/${name}/${name}\\.json`,
  `src/api/${name}/content-types/${name}/schema\\.json`,
  `src/extensions/${name}/content-types/${name}/schema\\.json`,
  `src/components/${name}/${name}\\.json`,
].map(place => new RegExp(`^${place}$`))

/** The files of a request: a text as it is, an object in the form of the file that there is. */
export function candidateIn(given: PlanRequest['files'], files: FileTexts): Candidate {
  const entries = Object.entries(given ?? {})
  if (entries.length > mostFiles)
    throw new ValidationError(`files: ${entries.length} are too many; at most ${mostFiles}`)
  return new Map(entries.map(([path, value]) => [path, textOf(path, value, files)] as const))
}

const keys = {
  files: '{ "<path>": <text, object or null> }',
  removals: 'true or false',
  seal: 'a text, as the plan has it',
  loses: 'a number, as the plan has it',
} as const

const fits: Readonly<Record<keyof typeof keys, (value: unknown) => boolean>> = {
  files: isRecord,
  removals: value => typeof value === 'boolean',
  seal: value => typeof value === 'string',
  loses: value => typeof value === 'number',
}

/** The body of a request that has some of these keys; all of them may be left out. */
export function bodyWith(accepts: readonly (keyof typeof keys)[], body: unknown): WriteRequest {
  if (!isRecord(body)) throw new ValidationError(`The body is an object with ${accepts.join(', ')}`, { accepts })
  for (const [key, value] of Object.entries(body)) {
    const known = accepts.find(name => name === key)
    if (!known) throw new ValidationError(`${key} is unknown; accepted are ${accepts.join(', ')}`, { accepts })
    if (!fits[known](value)) throw new ValidationError(`${key} is ${keys[known]}`, { accepts })
  }
  return body
}

function textOf(path: string, value: unknown, files: FileTexts): string | null {
  const before = files.text(path)
  const isPlace = before !== undefined || places.some(place => place.test(path))
  if (!isPlace)
    throw wrong(
      path,
      'is no place of a schema file; accepted are content-types/<name>.json, content-types/components/<category>/<name>.json, src/api/<api>/content-types/<name>/schema.json and src/components/<category>/<name>.json',
    )
  if (value === null && before === undefined) throw wrong(path, 'is not there, so that it cannot be removed')
  if (value === null) return null
  if (typeof value !== 'string' && !isRecord(value)) throw wrong(path, 'is a text, an object, or null')
  const text = typeof value === 'string' ? value : written(value, before)
  if (text.length > mostLetters) throw wrong(path, `has ${text.length} characters; at most ${mostLetters}`)
  return text
}

const wrong = (path: string, reason: string): ValidationError =>
  ValidationError.of([{ path: ['files', path], message: `${path} ${reason}`, name: 'ValidationError' }])
