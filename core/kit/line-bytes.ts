const roomAtFirst = 32_768

/**
 * Lines as bytes, in memory that is used again. As strings they would be put together, made flat and then copied, which
 * takes three times as long.
 */
export class LineBytes {
  #bytes = new Uint8Array(roomAtFirst)
  #length = 0

  /** What was added since the last time; it is overwritten by what is added from now on. */
  take(): Uint8Array {
    const taken = this.#bytes.subarray(0, this.#length)
    this.#length = 0
    return taken
  }

  add(bytes: Uint8Array): void {
    this.#reserve(bytes.length)
    this.#bytes.set(bytes, this.#length)
    this.#length += bytes.length
  }

  /** Text of some characters, most of them of one byte. */
  text(text: string): void {
    this.#reserve(text.length)
    const bytes = this.#bytes
    let end = this.#length
    for (let index = 0; index < text.length; index += 1) {
      const code = text.charCodeAt(index)
      if (code > 127) {
        this.add(Buffer.from(text))
        return
      }
      bytes[end] = code
      end += 1
    }
    this.#length = end
  }

  #reserve(more: number): void {
    const needed = this.#length + more
    if (needed <= this.#bytes.length) return
    const larger = new Uint8Array(2 * needed)
    larger.set(this.#bytes.subarray(0, this.#length))
    this.#bytes = larger
  }
}
