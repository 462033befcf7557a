import { type Format, KeptParts, Malformed, textAt } from './format.js'

const keptExtensions = ['NETSCAPE2.0', 'ANIMEXTS1.0', 'ICCRGBG1012']

/** GIF: pictures and extensions, each a row of blocks with lengths of one byte. */
export const gif: Format = {
  is: content => /^GIF8[79]a$/.test(textAt(content, 0, 6)),
  strip(content) {
    let at = 13 + tableSize(content[10])
    const parts = new KeptParts(content)
    parts.keep(0, at)
    while (at < content.length) {
      const kind = content[at]
      if (kind === 0x3b) {
        parts.keep(at, at + 1)
        break
      }
      const label = content[at + 1]
      if (kind !== 0x2c && kind !== 0x21) throw new Malformed()
      const end = endOfBlocks(content, kind === 0x21 ? at + 2 : at + 11 + tableSize(content[at + 9]))
      const isNote = kind === 0x21 && label === 0xfe
      const isForeign = kind === 0x21 && label === 0xff && !keptExtensions.includes(textAt(content, at + 3, 11))
      if (!isNote && !isForeign) parts.keep(at, end)
      at = end
    }
    return parts.whole()
  },
}

const tableSize = (flags = 0): number => (flags & 0x80 ? 3 << ((flags & 7) + 1) : 0)

function endOfBlocks(content: Buffer, from: number): number {
  let at = from
  while (at < content.length) {
    const size = content[at] as number
    at += size + 1
    if (size === 0) return at
  }
  return content.length
}
