import { createHash } from 'node:crypto'
import { change, type Host, rowsOf, type Session } from '../../core/index.js'
import { recordUid, sealUid } from './content-types.js'
import type { StoredRecord } from './records.js'

/** The name of the lock under which records are sealed, and seals are given up. */
export const sealing = 'sealing'

/** Records that are sealed in one transaction. */
const atOnce = 500

/** Records that were committed when it was made, in the order of their ids, and everything that was sealed before. */
interface Seal {
  readonly number: number
  readonly count: number
  readonly mac: string
  /** Proof that its records were deleted for their age; null while they are kept. */
  readonly ended: string | null
  /** Number of removed seals that did not match their records. */
  readonly broken: number
}

const columns = ['number', 'count', 'mac', 'ended', 'broken'] as const

export interface Verification {
  readonly records: number
  readonly unsealed: number
  readonly seals: number
  /** The last seal, by which a later look can tell that nothing was cut off since. */
  readonly last: string
  readonly problems: readonly string[]
}

interface SealParts {
  readonly hash: (parts: readonly unknown[]) => string
  /** The records of a seal in the order of their ids; without a number, some that have none, from an id on. */
  readonly records: (batch: number | null, after?: number) => Promise<StoredRecord[]>
}

/**
 * Seals over many records, each over the one before, so that it shows where records are missing. They are made when the
 * records are committed: writers that made a chain themselves would have to wait for each other.
 */
export class Seals {
  readonly #host: Pick<Host, 'store' | 'types' | 'shares' | 'log'>
  readonly #parts: SealParts
  /** The last seal that this process has seen. */
  #seen: Seal | undefined

  constructor(host: Pick<Host, 'store' | 'types' | 'shares' | 'log'>, parts: SealParts) {
    this.#host = host
    this.#parts = parts
  }

