import { type ContentType, change, type Host, rowsOf, type Session } from '../../core/index.js'
import { versionUid } from './content-types.js'

/** An entry by its type and id. */
export interface EntryKey {
  readonly uid: string
  readonly entry: number
}

/** A replaced state of an entry, with the time, caller and action. */
export interface Version {
  readonly number: number
  readonly at: string
  readonly by: string
  readonly action: string
}

export type Data = Readonly<Record<string, unknown>>

/** The state to store, with the caller and the action that replace it. */
interface ReplacedState extends Omit<Version, 'number' | 'at'> {
  readonly at: Date
}

const columns = ['uid', 'entry', 'number', 'at', 'actor', 'action', 'data']

interface Texts {
  readonly last: string
  readonly insert: string
  /** The columns in the order of the values of the insert. */
  readonly order: readonly string[]
  readonly remove: string
  readonly renew: string
  readonly renewOrder: readonly string[]
}

/** Entries whose versions are deleted in one go. */
const atOnce = 200

/** States that are read in one go. */
const readAtOnce = 25

/** The versions in the database. */
export class VersionTable {
  readonly #host: Pick<Host<{ keep: number }>, 'store' | 'types' | 'config'>
  #kept: Texts | undefined

  constructor(host: Pick<Host<{ keep: number }>, 'store' | 'types' | 'config'>) {
    this.#host = host
  }

  /** Stores a state, unless it is the last one that was stored, and lets go of the oldest; the entry is locked. */
  async add(session: Session, { uid, entry }: EntryKey, data: Data, { at, by, action }: ReplacedState) {
    const { store, config } = this.#host
    const texts = this.#texts()
    const text = JSON.stringify(data)
    const [row] = await session.all(texts.last, [uid, entry, 1])
    // The last version of a deleted entry tells when it was deleted.
    const isKnown = row?.[1] === text && action !== 'delete'
    const number = Number(row?.[0] ?? 0) + (isKnown ? 0 : 1)
    const time = store.encode('datetime', at.getTime())
    const stored: Readonly<Record<string, unknown>> = {
      ...{ uid, entry, number, at: time, actor: by.slice(0, 255), action, data: text },
    }
    // The write that stored it has changed nothing: this one replaces the state. That of a delete tells when that was.
    if (isKnown && row?.[2] === 'delete') return
    if (isKnown) {
      await session.run(
        texts.renew,
        texts.renewOrder.map(name => stored[name]),
      )
      return
    }
    await session.run(
      texts.insert,
      texts.order.map(name => stored[name]),
    )
    if (number > config.keep) await session.run(texts.remove, [uid, entry, number - config.keep])
  }

