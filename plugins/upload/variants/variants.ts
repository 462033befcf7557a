import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Log, NotFoundError, type RouteCall, UnavailableError, ValidationError } from '../../../core/index.js'
import { makeFolder } from '../forms/multipart.js'
import { type ImageLimits, Images } from '../images/images.js'
import { type ServeOptions, send } from '../storage/serve.js'
import type { Storage } from '../storage/storage.js'
import { VariantCache } from './cache.js'
import { readWish, type VariantFormat, type VariantRules, type Wish } from './wish.js'

export interface VariantParts {
  readonly rules: VariantRules
  /** Bytes of variants in the cache. */
  readonly cacheSize: number
  /** The folder of served files, and the folder of incoming ones. */
  readonly folder: string
  readonly staging: string
  /** Storages to search for originals, in this order. */
  readonly storages: readonly Storage[]
  readonly images: ImageLimits
  readonly maxAge: number
  readonly log: Log
}

/** Variants that may wait to be made: each takes a moment of a processor. */
const mostWaiting = 100
const year = 365 * 24 * 3600
/** Extensions of pictures that can be resized, and the format of their variants if the request names none. */
const sources: Readonly<Record<string, VariantFormat>> = {
  ...{ '.jpg': 'jpeg', '.jpeg': 'jpeg', '.png': 'png', '.webp': 'webp', '.avif': 'avif', '.gif': 'webp' },
  ...{ '.tif': 'jpeg', '.tiff': 'jpeg', '.heic': 'jpeg', '.heif': 'jpeg' },
}

/** Pictures in other sizes and formats, made when they are first asked for, and served from a cache then. */
export class Variants {
  readonly #parts: VariantParts
  readonly #images: Images
  readonly #cache: VariantCache
  readonly #making = new Map<string, Promise<void>>()

  constructor(parts: VariantParts) {
    this.#parts = parts
    // Uploads must not wait behind visitors.
    this.#images = new Images(parts.images, parts.log)
    this.#cache = new VariantCache(path.join(parts.folder, '.variants'), parts.cacheSize)
  }

  async serve(call: RouteCall<unknown>, name: string): Promise<void> {
    const query = new URLSearchParams(call.ctx.querystring)
    const wish = readWish(query, name, this.#parts.rules)
    const own = sources[path.extname(name).toLowerCase()]
    if (!own)
      throw new ValidationError(
        `${name} has no variants; there are some of pictures (JPEG, PNG, WebP, GIF, TIFF, AVIF)`,
      )
    const source = await this.#find(name)
    if (!source) throw new NotFoundError()
    const format = wish.format ?? own
    const key = createHash('sha256')
      .update(JSON.stringify([name, source.version, { ...wish, format }]))
      .digest('hex')
    const kept = `${key}.${format}`
    if (!(await this.#cache.has(kept)))
      await this.#made(kept, () => this.#make(name, source.storage, { ...wish, format }, kept))
    const isPinned = query.has('v')
    const serving: ServeOptions = { folder: this.#cache.folder, maxAge: isPinned ? year : this.#parts.maxAge, isPinned }
    await send(call, kept, serving)
  }

  /** The storage that holds a file, and its version. */
  async #find(name: string): Promise<{ readonly storage: Storage; readonly version: string } | undefined> {
    for (const storage of this.#parts.storages) {
      const version = await storage.version(name)
      if (version !== undefined) return { storage, version }
    }
    return undefined
  }

  /** However many ask for it at once, it is made one time. */
  async #made(name: string, make: () => Promise<void>): Promise<void> {
    let making = this.#making.get(name)
    if (!making) {
      if (this.#making.size >= mostWaiting) throw new UnavailableError('Too many pictures are being resized, try again')
      making = make().finally(() => this.#making.delete(name))
      this.#making.set(name, making)
    }
    return making
  }

  async #make(name: string, storage: Storage, wish: Wish & { format: VariantFormat }, kept: string): Promise<void> {
    const content = await storage.get(name)
    if (!content) throw new NotFoundError()
    const folder = await makeFolder(this.#parts.staging)
    try {
      const original = path.join(folder, 'picture')
      await pipeline(Readable.from(content), createWriteStream(original, { mode: 0o600 }))
      const made = await this.#images.vary(original, wish)
      await this.#cache.take(kept, made.path, made.bytes)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }

  close(): void {
    this.#images.close()
  }
}