  /** Time of the next seal, if there is something to seal. */
  async due(): Promise<Date | undefined> {
    const unsealed = this.#records().select('id').whereNull('batch').limit(1)
    return (await rowsOf(this.#host.store.reader, unsealed)).length > 0 ? new Date() : undefined
  }

  /** Seals committed records that have no seal yet. */
  async run(signal: AbortSignal): Promise<void> {
    while (await this.#seal()) signal.throwIfAborted()
  }

  #seal(): Promise<boolean> {
    const { store, shares } = this.#host
    return store.transaction(async session => {
      await shares.lock(session, sealing)
      const unsealed = this.#records().select('id', 'seal').whereNull('batch').orderBy('id').limit(atOnce)
      const rows = (await rowsOf(session, unsealed)).map(([id, seal]) => ({ id: Number(id), seal: String(seal) }))
      if (rows.length === 0) return false
      const former = await this.#last(session)
      this.#look(former)
      const number = (former?.number ?? 0) + 1
      const ids = rows.map(({ id }) => id)
      const { changes } = await change(session, this.#records().whereIn('id', ids).update({ batch: number }))
      if (changes !== ids.length) throw new Error('records have vanished while they were sealed')
      const mac = this.#mac(number, rows, former)
      await change(session, this.#seals().insert({ number, count: rows.length, mac, ended: null, broken: 0 }))
      this.#seen = { number, count: rows.length, mac, ended: null, broken: 0 }
      return rows.length === atOnce
    })
  }

  /** A process that runs knows more than the database says. */
  #look(last: Seal | undefined): void {
    const seen = this.#seen
    if (!seen || (last && last.number > seen.number) || last?.mac === seen.mac) return
    this.#host.log.error(
      { seal: nameOf(seen), found: last && nameOf(last) },
      'seals of the audit record were removed or changed, and records with them: `stele audit --verify --head <seal>` tells more',
    )
  }

  #mac(number: number, rows: readonly Pick<StoredRecord, 'id' | 'seal'>[], former: Seal | undefined): string {
    const digest = createHash('sha256').update(JSON.stringify(rows.map(({ id, seal }) => [id, seal])))
    return this.#parts.hash(['seal', number, rows.length, digest.digest('hex'), former?.mac ?? ''])
  }

  /** Deletes records that are older than a time, seal by seal, and leaves a proof that it was done here. */
  async prune(before: Date, signal: AbortSignal): Promise<void> {
    const { store, shares, log } = this.#host
    await this.run(signal)
    let former: Seal | undefined
    for await (const seal of this.#all(store.reader)) {
      signal.throwIfAborted()
      if (seal.ended === null) {
        const records = await this.#parts.records(seal.number)
        if (records.some(({ at }) => Date.parse(String(at)) >= before.getTime())) break
        const problems = this.#problemsOf(seal, former, records)
        if (problems.length > 0)
          log.error({ problems }, 'records of the audit that are deleted for their age are not as they were written')
        const broken = (former?.broken ?? 0) + (problems.length > 0 ? 1 : 0)
        const ended = this.#proof(seal, broken)
        await store.transaction(async session => {
          await shares.lock(session, sealing)
          await change(session, this.#records().where({ batch: seal.number }).delete())
          await change(session, this.#seals().where({ number: seal.number }).update({ ended, broken }))
          await change(session, this.#seals().where('number', '<', seal.number).delete())
        })
        former = { ...seal, ended, broken }
      } else former = seal
    }
    const last = await this.#last(store.reader)
    if (last) log.info({ seal: nameOf(last) }, 'the last seal of the audit record')
  }

  #proof({ number, mac }: Seal, broken: number): string {
    return this.#parts.hash(['ended', number, mac, broken])
  }

  /** Reads all records, and reports changed ones. `head` is a seal that was noted before. */
  async verify(head?: { readonly number: number; readonly mac: string }): Promise<Verification> {
    const { reader } = this.#host.store
    const problems: string[] = []
    let [records, seals] = [0, 0]
    let former: Seal | undefined
    let isFound = head === undefined
    for await (const seal of this.#all(reader)) {
      seals += 1
      if (seal.number === head?.number) {
        isFound = true
        if (!seal.mac.startsWith(head.mac)) problems.push(`seal ${head.number} is another one than was noted`)
      }
      const found = seal.ended === null ? await this.#parts.records(seal.number) : []
      records += found.length
      problems.push(...this.#problemsOf(seal, former, found))
      former = seal
    }
    if (!isFound) problems.push(`seal ${head?.number} is not there: records were cut off, or are older than "keep"`)
    const lost = await this.#withoutSeal(reader)
    if (lost > 0) problems.push(`${lost} records belong to seals that are not there`)
    const unsealed = await this.#unsealed(problems)
    return { records: records + lost + unsealed, unsealed, seals, last: former ? nameOf(former) : '', problems }
  }

  async #unsealed(problems: string[]): Promise<number> {
    let count = 0
    for (let after = 0; ; ) {
      const some = await this.#parts.records(null, after)
      const last = some.at(-1)
      if (!last) return count
      count += some.length
      after = last.id
      problems.push(...changedIn(some))
    }
  }

  async #withoutSeal(session: Session): Promise<number> {
    const query = this.#records()
      .count('*')
      .whereNotNull('batch')
      .whereNotIn('batch', this.#seals().select('number').whereNull('ended'))
    return Number((await rowsOf(session, query))[0]?.[0])
  }

  #problemsOf(seal: Seal, former: Seal | undefined, records: readonly StoredRecord[]): string[] {
    const { number, count, ended, broken } = seal
    if (ended !== null) {
      if (ended !== this.#proof(seal, broken)) return [`nothing proves that seals up to ${number} ended for their age`]
      return broken > 0 ? [`${broken} seals that ended for their age were not as they were written`] : []
    }
    const problems = changedIn(records)
    const from = (former?.number ?? 0) + 1
    if (number !== from)
      problems.push(`${from === number - 1 ? `seal ${from} is` : `seals ${from} to ${number - 1} are`} missing`)
    if (records.length < count)
      problems.push(`${count - records.length} of the ${count} records of seal ${number} are missing`)
    else if (records.length > count) problems.push(`${records.length - count} records were added to seal ${number}`)
    else if (number === from && seal.mac !== this.#mac(number, records, former))
      problems.push(`seal ${number} is not as it was written, or its records are not those that were sealed`)
    return problems
  }

  async #last(session: Session): Promise<Seal | undefined> {
    return (await this.#read(session, this.#seals().orderBy('number', 'desc').limit(1)))[0]
  }

  /** In their order. */
  async *#all(session: Session): AsyncGenerator<Seal> {
    for (let after = 0; ; ) {
      const some = await this.#read(session, this.#seals().where('number', '>', after).orderBy('number').limit(atOnce))
      yield* some
      const last = some.at(-1)
      if (!last) return
      after = last.number
    }
  }

  async #read(session: Session, query: ReturnType<Host['store']['knex']>): Promise<Seal[]> {
    const rows = await rowsOf(session, query.select(...columns))
    return rows.map(([number, count, mac, ended, broken]) => ({
      ...{ number: Number(number), count: Number(count), mac: String(mac) },
      ...{ ended: ended === null ? null : String(ended), broken: Number(broken) },
    }))
  }

  #records() {
    const { store, types } = this.#host
    return store.knex(types.get(recordUid).table)
  }

  #seals() {
    const { store, types } = this.#host
    return store.knex(types.get(sealUid).table)
  }
}

const changedIn = (records: readonly StoredRecord[]): string[] =>
  records.filter(({ intact }) => !intact).map(({ id }) => `record ${id} is not as it was written`)

/** Enough of it to tell it from every other. */
const nameOf = ({ number, mac }: Seal): string => `${number}:${mac.slice(0, 32)}`
