import type { Context } from 'koa'
import { BadRequestError, type Caller } from '../../../core/index.js'
import { type PartLimits, readParts, type SentFile } from '../../upload/index.js'

/** The place of files that are on their way: the part of the plugin upload that is used here. */
export interface UploadPlace {
  readonly staging: string
  readonly parts: PartLimits
}

/**
 * A file of a request, as a variable of type `Upload` has it. Only the endpoint makes one, so no JSON text can stand for it. It is
 * on disk until the request has been answered; `sent` is what the plugin upload stores, once.
 */
export class UploadedFile {
  readonly sent: SentFile

  constructor(sent: SentFile) {
    this.sent = sent
  }

  get filename(): string {
    return this.sent.name
  }

  get mimetype(): string | undefined {
    return this.sent.mime
  }
}

/** The operations of a form, their files in place. */
export interface SentForm {
  readonly body: unknown
  /** Removes the files that nothing has stored. */
  readonly discard: () => Promise<void>
}

/**
 * Reads a form with operations, a map and files. The files go straight to disk, in the code of the plugin upload. A caller who may
 * not upload can send no more than fits into the fields, so that no other client fills the disk.
 */
export async function readForm(ctx: Context, { staging, parts }: UploadPlace, caller: Caller): Promise<SentForm> {
  const mayUpload = caller.can('upload', 'plugin::upload.content-api')
  const limits = mayUpload ? parts : { ...parts, body: parts.fields }
  const { fields, files, discard } = await readParts(ctx, staging, limits)
  try {
    const names = [...fields.keys()]
    if (names.indexOf('map') >= 0 && names.indexOf('map') < names.indexOf('operations'))
      throw new BadRequestError('The part "map" stands before "operations"; send operations, map, and then the files')
    const operations = partOf(fields, 'operations')
    fill(operations, pathsOf(partOf(fields, 'map')), new Map(files.map(file => [file.field, file])))
    return { body: operations, discard }
  } catch (error) {
    await discard()
    throw error
  }
}

/** A part that is a JSON object, or a list. */
function partOf(fields: ReadonlyMap<string, readonly string[]>, name: string): object {
  const [text] = fields.get(name) ?? []
  if (text === undefined)
    throw new BadRequestError(`The body has no part "${name}"; send operations, map, and then the files`)
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null) return value
  } catch {}
  throw new BadRequestError(`The part "${name}" of the body is no JSON object`)
}

/** The places of each file in the operations. */
function pathsOf(map: object): readonly (readonly [field: string, paths: readonly string[]])[] {
  return Object.entries(map).map(([field, paths]) => {
    if (!Array.isArray(paths) || paths.some(path => typeof path !== 'string'))
      throw new BadRequestError(`map: "${field}" is no list of paths, such as ["variables.file"]`)
    return [field, paths as string[]]
  })
}

function fill(operations: object, places: ReturnType<typeof pathsOf>, files: ReadonlyMap<string, SentFile>): void {
  for (const [field, paths] of places) {
    const file = files.get(field)
    if (!file) throw new BadRequestError(`The body has no file "${field}", which its map names, or it is empty`)
    const uploaded = new UploadedFile(file)
    for (const path of paths) put(operations, path, uploaded)
  }
}

/** Puts a file at `variables.files.0`, or at `1.variables.file` of a batch; a variable that no path leads to stays null. */
function put(operations: object, path: string, file: UploadedFile): void {
  const names = path.split('.')
  const last = names.at(-1) as string
  const from = Array.isArray(operations) ? 1 : 0
  const isOfVariable = names[from] === 'variables' && names.length > from + 1
  let holder: unknown = isOfVariable ? operations : undefined
  for (const name of names.slice(0, -1)) holder = isIn(holder, name) ? holder[name] : undefined
  const isPlace = Array.isArray(holder) ? isIn(holder, last) : isHolder(holder) && last !== '__proto__'
  if (isPlace) (holder as Record<string, unknown>)[last] = file
}

const isHolder = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !(value instanceof UploadedFile)

const isIn = (holder: unknown, name: string): holder is Record<string, unknown> =>
  isHolder(holder) && Object.hasOwn(holder, name)
