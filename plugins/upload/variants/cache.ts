import { readdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { makeStaging } from '../forms/multipart.js'

/** The share of the limit that remains when old files are removed. */
const left = 0.8

/** Variants that were made before, each in a file of its own; the oldest make room for new ones. */
export class VariantCache {
  readonly folder: string
  readonly #most: number
  /** Bytes that were added since the folder was last looked through. */
  #added = Number.POSITIVE_INFINITY
  #clearing: Promise<void> | undefined

  /** `most` is in bytes. */
  constructor(folder: string, most: number) {
    this.folder = folder
    this.#most = most
  }

  async has(name: string): Promise<boolean> {
    return stat(path.join(this.folder, name)).then(
      () => true,
      () => false,
    )
  }

  /** Takes a finished file in; others may have made the same one meanwhile. */
  async take(name: string, file: string, bytes: number): Promise<void> {
    await makeStaging(this.folder)
    await rename(file, path.join(this.folder, name))
    this.#added += bytes
    if (this.#added < this.#most * (1 - left)) return
    this.#clearing ??= this.#makeRoom().finally(() => {
      this.#clearing = undefined
    })
    await this.#clearing
  }

  async #makeRoom(): Promise<void> {
    const names = await readdir(this.folder)
    const found = await Promise.all(
      names.map(async name => {
        const file = path.join(this.folder, name)
        const { size, mtimeMs } = await stat(file).catch(() => ({ size: 0, mtimeMs: 0 }))
        return { file, size, mtimeMs }
      }),
    )
    let bytes = found.reduce((sum, { size }) => sum + size, 0)
    this.#added = 0
    if (bytes <= this.#most) return
    for (const { file, size } of found.sort((one, other) => one.mtimeMs - other.mtimeMs)) {
      if (bytes <= this.#most * left) return
      await rm(file, { force: true })
      bytes -= size
    }
  }
}
