import { isDone, type Reply } from '../../../pages/page/request.js'
import { withQuery } from '../../../pages/values/query-text.js'
import type { Folder } from '../../model/files/folders.js'
import { type FileFilter, type FileOrder, fileFilters, fileSort } from '../../model/files/view.js'
import { isRecord, type Related } from '../../model/form/plain.js'
import { ask } from '../api.js'
import { failureText } from '../entry/store/failures.js'
import { meta } from '../shell/session.js'
import { t } from '../text.js'
import { fileType, fileUid } from './file-type.js'
import { tellingShare } from './telling-share.js'

const api = () => meta.peek()?.app.api ?? ''

interface FileQuery extends FileFilter {
  readonly order?: FileOrder | undefined
  readonly from: number
  readonly count: number
  readonly signal?: AbortSignal
}

/** A page of files, the newest first unless told otherwise, and one more where there are more. */
export async function listFiles({
  from,
  count,
  order,
  signal,
  ...filter
}: FileQuery): Promise<readonly Related[] | undefined> {
  const filters = fileFilters(filter)
  const url = withQuery(`${api()}${fileType()?.path ?? '/upload/files'}`, {
    ...(filters && { filters }),
    ...{ sort: fileSort(order), start: from, limit: count + 1 },
  })
  const reply = await ask({ url, ...(signal && { signal }) })
  return isDone(reply) ? filesIn(reply) : undefined
}

/** All folders of files. */
export async function listFolders(): Promise<readonly Folder[] | undefined> {
  const reply = await ask({ url: `${api()}/upload/folders` })
  return isDone(reply) && Array.isArray(reply.body) ? reply.body : undefined
}

/** A change of the library; the sentence that stands against it, or undefined where it is done. */
export async function changeLibrary(
  method: 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: object,
): Promise<{ readonly body: unknown } | { readonly failure: string }> {
  const reply = await ask({ method, url: `${api()}/upload${path}`, ...(body && { body }) })
  return isDone(reply) ? { body: reply.body } : { failure: failureOf(reply) }
}

function filesIn({ body }: Pick<Reply, 'body'>): readonly Related[] {
  const all = Array.isArray(body) ? body : isRecord(body) && Array.isArray(body.results) ? body.results : []
  return all.filter(isRecord).map(({ id, ...values }) => ({ id: Number(id), uid: fileUid, values }))
}

/** A file of the library, or what kept it from being there. */
export type FileReply =
  | { readonly file: Related }
  | {
      readonly failure: string
      readonly status: number
      /** The size that a file may have, where this one is larger. */
      readonly limit?: number
    }

interface SentForm {
  readonly form: FormData
  readonly key: string
  readonly signal: AbortSignal
  readonly onSent: (share: number) => void
}

/** Uploads a file: a form is no JSON, so that it says by a header that this page has sent it. */
export async function sendFile({ form, key, signal, onSent }: SentForm): Promise<FileReply> {
  const headers = { 'X-Console': '1', 'Idempotency-Key': key }
  return fileIn(await ask({ method: 'POST', url: `${api()}/upload`, headers, form, signal, by: tellingShare(onSent) }))
}

/** The texts of a file, and the focal point of a picture. */
export interface FileTexts {
  readonly focalX?: number
  readonly focalY?: number
  readonly name?: string
  readonly alternativeText?: string
  readonly caption?: string
}

export async function describeFile({ id }: Related, fileInfo: FileTexts): Promise<FileReply> {
  return fileIn(await ask({ method: 'POST', url: `${api()}/upload?id=${id}`, body: { fileInfo } }))
}

/** Gives a file another content of the same type; its address stays. */
export async function replaceFile({ id, values }: Related, content: File): Promise<FileReply> {
  const form = new FormData()
  form.append('files', content)
  form.append('fileInfo', JSON.stringify({ name: values.name }))
  return fileIn(await ask({ method: 'POST', url: `${api()}/upload?id=${id}`, headers: { 'X-Console': '1' }, form }))
}

/** A file as it is now. */
export async function readFile({ id }: Related): Promise<FileReply> {
  return fileIn(await ask({ url: `${api()}/upload/files/${id}` }))
}

function fileIn(reply: Reply): FileReply {
  const [file] = isDone(reply) ? filesIn({ body: [reply.body].flat() }) : []
  if (file) return { file }
  const limit = limitIn(reply.body)
  return { failure: failureOf(reply), status: reply.status, ...(limit !== undefined && { limit }) }
}

function failureOf(reply: Reply): string {
  const type = fileType()
  return type ? failureText(reply, type) : t('failed')
}

function limitIn(body: unknown): number | undefined {
  const error = isRecord(body) && isRecord(body.error) ? body.error : {}
  const limit = isRecord(error.details) ? error.details.limit : undefined
  return typeof limit === 'number' ? limit : undefined
}
