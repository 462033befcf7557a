import { errorMessageOf, isDone, type Reply } from '../../../../pages/page/request.js'
import { withQuery } from '../../../../pages/values/query-text.js'
import { isRecord, type Related } from '../../../model/form/plain.js'
import type { TypeMeta } from '../../../model/meta.js'
import { ask } from '../../api.js'
import { meta } from '../../shell/session.js'
import { t } from '../../text.js'
import { failureText } from '../failures.js'

const fileUid = 'plugin::upload.file'
const fileType = () => meta.peek()?.types.find(({ uid }) => uid === fileUid)
const api = () => meta.peek()?.app.api ?? ''

/** The account may list the files of the library. */
export const canChooseFiles = (): boolean => fileType()?.can.read != null
export const canUpload = (): boolean => fileType()?.can.create != null

export const fileName = ({ id, values }: Related): string => String(values.name ?? `#${id}`)

/** Kinds of files as an input names them. */
export function acceptOf(accepts: readonly string[] | undefined): string | undefined {
  if (!accepts || accepts.includes('files')) return undefined
  return accepts.map(kind => `${kind.replace(/s$/, '')}/*`).join(',')
}

/** Files of a page of the library. */
export const filesOnPage = 24

export interface FileQuery {
  readonly text: string
  readonly from: number
  readonly accepts: readonly string[] | undefined
}

/** A page of files, the latest first, and one more where there are more. */
export async function listFiles({ text, from, accepts }: FileQuery): Promise<readonly Related[] | undefined> {
  const named =
    text === '' ? [] : [{ $or: [{ name: { $containsi: text } }, { alternativeText: { $containsi: text } }] }]
  const kinds = accepts && !accepts.includes('files') ? [{ $or: accepts.map(ofKind) }] : []
  const filters = [...named, ...kinds]
  const reply = await ask({
    url: withQuery(`${api()}${fileType()?.path ?? '/upload/files'}`, {
      ...(filters.length > 0 && { filters: { $and: filters } }),
      sort: 'createdAt:desc',
      start: from,
      limit: filesOnPage + 1,
    }),
  })
  return isDone(reply) ? filesIn(reply) : undefined
}

const ofKind = (kind: string) => ({ mime: { $startsWith: `${kind.replace(/s$/, '')}/` } })

function filesIn({ body }: Pick<Reply, 'body'>): readonly Related[] {
  const all = Array.isArray(body) ? body : isRecord(body) && Array.isArray(body.results) ? body.results : []
  return all.filter(isRecord).map(({ id, ...values }) => ({ id: Number(id), uid: fileUid, values }))
}

/** Uploads files: a form is no JSON, so that it says by a header that this page has sent it. */
export async function upload(
  files: readonly File[],
  type: TypeMeta,
): Promise<{ readonly files: readonly Related[] } | { readonly failure: string }> {
  const form = new FormData()
  for (const file of files) form.append('files', file)
  const headers = { 'X-Console': '1', 'Idempotency-Key': crypto.randomUUID() }
  const reply = await ask({ method: 'POST', url: `${api()}/upload`, headers, form })
  if (isDone(reply)) return { files: filesIn(reply) }
  if (reply.status === 413) return { failure: t('files.tooLarge', { message: errorMessageOf(reply) ?? '' }) }
  return { failure: failureText(reply, fileType() ?? type) }
}
