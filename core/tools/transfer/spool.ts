import { createHash } from 'node:crypto'
import { type FileHandle, open, rm } from 'node:fs/promises'

/** Bytes beyond which content is spooled to the disk. */
const inMemory = 1024 * 1024

/** Holds content on its way into an archive, where the size of a member stands before its content. */
export class Spool {
  readonly #path: string
  #parts: Uint8Array[] = []
  #file: FileHandle | undefined

  constructor(path: string) {
    this.#path = path
  }

  /** Takes a whole content in place of the former one. */
  async fill(content: AsyncIterable<Uint8Array>): Promise<{ readonly size: number; readonly sha256: string }> {
    const hash = createHash('sha256')
    let size = 0
    await this.#empty()
    for await (const part of content) {
      hash.update(part)
      size += part.length
      this.#parts.push(part)
      if (size > inMemory) await this.#flush()
    }
    if (this.#file) await this.#flush()
    return { size, sha256: hash.digest('hex') }
  }

  /** The spooled content. */
  async *content(): AsyncGenerator<Uint8Array> {
    if (!this.#file) return yield* this.#parts
    const buffer = Buffer.allocUnsafe(256 * 1024)
    for (let at = 0; ; ) {
      const { bytesRead } = await this.#file.read(buffer, 0, buffer.length, at)
      if (bytesRead === 0) return
      at += bytesRead
      yield Buffer.from(buffer.subarray(0, bytesRead))
    }
  }

  async close(): Promise<void> {
    await this.#empty()
    await rm(this.#path, { force: true })
  }

  async #flush(): Promise<void> {
    this.#file ??= await open(this.#path, 'w+', 0o600)
    for (const part of this.#parts) await this.#file.writeFile(part)
    this.#parts = []
  }

  async #empty(): Promise<void> {
    this.#parts = []
    await this.#file?.close()
    this.#file = undefined
  }
}
