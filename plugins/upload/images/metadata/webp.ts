import { type Format, KeptParts, textAt } from './format.js'

const webpChunks = ['VP8 ', 'VP8L', 'VP8X', 'ANIM', 'ANMF', 'ALPH', 'ICCP']
const hasExif = 0x08
const hasXmp = 0x04

/** WebP: chunks with a name and a length, padded to even lengths. */
export const webp: Format = {
  is: content => textAt(content, 0) === 'RIFF' && textAt(content, 8) === 'WEBP',
  strip(content, exif) {
    const parts = new KeptParts(content)
    let isExtended = false
    const whole = Math.min(content.length, 8 + content.readUInt32LE(4))
    for (let at = 12; at < whole; ) {
      if (at + 8 > whole) break
      const size = content.readUInt32LE(at + 4)
      const end = at + 8 + size + (size % 2)
      const name = textAt(content, at)
      if (name === 'VP8X') {
        const chunk = Buffer.from(content.subarray(at, end))
        chunk[8] = ((chunk[8] ?? 0) & ~hasExif & ~hasXmp) | (exif ? hasExif : 0)
        parts.add(chunk)
        isExtended = true
      } else if (webpChunks.includes(name)) parts.keep(at, end)
      at = end
    }
    if (exif && isExtended) {
      const head = Buffer.from('EXIF\0\0\0\0', 'latin1')
      head.writeUInt32LE(exif.length, 4)
      parts.add(Buffer.concat([head, exif]))
    }
    const chunks = parts.whole()
    const head = Buffer.from(content.subarray(0, 12))
    head.writeUInt32LE(4 + chunks.length, 4)
    return Buffer.concat([head, chunks])
  },
}
