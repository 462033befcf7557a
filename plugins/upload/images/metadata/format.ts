/** A format of pictures, with its recognition and the removal of its metadata. */
export interface Format {
  readonly is: (content: Buffer) => boolean
  /** `exif` holds the orientation alone, where there is one to keep. */
  readonly strip: (content: Buffer, exif: Buffer | undefined) => Buffer
}

export const textAt = (content: Buffer, at: number, length = 4): string => content.toString('latin1', at, at + length)

/** The picture is not built as its format says. */
export class Malformed extends Error {
  constructor() {
    super('the structure of the picture is malformed')
  }
}

/** More parts than any picture has, so that one made of parts alone takes no memory. */
export const mostParts = 100_000

/** The parts of a picture to keep, with neighbours merged. */
export class KeptParts {
  readonly #content: Buffer
  readonly #parts: Buffer[] = []
  #from = 0
  #to = 0

  constructor(content: Buffer) {
    this.#content = content
  }

  keep(from: number, to: number): void {
    if (from !== this.#to) this.#flush(from)
    this.#to = to
  }

  add(part: Buffer): void {
    this.#flush(this.#to)
    this.#parts.push(part)
  }

  whole(): Buffer {
    this.#flush(this.#to)
    return Buffer.concat(this.#parts)
  }

  #flush(next: number): void {
    if (this.#to > this.#from) this.#parts.push(this.#content.subarray(this.#from, this.#to))
    if (this.#parts.length > mostParts) throw new Malformed()
    this.#from = next
    this.#to = next
  }
}
