import { type Format, KeptParts, Malformed, textAt } from './format.js'

/** JPEG: segments, each with a marker and a length, and compressed data between them. */
export const jpeg: Format = {
  is: content => content.length > 3 && content.readUIntBE(0, 3) === 0xffd8ff,
  strip(content, exif) {
    const parts = new KeptParts(content)
    parts.keep(0, 2)
    let due = exif
    for (const { marker, at, end, next } of segmentsIn(content)) {
      if (due && marker !== 0xe0) {
        parts.add(Buffer.concat([Buffer.from('\xff\xe1\0\x22Exif\0\0', 'latin1'), due]))
        due = undefined
      }
      const segment = content.subarray(at, end)
      const isKept = isKeptInJpeg(segment, marker)
      if (marker === 0xe0 && isKept) parts.add(withoutThumbnail(segment))
      else if (isKept) parts.keep(at, end)
      if (next > end) parts.keep(end, next)
    }
    return parts.whole()
  },
}

interface Segment {
  readonly marker: number
  readonly at: number
  readonly end: number
  /** Start of the next segment: behind the compressed data, if the segment introduces any. */
  readonly next: number
}

function* segmentsIn(content: Buffer): Generator<Segment> {
  for (let at = 2; at < content.length; ) {
    if (content[at] !== 0xff) throw new Malformed()
    while (content[at + 1] === 0xff) at += 1
    const marker = content[at + 1] ?? 0
    const isBare = marker === 0x01 || (marker >= 0xd0 && marker <= 0xd9)
    const end = isBare ? at + 2 : at + 2 + sizeAt(content, at + 2)
    const next = marker === 0xda ? endOfScan(content, end) : end
    yield { marker, at, end, next }
    // More pictures may follow, with metadata of their own: previews, and the second half of a pair.
    if (marker === 0xd9) return
    at = next
  }
}

function sizeAt(content: Buffer, at: number): number {
  if (at + 2 > content.length) throw new Malformed()
  const size = content.readUInt16BE(at)
  if (size < 2) throw new Malformed()
  return size
}

/** Application segments hold notes, except for a few by which the pixels are understood. */
function isKeptInJpeg(segment: Buffer, marker: number): boolean {
  const name = textAt(segment, 4, 12)
  if (marker === 0xe0) return name.startsWith('JFIF\0')
  if (marker === 0xe2) return name.startsWith('ICC_PROFILE\0')
  if (marker === 0xee) return name.startsWith('Adobe')
  return marker !== 0xfe && (marker < 0xe0 || marker > 0xef)
}

const jfifHead = 18

function withoutThumbnail(segment: Buffer): Buffer {
  if (segment.length <= jfifHead) return segment
  const head = Buffer.from(segment.subarray(0, jfifHead))
  head.writeUInt16BE(jfifHead - 2, 2)
  head.fill(0, 16)
  return head
}

function endOfScan(content: Buffer, from: number): number {
  for (let at = content.indexOf(0xff, from); at >= 0; at = content.indexOf(0xff, at + 1)) {
    const next = content[at + 1] ?? 0
    if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return at
  }
  return content.length
}
