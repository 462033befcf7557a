import { isRecord } from '../../../pages/values/records.js'
import type { Related } from '../../model/form/plain.js'

/** A small picture of a file; the end of its name where it is no picture. */
export function Thumbnail({ file: { values } }: { file: Related }) {
  const { url, mime, ext, formats } = values
  const small = isRecord(formats) && isRecord(formats.thumbnail) ? formats.thumbnail.url : url
  if (typeof small !== 'string' || !String(mime).startsWith('image/'))
    return (
      <span class="thumbnail" aria-hidden="true">
        {String(ext ?? '')}
      </span>
    )
  // The name beside it says what it is.
  return <img class="thumbnail" src={small} alt="" width={56} height={56} loading="lazy" />
}
