import {
  type Entry,
  type Finished,
  ForbiddenError,
  type NotedClaim,
  NotFoundError,
  type Route,
  type RouteCall,
  type Session,
  ValidationError,
} from '../../core/index.js'
import { refTo } from '../../core/plugin-kit.js'
import { fileUid, folderUid } from './content-types.js'
import type { AddedBy } from './files.js'
import { unknownFolder } from './folders/folder-rows.js'
import { placeIn, wrong } from './folders/input.js'
import { libraryUid } from './folders/routes.js'
import { contentApi, type SentFiles, seenFiles } from './forms/entry-body.js'
import { sentForm } from './forms/form-shape.js'
import { type FileInfo, readInfos } from './forms/info.js'
import { idsOf, noteOf } from './rows.js'
import type { Upload } from './upload.js'

type Call = RouteCall<Upload>

const base = { uid: contentApi }
const file = refTo(fileUid)
const number = { type: 'integer', minimum: 0 }

/** The routes of Strapi 4, under the names by which its roles allow them. */
export const routes: readonly Route<Upload>[] = [
  {
    ...base,
    method: 'POST',
    path: '/upload',
    describe: 'take files, or change one with ?id=',
    action: 'upload',
    asks: { id: { type: 'integer', minimum: 1 } },
    accepts: { media: 'multipart/form-data', schema: sentForm },
    answers: { anyOf: [{ type: 'array', items: file }, file] },
    run: post,
  },
  {
    ...base,
    method: 'GET',
    path: '/upload/files',
    describe: 'list files',
    action: 'find',
    asks: { start: number, limit: { type: 'integer' } },
    asksAs: { uid: fileUid, action: 'find' },
    answers: { entries: fileUid },
    run: list,
  },
  {
    ...base,
    method: 'GET',
    path: '/upload/files/:id',
    describe: 'one file',
    action: 'findOne',
    asksAs: { uid: fileUid, action: 'findOne' },
    answers: { entry: fileUid },
    run: one,
  },
  {
    ...base,
    method: 'DELETE',
    path: '/upload/files/:id',
    describe: 'delete a file',
    action: 'destroy',
    answers: { entry: fileUid },
    run: remove,
  },
]

async function post(call: Call): Promise<unknown> {
  const { files, fields } = sentIn(call.body)
  const infos = readInfos(fields.fileInfo)
  const { id } = call.query
  if (id !== undefined) {
    if (fields.folder !== undefined)
      throw wrong('folder', 'is for new files; POST /upload/move moves those that are there')
    const [file, second] = files
    if (second) throw new ValidationError('Cannot replace a file with multiple ones')
    return changeFile(call, id, infos[0] ?? {}, file)
  }
  const { ref, refId, field } = fields
  const folder = fields.folder === undefined ? undefined : await folderFor(call, fields.folder)
  return takeFiles(call, { files, infos, target: { ref, refId, field }, folder })
}

/** The folder that a form names for its files; an empty text is the place beside all folders. */
async function folderFor({ caller, service: { host } }: Call, sent: unknown): Promise<number | null> {
  if (!caller.can('findFolders', libraryUid))
    throw new ForbiddenError().because(`the caller needs findFolders on ${libraryUid}`)
  const id = placeIn('folder', sent === '' ? null : sent)
  if (id !== null && (await host.entries(folderUid).count({ id: { $eq: id } })) === 0) throw unknownFolder('folder', id)
  return id
}

type FileCall = Pick<Call, 'caller' | 'content' | 'service'>

/** Files as a request brings them. */
export interface Brought {
  readonly files: SentFiles['files']
  readonly infos: readonly FileInfo[]
  /** The attribute of an entry that they are for; all of it or nothing. */
  readonly target?: { readonly [Name in keyof Target]: unknown }
  readonly folder?: AddedBy['folder']
}

/** Stores files in the name of the caller, who may upload. */
export async function takeFiles(call: FileCall, { files, infos, target, folder }: Brought): Promise<readonly Entry[]> {
  const { caller, content, service } = call
  if (files.length === 0) throw new ValidationError('Files are empty')
  const { ref, refId, field } = target ?? {}
  const isTargeted = ref !== undefined || refId !== undefined || field !== undefined
  if (isTargeted && folder !== undefined)
    throw wrong('folder', 'cannot be sent with ref: files of an entry go where those of the API go')
  const place = { ref: String(ref), refId: String(refId), field: String(field) }
  return content.once({
    write: claim =>
      isTargeted
        ? addTo(call, place, { files, infos }, claim)
        : service.files.add(files, infos, { caller, claim, folder }),
    read: note => service.files.added(idsOf(note)),
  })
}

