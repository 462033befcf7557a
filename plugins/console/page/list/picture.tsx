import { isRecord } from '../../../pages/values/records.js'
import type { Values } from '../../model/form/plain.js'

/** A file as small as a line: its picture, or its name. */
export function Picture({ file }: { file: Values }) {
  const { name, url, mime, formats, alternativeText } = file
  const small = isRecord(formats) && isRecord(formats.thumbnail) ? formats.thumbnail.url : url
  if (typeof small !== 'string' || !String(mime).startsWith('image/'))
    return <span dir="auto">{String(name ?? '')}</span>
  return <img src={small} alt={String(alternativeText ?? name ?? '')} width={40} height={40} loading="lazy" />
}
