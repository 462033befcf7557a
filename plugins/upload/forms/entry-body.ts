import {
  BadRequestError,
  type BodyPlace,
  type ContentType,
  type Entry,
  type Host,
  type Issue,
  type ReadBody,
  ValidationError,
} from '../../../core/index.js'
import { fileUid } from '../content-types.js'
import type { Files } from '../files.js'
import { fingerprintOf } from './fingerprint.js'
import { type FormParts, readParts, type SentFile } from './multipart.js'

/** A request with files of its own, as the routes of this plugin take it. */
export interface SentFiles {
  readonly files: readonly SentFile[]
  readonly fields: FormParts['fields']
}

export type EntryHost = Pick<Host, 'entries' | 'types'>

/**
 * Reads a multipart body. For entries it becomes the equivalent of a JSON body: the files are stored, and their ids stand
 * in `data` where `files.<path>` says.
 */
export async function readMultipart(
  { ctx, caller, uid, action, fingerprinted }: BodyPlace,
  files: Files,
  host: EntryHost,
  legacy: boolean,
): Promise<ReadBody> {
  const { staging, parts: limits } = files.place
  if (uid === contentApi) {
    const parts = await readParts(ctx, staging, limits)
    const { files, fields, discard } = parts
    try {
      return { body: { files, fields }, release: discard, ...(await printed(parts, fingerprinted)) }
    } catch (error) {
      await discard()
      throw error
    }
  }
  const type = host.types.types.get(uid ?? '')
  // A route that takes no files cannot be used to fill the disk.
  if (!type?.routed || (action !== 'create' && action !== 'update'))
    throw new BadRequestError('This route takes no files; send the body as application/json')
  const parts = await readParts(ctx, staging, takesFiles(type) ? limits : { ...limits, body: limits.fields })
  try {
    const print = await printed(parts, fingerprinted)
    const data = dataOf(parts)
    const id = action === 'update' ? ctx.params.id : undefined
    const current = action === 'update' ? await currentOf(type, id, parts, host) : undefined
    const places = placesOf(parts.files, { type, data, current }, legacy)
    const waiting = await files.addFor(
      places.flatMap(({ files }) => files),
      [],
      caller,
    )
    const ids = [...waiting.ids]
    const stored = places.flatMap(({ list }) => list?.stored ?? [])
    const seen = new Set(await seenFiles(caller, host, stored))
    for (const { files, put, list } of places) {
      const kept = list?.stored.filter(id => seen.has(id)) ?? []
      put?.(ids.splice(0, files.length), kept)
    }
    const release = (failed: boolean) => waiting.settle(failed)
    return { body: { data }, release, ...print }
  } finally {
    await parts.discard()
  }
}

const printed = async (parts: FormParts, isAsked: boolean): Promise<Pick<ReadBody, 'fingerprint'>> =>
  isAsked ? { fingerprint: await fingerprintOf(parts) } : {}

/** The uid under which permissions for the routes of this plugin are granted. */
export const contentApi = 'plugin::upload.content-api'

const takers = new WeakMap<ContentType, boolean>()

/** True if an entry can have files: in an attribute of its own, or in its components. */
export function takesFiles(type: ContentType, above: readonly ContentType[] = []): boolean {
  const known = takers.get(type)
  if (known !== undefined) return known
  const takes = [...type.links.values()].some(
    ({ attribute, embedded, types }) =>
      attribute.type === 'media' ||
      (embedded && types().some(part => !above.includes(part) && takesFiles(part, [...above, type]))),
  )
  if (above.length === 0) takers.set(type, takes)
  return takes
}

function dataOf({ fields }: FormParts): Record<string, unknown> {
  const [text] = fields.get('data') ?? []
  if (text === undefined) throw ValidationError.missingData()
  try {
    const data: unknown = JSON.parse(text)
    if (typeof data === 'object' && data !== null && !Array.isArray(data)) return data as Record<string, unknown>
  } catch {}
  throw new ValidationError('The part "data" must hold a JSON object')
}

/** Files of an entry as far as the caller sees them: a list that is written keeps the others. */
export async function seenFiles(
  caller: BodyPlace['caller'],
  { entries }: Pick<Host, 'entries'>,
  ids: readonly number[],
): Promise<readonly number[]> {
  const rows = caller.rows?.('find', fileUid)
  if (ids.length === 0 || !rows) return ids
  const found = await entries(fileUid).find({ where: { $and: [{ id: { $in: ids } }, rows] }, fields: ['id'] })
  const seen = new Set(found.map(({ id }) => Number(id)))
  return ids.filter(id => seen.has(id))
}

/** A place in the data that takes files. */
interface Taker {
  /** Writes the ids of new files there, behind those of a list that stay. */
  readonly put: (ids: readonly number[], kept: readonly number[]) => void
  /** The list of files that the entry has there. */
  readonly list?: { readonly stored: readonly number[] }
}

