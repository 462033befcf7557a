import { type Format, Malformed, mostParts, textAt } from './format.js'

/** AVIF and HEIC: boxes; notes are items whose place another box tells, and are overwritten where they stand. */
export const heif: Format = {
  is: content =>
    textAt(content, 4) === 'ftyp' && /avif|avis|heic|heix|heim|heis|hevc|mif1|msf1/.test(brandsOf(content)),
  strip(content) {
    const stripped = Buffer.from(content)
    for (const box of boxesIn(stripped, 0, stripped.length))
      if (box.name === 'meta') stripItems(stripped, box)
      else if (box.name === 'uuid') eraseBox(stripped, box)
    return stripped
  },
}

const brandsOf = (content: Buffer): string =>
  textAt(content, 8, Math.max(0, Math.min(content.readUInt32BE(0), 200) - 8))

interface Box {
  readonly name: string
  readonly at: number
  /** Start and end of its content. */
  readonly from: number
  readonly to: number
}

function boxesIn(content: Buffer, from: number, to: number): Box[] {
  const boxes: Box[] = []
  for (let at = from; at < to; ) {
    if (at + 8 > to) throw new Malformed()
    const short = content.readUInt32BE(at)
    const head = short === 1 ? 16 : 8
    if (at + head > to) throw new Malformed()
    const size = short === 0 ? to - at : short === 1 ? Number(content.readBigUInt64BE(at + 8)) : short
    if (size < head || at + size > to || boxes.length > mostParts) throw new Malformed()
    boxes.push({ name: textAt(content, at + 4), at, from: at + head, to: at + size })
    at += size
  }
  return boxes
}

function eraseBox(content: Buffer, { at, from, to }: Box): void {
  content.write('free', at + 4, 'latin1')
  content.fill(0, from, to)
}

function stripItems(content: Buffer, { from, to }: Box): void {
  const boxes = boxesIn(content, from + 4, to)
  const info = boxes.find(({ name }) => name === 'iinf')
  const places = boxes.find(({ name }) => name === 'iloc')
  if (!info || !places) return
  const notes = eraseNotes(content, info)
  const data = boxes.find(({ name }) => name === 'idat')
  for (const { id, start, size } of extentsIn(content, places, data?.from ?? 0)) {
    if (!notes.has(id)) continue
    if (start + size > content.length) throw new Malformed()
    content.fill(0, start, start + size)
  }
}

/** Overwrites the entries of items that hold notes, and gives the ids of these items. */
function eraseNotes(content: Buffer, info: Box): ReadonlySet<number> {
  const notes = new Set<number>()
  const isLong = content[info.from] !== 0
  for (const item of boxesIn(content, info.from + (isLong ? 8 : 6), info.to)) {
    const version = content[item.from] ?? 0
    if (item.name !== 'infe' || version < 2) continue
    const id = version === 2 ? content.readUInt16BE(item.from + 4) : content.readUInt32BE(item.from + 4)
    const type = item.from + (version === 2 ? 8 : 10)
    if (!['Exif', 'mime', 'uri '].includes(textAt(content, type))) continue
    notes.add(id)
    content.write('free', type, 'latin1')
    content.fill(0, type + 4, item.to)
  }
  return notes
}

function* extentsIn(content: Buffer, box: Box, data: number): Generator<{ id: number; start: number; size: number }> {
  const version = content[box.from] ?? 0
  let at = box.from + 4
  const read = (bytes: number): number => {
    if (at + bytes > box.to) throw new Malformed()
    const value = bytes === 0 ? 0 : bytes === 8 ? Number(content.readBigUInt64BE(at)) : content.readUIntBE(at, bytes)
    at += bytes
    return value
  }
  const sizes = read(2)
  const [offsetSize, lengthSize, baseSize, indexSize] = [sizes >> 12, (sizes >> 8) & 15, (sizes >> 4) & 15, sizes & 15]
  const items = read(version < 2 ? 2 : 4)
  for (let item = 0; item < items; item += 1) {
    const id = read(version < 2 ? 2 : 4)
    const method = version > 0 ? read(2) & 15 : 0
    read(2)
    const base = read(baseSize as number)
    const extents = read(2)
    for (let extent = 0; extent < extents; extent += 1) {
      if (version > 0) read(indexSize as number)
      const offset = read(offsetSize as number)
      const size = read(lengthSize as number)
      if (method < 2) yield { id, start: base + offset + (method === 1 ? data : 0), size }
    }
  }
}
