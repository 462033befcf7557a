import { readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { type Entry, type Host, rowsOf, type Session } from '../../core/index.js'
import { fileUid, leftoverUid } from './content-types.js'
import { type FileRow, keysOf } from './rows.js'
import type { Arrangement } from './settings.js'

/** Keys that storage may hold for no file, from before the storage is touched until their owner is known. */
export interface Leftover {
  readonly hash: string
  readonly keys: readonly string[]
  readonly provider: string
  readonly waiting: boolean
}

/** Milliseconds after which the process that made a leftover is taken to be dead. */
const abandoned = 60 * 60 * 1000
const atOnce = 1000

/** Keeps storage and database together: neither a crash nor an error leaves a file that has no row. */
export class Leftovers {
  readonly #host: Pick<Host, 'entries' | 'log' | 'store'>
  readonly #place: Arrangement
  #timer: NodeJS.Timeout | undefined

  constructor(host: Pick<Host, 'entries' | 'log' | 'store'>, place: Arrangement) {
    this.#host = host
    this.#place = place
  }

  /** Notes keys that storage is about to hold. */
  async note(leftovers: readonly Leftover[], session?: Session): Promise<number[]> {
    const write = async (session: Session) => {
      const ids: number[] = []
      for (const leftover of leftovers)
        ids.push(Number((await this.#host.entries(leftoverUid, session).create({ ...leftover })).id))
      return ids
    }
    return session ? write(session) : this.#host.store.transaction(write)
  }

  /** All is where it belongs. */
  async forget(ids: readonly number[], session: Session): Promise<void> {
    for (const id of ids) await this.#host.entries(leftoverUid, session).delete(id)
  }

  /** Removes content that no file names. Content that cannot be removed now is tried again later. */
  async settle(ids: readonly number[]): Promise<void> {
    for (const id of ids)
      try {
        const [found] = await this.#host.entries(leftoverUid).find({ where: { id: { $eq: id } } })
        if (found) await this.#clear(found)
      } catch (error) {
        this.#host.log.error({ err: error, leftover: id }, 'what an upload left in storage could not be removed yet')
      }
  }

  /** Removes leftovers of a crash, now and every hour. */
  async start(): Promise<void> {
    await this.sweep()
    this.#timer = setInterval(() => void this.sweep(), abandoned)
    this.#timer.unref()
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  async sweep(): Promise<void> {
    const before = new Date(Date.now() - abandoned).toISOString()
    try {
      const old = await this.#host
        .entries(leftoverUid)
        .find({ where: { createdAt: { $lt: before } }, fields: ['hash'], sort: 'id', limit: atOnce })
      await this.settle(old.map(({ id }) => Number(id)))
      await this.#sweepStaging()
    } catch (error) {
      this.#host.log.error({ err: error }, 'looking for unfinished uploads failed')
    }
  }

  async #clear(found: Entry): Promise<void> {
    const { id, hash, keys, provider, waiting } = found as Entry & Leftover & { id: number }
    const where = { hash: { $eq: hash } }
    // A name in storage is never given twice: if no file has it now, none will.
    const named = (await this.#host.entries(fileUid).first({ where }))
      ? await this.#host.store.transaction(async session => {
          const files = this.#host.entries(fileUid, session)
          const file = (await files.first({ where })) as FileRow | undefined
          if (!file || !waiting || (await this.#isLinked(file.id, session))) return file ? keysOf(file) : []
          await files.delete(file.id)
          return []
        })
      : []
    const storage = this.#place.storages.get(provider)
    if (!storage)
      return this.#host.log.warn({ provider }, 'files of a storage that is not configured stay where they are')
    for (const key of keys) if (!named.includes(key)) await storage.remove(key)
    await this.#host.store.transaction(session => this.forget([id], session))
  }

  async #isLinked(id: number, session: Session): Promise<boolean> {
    const { knex } = this.#host.store
    const links = knex('files_related_morphs').select('id').where({ file_id: id }).limit(1)
    return (await rowsOf(session, links)).length > 0
  }

  /** Requests remove their own staging files: old ones here belong to none that still runs. */
  async #sweepStaging(): Promise<void> {
    const { staging } = this.#place
    for (const name of await readdir(staging).catch(() => [])) {
      const found = await stat(path.join(staging, name)).catch(() => undefined)
      if (found && Date.now() - found.mtimeMs > 24 * abandoned)
        await rm(path.join(staging, name), { recursive: true, force: true })
    }
  }
}
