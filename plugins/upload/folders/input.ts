import { ValidationError } from '../../../core/index.js'

/** Files and folders that one request names. */
export interface Chosen {
  readonly files: readonly number[]
  readonly folders: readonly number[]
}

/** Files and folders that one request may name, and files that it may delete. */
export const mostAtOnce = 1000

const longestName = 255

export function wrong(name: string, reason: string): ValidationError {
  const message = `${name} ${reason}`
  return ValidationError.of([{ path: [name], message, name: 'ValidationError' }])
}

/** The body of a request, which has no other names than these. */
export function bodyOf(body: unknown, names: readonly string[]): Readonly<Record<string, unknown>> {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new ValidationError(`The body must be an object with ${names.join(', ')}`)
  const unknown = Object.keys(body).find(name => !names.includes(name))
  if (unknown !== undefined) throw wrong(unknown, `is no name of this body; it takes ${names.join(', ')}`)
  return body as Readonly<Record<string, unknown>>
}

export function nameIn(value: unknown): string {
  if (typeof value !== 'string' || value.trim() === '') throw wrong('name', 'must be a text that is not empty')
  const name = value.trim()
  if (name.length > longestName) throw wrong('name', `must be at most ${longestName} characters`)
  if (name.includes('/')) throw wrong('name', 'must have no slash')
  return name
}

/** A folder by its id; null is the place beside all folders. */
export function placeIn(name: string, value: unknown): number | null {
  if (value === null) return null
  const id = idIn(value)
  if (id === undefined) throw wrong(name, 'must be the id of a folder, or null')
  return id
}

export function chosenIn({ files = [], folders = [] }: Readonly<Record<string, unknown>>): Chosen {
  const chosen = { files: idsIn('files', files), folders: idsIn('folders', folders) }
  const count = chosen.files.length + chosen.folders.length
  if (count === 0) throw new ValidationError('Name some files or folders')
  if (count > mostAtOnce)
    throw wrong('files', `and folders name ${count}, more than the ${mostAtOnce} of one request; send several`)
  return chosen
}

function idsIn(name: string, value: unknown): readonly number[] {
  const ids = Array.isArray(value) ? value.map(idIn) : [undefined]
  if (ids.includes(undefined)) throw wrong(name, 'must be a list of ids')
  return [...new Set(ids as number[])]
}

function idIn(value: unknown): number | undefined {
  const id = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
  return typeof id === 'number' && Number.isSafeInteger(id) && id > 0 ? id : undefined
}