  /** The statements of every write: building them anew costs more than running them. */
  #texts(): Texts {
    if (this.#kept) return this.#kept
    const row = { uid: '', entry: 0 }
    const insert = this.#host.store.knex(this.#table).insert(Object.fromEntries(columns.map(name => [name, name])))
    const { sql, bindings } = insert.toSQL().toNative()
    const told = Object.fromEntries(['at', 'actor', 'action'].map(name => [name, name]))
    const renew = this.#of({ uid: 'uid', entry: 'entry' as never })
      .where({ number: 'number' })
      .update(told)
      .toSQL()
      .toNative()
    this.#kept = {
      ...{ renew: renew.sql, renewOrder: renew.bindings as readonly string[] },
      ...{ insert: sql, order: bindings as readonly string[] },
      last: this.#of(row).select('number', 'data', 'action').orderBy('number', 'desc').limit(1).toSQL().toNative().sql,
      remove: this.#of(row).where('number', '<=', 0).delete().toSQL().toNative().sql,
    }
    return this.#kept
  }

  /** The versions of an entry, the last ones first. */
  async list(of: EntryKey): Promise<Version[]> {
    const query = this.#of(of).select('number', 'at', 'actor', 'action').orderBy('number', 'desc')
    return (await rowsOf(this.#host.store.reader, query)).map(row => this.#read(row))
  }

  /** The latest versions of an entry with their states, the last one first. */
  async latest(of: EntryKey, count: number): Promise<(Version & { readonly data: Data })[]> {
    const query = this.#of(of).select('number', 'at', 'actor', 'action', 'data').orderBy('number', 'desc').limit(count)
    const rows = await rowsOf(this.#host.store.reader, query)
    return rows.map(row => ({ ...this.#read(row), data: JSON.parse(String(row[4])) as Data }))
  }

  async first(of: EntryKey, number: number): Promise<(Version & { readonly data: Data }) | undefined> {
    const query = this.#of(of).select('number', 'at', 'actor', 'action', 'data').where({ number })
    const [row] = await rowsOf(this.#host.store.reader, query)
    return row && { ...this.#read(row), data: JSON.parse(String(row[4])) as Data }
  }

  /** The state of an entry that was replaced last. */
  async last(of: EntryKey): Promise<(Version & { readonly data: Data }) | undefined> {
    const [last] = await this.latest(of, 1)
    return last
  }

  /** The entry of a type that was deleted last, in a locale if one is named, as far as its versions tell: in the trash or for good. */
  async lastDeleted(type: ContentType, locale?: string): Promise<number | undefined> {
    const { reader } = this.#host.store
    const query = this.#deleted(type, 'there').select('entry', 'data').orderBy('id', 'desc')
    // A state is text: its locale is known once it is read.
    const isMeant = (data: unknown) => locale === undefined || (JSON.parse(String(data)) as Data).locale === locale
    for (let start = 0; ; start += readAtOnce) {
      const rows = await rowsOf(reader, query.clone().offset(start).limit(readAtOnce))
      const found = rows.find(([, data]) => isMeant(data))
      if (found || rows.length < readAtOnce) return found && Number(found[0])
    }
  }

  /** Entries of a type that were deleted for good, each with its last version: those deleted last come first. */
  async deleted(type: ContentType, { start, limit }: { readonly start: number; readonly limit: number }) {
    const query = this.#deleted(type, 'stored').select('number', 'at', 'actor', 'action', 'data', 'entry')
    const page = query.orderBy([
      { column: 'at', order: 'desc' },
      { column: 'id', order: 'desc' },
    ])
    const rows = await rowsOf(this.#host.store.reader, page.offset(start).limit(limit))
    return rows.map(row => ({ ...this.#read(row), entry: Number(row[5]), data: JSON.parse(String(row[4])) as Data }))
  }

  async countDeleted(type: ContentType): Promise<number> {
    const [row] = await rowsOf(this.#host.store.reader, this.#deleted(type, 'stored').count())
    return Number(row?.[0] ?? 0)
  }

  /** Gives an entry the versions of the deleted one of which it was made anew; false if another one has them by now. */
  async move(session: Session, { uid, entry }: EntryKey, to: number): Promise<boolean> {
    const { changes } = await change(session, this.#of({ uid, entry }).update({ entry: to }))
    return changes > 0
  }

  /** Deletes the versions of entries of a type that were deleted before a time; at most so many entries, and tells whether there may be more. */
  async forget(type: ContentType, before: Date): Promise<boolean> {
    const { store } = this.#host
    const gone = this.#deleted(type, 'stored')
      .select('entry')
      .where('at', '<', store.encode('datetime', before.getTime()) as string)
      .limit(atOnce)
    const entries = (await rowsOf(store.reader, gone)).map(([entry]) => Number(entry))
    if (entries.length > 0)
      await store.transaction(session =>
        change(session, store.knex(this.#table).where({ uid: type.uid }).whereIn('entry', entries).delete()),
      )
    return entries.length === atOnce
  }

  /** The last versions of entries of a type that were deleted, and have no row any more, or none that counts as there. */
  #deleted({ uid, table, gone }: ContentType, without: 'stored' | 'there') {
    const { knex } = this.#host.store
    const own = this.#table
    const row = knex(table)
      .select('id')
      .where('id', knex.ref(`${own}.entry`))
    const later = knex(`${own} as later`)
      .select('later.id')
      .where({ 'later.uid': uid, 'later.entry': knex.ref(`${own}.entry`) })
      .where('later.number', '>', knex.ref(`${own}.number`))
    return knex(own)
      .where({ uid, action: 'delete' })
      .whereNotExists(without === 'there' && gone ? row.whereNull(gone.column) : row)
      .whereNotExists(later)
  }

  #read([number, at, actor, action]: readonly unknown[]): Version {
    const { decode } = this.#host.store
    return { number: Number(number), at: String(decode('datetime', at)), by: String(actor), action: String(action) }
  }

  #of({ uid, entry }: EntryKey) {
    return this.#host.store.knex(this.#table).where({ uid, entry })
  }

  get #table(): string {
    return this.#host.types.get(versionUid).table
  }
}
