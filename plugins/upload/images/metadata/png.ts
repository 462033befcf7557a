import { type Format, KeptParts, textAt } from './format.js'

const keptChunks = new Set(
  'tRNS gAMA cHRM sRGB iCCP sBIT bKGD pHYs hIST sPLT acTL fcTL fdAT cICP mDCv cLLi mDCV cLLI'.split(' '),
)

/** PNG: chunks with a length, a name and a checksum. */
export const png: Format = {
  is: content => textAt(content, 0, 8) === '\x89PNG\r\n\x1a\n',
  strip(content, exif) {
    const parts = new KeptParts(content)
    parts.keep(0, 8)
    for (let at = 8; at < content.length; ) {
      if (at + 12 > content.length) break
      const end = at + 12 + content.readUInt32BE(at)
      const name = textAt(content, at + 4)
      // A capital letter marks critical chunks.
      if (/^[A-Z]/.test(name) || keptChunks.has(name)) parts.keep(at, end)
      if (name === 'IHDR' && exif) parts.add(pngChunk('eXIf', exif))
      if (name === 'IEND') break
      at = end
    }
    return parts.whole()
  },
}

function pngChunk(name: string, data: Buffer): Buffer {
  const chunk = Buffer.alloc(data.length + 12)
  chunk.writeUInt32BE(data.length)
  chunk.write(name, 4, 'latin1')
  data.copy(chunk, 8)
  chunk.writeUInt32BE(checksum(chunk.subarray(4, -4)), data.length + 8)
  return chunk
}

function checksum(data: Buffer): number {
  let sum = 0xffffffff
  for (const byte of data) {
    sum ^= byte
    for (let bit = 0; bit < 8; bit += 1) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0)
  }
  return (sum ^ 0xffffffff) >>> 0
}