/** Changes what is said of a file, and its content where one is sent, in the name of the caller, who may upload. */
export async function changeFile(
  { service, caller, content }: FileCall,
  sentId: unknown,
  info: FileInfo,
  file?: SentFiles['files'][number],
): Promise<Entry> {
  // Changing existing files requires more than the permission to add files.
  if (!service.legacy && !caller.can('destroy', contentApi))
    throw new ForbiddenError().because(`the caller needs destroy on ${contentApi}`)
  const id = Number(sentId)
  const known = Number.isSafeInteger(id) ? id : 0
  // Its content is replaced before its row is written, so that the rules for rows are looked at first.
  if (caller.rows?.('update', fileUid))
    await found(content.findOne(fileUid, known, { query: 'fields[0]=id', permission: 'update', whole: true }))
  return file ? service.files.replace(known, file, info, caller) : service.files.describe(known, info, { caller })
}

/** The parts of a form that belong to this route: the files, and the last of each field, but all of `fileInfo`. */
function sentIn(body: unknown): { files: SentFiles['files']; fields: Record<string, unknown> } {
  const { files, fields } = (body ?? {}) as Partial<SentFiles>
  if (!(fields instanceof Map)) return { files: [], fields: Object(body) }
  const last = Object.fromEntries([...fields].map(([name, values]) => [name, values.at(-1)]))
  return {
    files: (files ?? []).filter(({ field }) => field === 'files'),
    fields: { ...last, fileInfo: fields.get('fileInfo') },
  }
}

interface Target {
  readonly ref: string
  readonly refId: string
  readonly field: string
}

/** Files for an attribute of an entry: it is the entry that is changed, so the caller must be allowed to. */
async function addTo(
  { service: { files, host, legacy }, caller, content }: FileCall,
  { ref, refId, field }: Target,
  sent: Pick<Brought, 'files' | 'infos'>,
  claim: NotedClaim,
): Promise<readonly Entry[]> {
  const type = host.types.types.get(ref)
  const link = type?.links.get(field)
  if (!type || type.kind === 'component') throw new ValidationError(`ref: there is no content type "${ref}"`)
  if (link?.attribute.type !== 'media') throw new ValidationError(`field: ${ref} has no media attribute "${field}"`)
  if (!caller.can('update', ref)) throw new ForbiddenError().because(`the caller needs update on ${ref}`)
  const id = /^\d{1,15}$/.test(refId) ? Number(refId) : 0
  const entry =
    id > 0 ? await host.entries(ref).first({ where: { id: { $eq: id } }, populate: { [field]: true } }) : undefined
  const absent = new ValidationError(`refId: there is no ${type.singularName} ${refId}`)
  if (!entry) throw absent
  const waiting = await files.addFor(sent.files, sent.infos, caller)
  let failed = true
  try {
    const there = ([entry[field] ?? []].flat() as Entry[]).map(({ id }) => Number(id))
    const before = await seenFiles(caller, host, there)
    const list = legacy ? interleaved(before, waiting.ids) : [...before, ...waiting.ids]
    const data = { [field]: link.many ? list : waiting.ids.at(-1) }
    const begin = async (session: Session) => {
      await claim.take(session)
      await claim.keep(session, noteOf(waiting.files))
    }
    await content.update(ref, id, data, { query: 'fields[0]=id', begin }).catch(error => {
      // An entry out of the caller's reach is as good as none.
      throw error instanceof NotFoundError ? absent : error
    })
    failed = false
    return waiting.files
  } finally {
    await waiting.settle(failed)
  }
}

/** Strapi 4 numbers new files of a list from 1 again, so that they stand between those that were there. */
const interleaved = (before: readonly number[], added: readonly number[]): number[] =>
  Array.from({ length: Math.max(before.length, added.length) }, (_, index) => [before[index], added[index]])
    .flat()
    .filter(id => id !== undefined)

function list({ content }: Call): Promise<Finished> {
  // A permission of its own: files of an entry are shown with it, also where the caller may list some files only.
  return content.find(fileUid, { permission: 'library', paging: 'open' })
}

/** Strapi 4 shows a single file with all of its fields, and ignores the query's. */
function one({ content, params, service }: Call): Promise<Finished> {
  return found(content.findOne(fileUid, params.id, { allFields: service.legacy }))
}

function remove({ content, params, service }: Call): Promise<Finished> {
  return found(content.delete(fileUid, params.id, service.legacy ? { query: '' } : {}))
}

async function found<T>(answer: Promise<T>): Promise<T> {
  return answer.catch(error => {
    throw error instanceof NotFoundError ? new NotFoundError('file.notFound').because(error.reason) : error
  })
}