/** Sent files, and their place: none where no attribute is meant. */
interface FilePlace extends Partial<Taker> {
  readonly files: readonly SentFile[]
}

function placesOf(files: readonly SentFile[], root: Spot, legacy: boolean): FilePlace[] {
  const byField = new Map<string, SentFile[]>()
  for (const file of files) {
    if (!/^files\../.test(file.field))
      throw new BadRequestError(
        `When using multipart/form-data you need to provide your files by prefixing them with the 'files'.\nFor example, when a media file is named "avatar", make sure the form key name is "files.avatar"`,
        'BadRequestError',
        {},
      )
    byField.set(file.field, [...(byField.get(file.field) ?? []), file])
  }
  const issues: Issue[] = []
  const places = [...byField].map(([field, files]): FilePlace => {
    const taker = placeOf(root, pathOf(field))
    if (typeof taker !== 'string') return { files, ...taker }
    issues.push({ path: [field], message: `${field}: ${taker}`, name: 'ValidationError' })
    return { files }
  })
  if (issues.length > 0 && !legacy) throw ValidationError.of(issues)
  return places
}

/** `files.slides[1].image` and `files.slides.1.image` */
const pathOf = (field: string): string[] =>
  field
    .split(/[.[\]]+/)
    .filter(Boolean)
    .slice(1)

/** A place in the body, with the entry's current value. */
interface Spot {
  readonly data: Record<string, unknown>
  readonly current: Entry | undefined
  readonly type: ContentType
}

/** The place at the end of a path, or the reason why the path takes no files. */
function placeOf(spot: Spot, [name = '', ...rest]: readonly string[]): Taker | string {
  const { data, current, type } = spot
  const link = type.links.get(name)
  if (!link?.writable) return `${type.uid} has no attribute "${name}" that takes files`
  if (link.attribute.type === 'media' && rest.length === 0) return takerOf(link.many, { data, current, type }, name)
  if (!link.embedded || rest.length === 0) return `${type.uid} has no media attribute "${name}"`
  const [index, inner] = link.many ? [Number(rest[0]), rest.slice(1)] : [0, rest]
  data[name] ??= skeletonOf(current?.[name])
  const part = [data[name]].flat()[index] as Record<string, unknown> | undefined
  if (typeof part !== 'object' || part === null) return `there is no such component in "${name}"`
  const uid = link.shape === 'zone' ? part.__component : link.targets?.[0]
  const partType = link.types().find(one => one.uid === uid)
  const known = ([current?.[name]].flat() as (Entry | undefined)[]).find(one => one?.id === part.id)
  return partType
    ? placeOf({ data: part, current: known, type: partType }, inner)
    : `there is no such component in "${name}"`
}

/** Several files join a list, and one takes the place of another. */
function takerOf(many: boolean, { data, current }: Spot, name: string): Taker {
  const put: Taker['put'] = (ids, kept) => {
    data[name] = many ? [...listed(data[name], kept), ...ids] : ids.at(-1)
  }
  return { put, ...(many && { list: { stored: idsIn(current?.[name]) } }) }
}

/** The list that the data has, with the stored files that stay where it has none, or only takes some away. */
function listed(sent: unknown, kept: readonly number[]): readonly unknown[] {
  if (sent === undefined) return kept
  if (sent === null) return []
  const { set, disconnect } = Object(sent) as { set?: unknown; disconnect?: unknown }
  if (set !== undefined) return [set].flat()
  if (disconnect === undefined) return [sent].flat()
  const gone = new Set([disconnect].flat().map(one => Number(Object(one).id ?? one)))
  return kept.filter(id => !gone.has(id))
}

const idsIn = (files: unknown): number[] => (Array.isArray(files) ? files.map(({ id }) => Number(id)) : [])

/** Components as a request names those that are to stay as they are. */
function skeletonOf(value: unknown): unknown {
  const one = ({ id, __component }: Entry) => ({ id, ...(__component !== undefined && { __component }) })
  return Array.isArray(value) ? value.map(one) : value ? one(value as Entry) : undefined
}

/** The entry as far as the paths of the files lead through it; single types have one that needs no id. */
async function currentOf(
  type: ContentType,
  id: unknown,
  { files }: FormParts,
  { entries }: EntryHost,
): Promise<Entry | undefined> {
  const names = new Set(files.map(({ field }) => pathOf(field)[0] ?? '').filter(name => type.links.has(name)))
  if (names.size === 0) return undefined
  const populate = Object.fromEntries(
    [...names].map(name => [name, type.links.get(name)?.embedded ? { populate: '*' } : true]),
  )
  const where = type.kind === 'singleType' ? {} : { id: { $eq: Number(id) } }
  return Number.isSafeInteger(Number(id ?? 0)) ? entries(type.uid).first({ where, populate, sort: 'id' }) : undefined
}
