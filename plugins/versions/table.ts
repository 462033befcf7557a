import { change, type Host, rowsOf, type Session } from '../../core/index.js'
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
}

/** Entries whose versions are deleted in one go. */
const atOnce = 200

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
    if (row?.[1] === text && action !== 'delete') return
    const number = Number(row?.[0] ?? 0) + 1
    const time = store.encode('datetime', at.getTime())
    const stored: Readonly<Record<string, unknown>> = {
      ...{ uid, entry, number, at: time, actor: by.slice(0, 255), action, data: text },
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
    this.#kept = {
      ...{ insert: sql, order: bindings as readonly string[] },
      last: this.#of(row).select('number', 'data').orderBy('number', 'desc').limit(1).toSQL().toNative().sql,
      remove: this.#of(row).where('number', '<=', 0).delete().toSQL().toNative().sql,
    }
    return this.#kept
  }

  /** The versions of an entry, the last ones first. */
  async list(of: EntryKey): Promise<Version[]> {
    const query = this.#of(of).select('number', 'at', 'actor', 'action').orderBy('number', 'desc')
    return (await rowsOf(this.#host.store.reader, query)).map(row => this.#read(row))
  }

  async first(of: EntryKey, number: number): Promise<(Version & { readonly data: Data }) | undefined> {
    const query = this.#of(of).select('number', 'at', 'actor', 'action', 'data').where({ number })
    const [row] = await rowsOf(this.#host.store.reader, query)
    return row && { ...this.#read(row), data: JSON.parse(String(row[4])) as Data }
  }

  /** The state of an entry that was replaced last. */
  async last(of: EntryKey): Promise<(Version & { readonly data: Data }) | undefined> {
    const query = this.#of(of).select('number', 'at', 'actor', 'action', 'data').orderBy('number', 'desc').limit(1)
    const [row] = await rowsOf(this.#host.store.reader, query)
    return row && { ...this.#read(row), data: JSON.parse(String(row[4])) as Data }
  }

  /** The entry of a type that was deleted last, as far as its versions tell. */
  async lastDeleted(uid: string): Promise<number | undefined> {
    const { knex, reader } = this.#host.store
    const query = knex(this.#table).select('entry').where({ uid, action: 'delete' }).orderBy('id', 'desc').limit(1)
    const [row] = await rowsOf(reader, query)
    return row && Number(row[0])
  }

  /** Deletes the versions of entries of a type that were deleted before a time; at most so many entries, and tells whether there may be more. */
  async forget(uid: string, table: string, before: Date): Promise<boolean> {
    const { store } = this.#host
    const { knex } = store
    const gone = knex(this.#table)
      .distinct('entry')
      .where({ uid, action: 'delete' })
      .where('at', '<', store.encode('datetime', before.getTime()) as string)
      .whereNotExists(
        knex(table)
          .select('id')
          .where('id', knex.ref(`${this.#table}.entry`)),
      )
      .limit(atOnce)
    const entries = (await rowsOf(store.reader, gone)).map(([entry]) => Number(entry))
    if (entries.length > 0)
      await store.transaction(session =>
        change(session, knex(this.#table).where({ uid }).whereIn('entry', entries).delete()),
      )
    return entries.length === atOnce
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
