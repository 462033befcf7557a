import { AsyncLocalStorage } from 'node:async_hooks'
import { createHmac, timingSafeEqual } from 'node:crypto'
import { type Caller, type Host, rowsOf } from '../../core/index.js'
import { actorOf, hidingsOf, type TransactionSession } from '../../core/plugin-kit.js'
import { recordUid } from './content-types.js'
import { Seals } from './seals.js'
import type { ChangeDetail, Settings } from './settings.js'

/** The source of a request. */
export interface Origin {
  readonly address: string
  /** `PUT /api/articles/:id` */
  readonly request: string
  readonly requestId: string
}

/** An action to record, with its caller. */
export interface AuditedAction {
  readonly event: string
  readonly uid?: string
  readonly entry?: number
  readonly caller: Pick<Caller, 'actor' | 'id' | 'scope'>
  readonly changes?: Readonly<Record<string, unknown>>
}

/** Conditions on records; all of them must hold. */
export interface RecordFilter {
  readonly since?: Date | undefined
  /** Only those before a time. */
  readonly until?: Date | undefined
  readonly who?: string | undefined
  readonly event?: string | undefined
  readonly uid?: string | undefined
  readonly entry?: number | undefined
  /** Only those before the one with this id. */
  readonly before?: number | undefined
  readonly limit: number
}

const sealed = ['at', 'event', 'uid', 'entry', 'actor', 'address', 'request', 'requestId', 'changes'] as const
type SealedValues = Readonly<Record<(typeof sealed)[number], unknown>>

/** A record as it is read back. */
export interface StoredRecord extends SealedValues {
  readonly id: number
  readonly seal: string
  /** True if the record matches its seal. */
  readonly intact: boolean
}

const atOnce = 500
const editorUid = 'admin::user'

/** An insert whose text is made once: building one costs more than running it. */
interface Insert {
  readonly sql: string
  /** Index into the sealed values of the value at each position of a statement; the seal is the last. */
  readonly order: readonly number[]
}

/** The table of records. Rows are only added, each with a seal by which a later change of it shows. */
export class AuditRecord {
  readonly config: Settings
  /** Origin of the request being handled; undefined for jobs and commands. */
  readonly origin = new AsyncLocalStorage<Origin>()
  readonly seals: Seals
  readonly #host: Host<Settings>
  readonly #secret: string
  #insert: Insert | undefined

  constructor(host: Host<Settings>, secret: string) {
    this.config = host.config
    this.#host = host
    this.#secret = secret
    this.seals = new Seals(host, {
      hash: parts => this.#hash(parts),
      records: (batch, after) => this.#ofBatch(batch, after),
    })
  }

  /** Adds a record in a transaction, so that it is there exactly if what it tells of has happened. */
  add({ batch }: TransactionSession, { event, uid, entry, caller, changes }: AuditedAction, at = new Date()): void {
    const { address, request, requestId } = this.origin.getStore() ?? {}
    const known = {
      ...{ at: at.toISOString(), event, uid: uid ?? null, entry: entry ?? null, actor: actorOf(caller) },
      ...{ address: address ?? null, request: request ?? null, requestId: requestId ?? null },
      changes: changes ? JSON.stringify(changes) : null,
    }
    const values = sealed.map(name => known[name])
    const seal = this.#hash(values)
    values[0] = this.#host.store.encode('datetime', at.getTime()) as string
    values.push(seal)
    this.#insert ??= this.#prepare()
    const { sql, order } = this.#insert
    void batch.run(
      sql,
      order.map(index => values[index]),
    )
  }

