import type { Format } from './format.js'
import { gif } from './gif.js'
import { heif } from './heif.js'
import { jpeg } from './jpeg.js'
import { png } from './png.js'
import { tiff } from './tiff.js'
import { webp } from './webp.js'

/**
 * Takes out of a picture what cameras and programs note in it: EXIF with places and thumbnails, XMP, IPTC, comments. Pixels,
 * colour profile, animation and orientation stay byte for byte, also of a picture that was cut off. Gives the content
 * itself where there is nothing to take out, undefined for formats that are not known here, and throws where a known one is
 * malformed.
 */
export function withoutMetadata(content: Buffer, orientation: number): Buffer | undefined {
  const format = formats.find(({ is }) => is(content))
  if (!format) return undefined
  const stripped = format.strip(content, orientation > 1 && orientation <= 8 ? exifOf(orientation) : undefined)
  return stripped.equals(content) ? content : stripped
}

const formats: readonly Format[] = [jpeg, png, webp, gif, tiff, heif]

/** An EXIF block that says how the picture is turned, and nothing else. */
function exifOf(orientation: number): Buffer {
  const exif = Buffer.from('49492a000800000001001201030001000000000000000000000000', 'hex').subarray(0, 26)
  exif.writeUInt16LE(orientation, 18)
  return exif
}
