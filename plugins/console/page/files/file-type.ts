import type { Related } from '../../model/form/plain.js'
import type { TypeMeta } from '../../model/meta.js'
import { meta } from '../shell/session.js'

export const fileUid = 'plugin::upload.file'
export const fileType = (): TypeMeta | undefined => meta.peek()?.types.find(({ uid }) => uid === fileUid)

/** The account may list the files of the library. */
export const canChooseFiles = (): boolean => fileType()?.can.read != null
export const canUpload = (): boolean => fileType()?.can.create != null
/** The account may change some files; the server says which. */
export const canDescribe = (): boolean => fileType()?.can.update != null

export const fileName = ({ id, values }: Related): string => String(values.name ?? `#${id}`)

/** Kinds of files as an input names them. */
export function acceptOf(accepts: readonly string[] | undefined): string | undefined {
  if (!accepts || accepts.includes('files')) return undefined
  return accepts.map(kind => `${kind.replace(/s$/, '')}/*`).join(',')
}