  #prepare(): Insert {
    const { table, fields } = this.#type
    const row = [...sealed, 'seal'].map((name, index) => [fields.get(name)?.column, index])
    const { sql, bindings } = this.#host.store.knex(table).insert(Object.fromEntries(row)).toSQL().toNative()
    return { sql, order: bindings.map(Number) }
  }

  /** Adds a record of something that is no write. */
  async note(doing: AuditedAction): Promise<void> {
    await this.#host.store.transaction(async session => this.add(session, doing))
  }

  /** Adds a record of an action of another plugin. */
  keepRecord({ event, caller, changes }: Parameters<Host['record']>[0], session: TransactionSession): void {
    this.add(session, { event, caller, ...(changes && { changes }) })
  }

  /** An account is let in by the request that is being handled. */
  signedIn(scope: 'user' | 'admin', id: number): Promise<void> {
    return this.note({ event: 'sign-in', caller: { scope, actor: `${scope} ${id}` } })
  }

  /** Records, the last ones first. */
  async list({ since, until, who, event, uid, entry, before, limit }: RecordFilter): Promise<StoredRecord[]> {
    const { store } = this.#host
    const { fields } = this.#type
    const column = (name: string) => fields.get(name)?.column ?? name
    const query = this.#stored().orderBy('id', 'desc').limit(limit)
    const encoded = (time: Date) => store.encode('datetime', time.getTime()) as string
    if (since) query.where(column('at'), '>=', encoded(since))
    if (until) query.where(column('at'), '<', encoded(until))
    if (before !== undefined) query.where('id', '<', before)
    const equal = { actor: who, event, uid, entry }
    for (const [name, value] of Object.entries(equal)) if (value !== undefined) query.where(column(name), value)
    return (await rowsOf(store.reader, query)).map(row => this.#read(row))
  }

  /** The names of accounts of editors, by the names of callers in records. */
  async editorNames(actors: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const { entries, types } = this.#host
    const ids = [...new Set(actors.flatMap(actor => /^admin (\d+)$/.exec(actor)?.[1] ?? []))].map(Number)
    if (ids.length === 0 || !types.types.has(editorUid)) return new Map()
    const fields = ['firstname', 'lastname', 'username']
    const found = await entries(editorUid).find({ where: { id: { $in: ids } }, fields })
    return new Map(
      found.flatMap(({ id, firstname, lastname, username }) => {
        const name = [firstname, lastname].filter(Boolean).join(' ') || username
        return name ? [[`admin ${id}`, String(name)] as const] : []
      }),
    )
  }

  /** The actions without which some entries of a type are hidden. */
  hiddenWithout(uid: string): readonly string[] {
    const { outline, types } = this.#host
    const type = types.types.get(uid)
    return type ? hidingsOf(outline, type).map(({ shownBy }) => shownBy) : []
  }

  /** The recorded form of a changed attribute, as far as the settings allow: its name, hashes, or the values. */
  shown(uid: string, name: string, values: { readonly from?: unknown; readonly to?: unknown }): unknown {
    const { show, attributes } = this.config
    const field = this.#host.types.get(uid).fields.get(name)
    // Readers of records may lack the permission for secrets and private attributes; relations have no value.
    const way: ChangeDetail = field?.readable ? (attributes[uid]?.[name] ?? show) : 'name'
    if (way === 'name') return {}
    const told = way === 'value' ? (value: unknown) => value : (value: unknown) => this.hash(value)
    return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, told(value ?? null)]))
  }

  /** A value that can be recognised by who knows it. */
  hash(value: unknown): string {
    return this.#hash(['value', value]).slice(0, 24)
  }

  async #ofBatch(batch: number | null, after = 0): Promise<StoredRecord[]> {
    const query = this.#stored().where({ batch }).where('id', '>', after).orderBy('id')
    if (batch === null) query.limit(atOnce)
    return (await rowsOf(this.#host.store.reader, query)).map(row => this.#read(row))
  }

  #stored() {
    const { table, fields } = this.#type
    return this.#host.store.knex(table).select(['id', ...sealed, 'seal'].map(name => fields.get(name)?.column ?? name))
  }

  get #type() {
    return this.#host.types.get(recordUid)
  }

  #read([id, ...values]: readonly unknown[]): StoredRecord {
    const { decode } = this.#host.store
    const { fields } = this.#type
    const plain = (name: string, raw: unknown) => {
      const as = fields.get(name)?.type.as
      return raw === null || raw === undefined ? null : as === undefined ? raw : decode(as, raw)
    }
    const known = Object.fromEntries(
      sealed.map((name, at) => [name, plain(name, values[at])]),
    ) as unknown as SealedValues
    const entry = known.entry === null ? null : Number(known.entry)
    const at = new Date(String(known.at)).toISOString()
    const told = { ...known, at, entry }
    const [seal, expected] = [String(values.at(-1)), this.#hash(sealed.map(name => told[name]))].map(text =>
      Buffer.from(text),
    ) as [Buffer, Buffer]
    const intact = seal.length === expected.length && timingSafeEqual(seal, expected)
    const changes = typeof known.changes === 'string' ? (JSON.parse(known.changes) as object) : null
    return { ...told, changes, id: Number(id), seal: String(values.at(-1)), intact }
  }

  #hash(parts: readonly unknown[]): string {
    return createHmac('sha256', this.#secret).update(JSON.stringify(parts)).digest('hex')
  }
}
