import { type Format, Malformed, textAt } from './format.js'

/** Tags by which pixels are found and understood. */
const keptTags = new Set([
  ...[254, 255, 256, 257, 258, 259, 262, 263, 264, 265, 266, 273, 274, 277, 278, 279, 280, 281, 282, 283, 284],
  ...[288, 289, 290, 291, 292, 293, 296, 301, 317, 318, 319, 320, 321, 322, 323, 324, 325, 330, 332, 334, 338, 339],
  ...[340, 341, 342, 347, 512, 513, 514, 515, 517, 518, 519, 520, 521, 529, 530, 531, 532, 32995, 32996, 32997],
  ...[34675, 37439, 50674],
])
const valueSizes = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4]
const subDirectories = 330
/** Tags that lead to directories of notes: EXIF, GPS, interoperability. */
const noteDirectories = [34665, 34853, 40965]
const mostDirectories = 1000

/** TIFF: directories of tags with values behind them; all offsets stay, so removed values are overwritten where they stand. */
export const tiff: Format = {
  is: content => ['II*\0', 'MM\0*'].includes(textAt(content, 0)),
  strip: content => new Tiff(Buffer.from(content)).stripped(),
}

class Tiff {
  readonly #content: Buffer
  readonly #isLittle: boolean
  readonly #seen = new Set<number>()

  constructor(content: Buffer) {
    this.#content = content
    this.#isLittle = content[0] === 0x49
  }

  stripped(): Buffer {
    for (let at = this.#long(4); at !== 0; ) at = this.#stripDirectory(at, false)
    return this.#content
  }

  /** Gives the place of the next directory. */
  #stripDirectory(at: number, isNotes: boolean): number {
    if (this.#seen.has(at) || this.#seen.size > mostDirectories) throw new Malformed()
    this.#seen.add(at)
    const count = this.#short(at)
    const end = at + 2 + count * 12
    const next = this.#long(end)
    const kept: Buffer[] = []
    for (let entry = at + 2; entry < end; entry += 12) {
      const tag = this.#short(entry)
      if (!isNotes && keptTags.has(tag)) kept.push(Buffer.from(this.#content.subarray(entry, entry + 12)))
      else this.#erase(entry, tag)
      if (tag === subDirectories) for (const inner of this.#longs(entry)) this.#stripDirectory(inner, isNotes)
    }
    this.#content.fill(0, at, end + 4)
    this.#writeShort(at, kept.length)
    for (const [index, entry] of kept.entries()) entry.copy(this.#content, at + 2 + index * 12)
    this.#writeLong(at + 2 + kept.length * 12, next)
    return next
  }

  #erase(entry: number, tag: number): void {
    if (noteDirectories.includes(tag)) this.#stripDirectory(this.#long(entry + 8), true)
    const { from, size } = this.#valueOf(entry)
    if (size > 4) this.#content.fill(0, from, from + size)
  }

  #valueOf(entry: number): { from: number; size: number } {
    const size = (valueSizes[this.#short(entry + 2)] ?? 1) * this.#long(entry + 4)
    const from = size > 4 ? this.#long(entry + 8) : entry + 8
    if (from + size > this.#content.length) throw new Malformed()
    return { from, size }
  }

  #longs(entry: number): number[] {
    const { from, size } = this.#valueOf(entry)
    return Array.from({ length: Math.min(Math.floor(size / 4), mostDirectories) }, (_, index) =>
      this.#long(from + index * 4),
    )
  }

  #short(at: number): number {
    if (at + 2 > this.#content.length) throw new Malformed()
    return this.#isLittle ? this.#content.readUInt16LE(at) : this.#content.readUInt16BE(at)
  }

  #long(at: number): number {
    if (at + 4 > this.#content.length) throw new Malformed()
    return this.#isLittle ? this.#content.readUInt32LE(at) : this.#content.readUInt32BE(at)
  }

  #writeShort(at: number, value: number): void {
    if (this.#isLittle) this.#content.writeUInt16LE(value, at)
    else this.#content.writeUInt16BE(value, at)
  }

  #writeLong(at: number, value: number): void {
    if (this.#isLittle) this.#content.writeUInt32LE(value, at)
    else this.#content.writeUInt32BE(value, at)
  }
}
