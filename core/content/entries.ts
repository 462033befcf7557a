import type { Session } from '../engines/engine.js'
import { NotFoundError } from '../errors.js'
import type { Caller, Entry, Filters, Write } from '../query/ask.js'
import { byId, type QueryNode } from '../query/tree.js'
import type { ContentType } from '../schema/types.js'
import type { PreparedPlan } from '../sql/plan.js'
import { bind } from '../sql/statement.js'
import { checkComplete, wholeNode } from '../write/complete.js'
import { copyNode, dataOf } from '../write/copy.js'
import { type CodeQueries, type EntryQuery, systemCaller } from './code-queries.js'
import type { ContentParts } from './parts.js'
import type { Access } from './rights/access.js'
import { typesToLink } from './rights/rules.js'
import type { QueryRunner } from './run.js'
import type { Writes } from './writes.js'

/** Entries of one type for code: plain objects, all permissions, every hook of the type. */
export interface Entries {
  find(query?: EntryQuery): Promise<Entry[]>
  /** The first entry that meets the filters. */
  first(query?: EntryQuery): Promise<Entry | undefined>
  count(where?: Filters): Promise<number>
  /** Also writes attributes that requests may not (`writable: false`), but for the id, the times and the creators of an entry. */
  create(data: Readonly<Record<string, unknown>>, options?: EntryWrite): Promise<Entry>
  update(id: number, data: Readonly<Record<string, unknown>>, options?: EntryWrite): Promise<Entry>
  delete(id: number, options?: EntryWrite): Promise<Entry>
  /** Throws the refusal of a write that left out what the stored entry lacks: required values and least lengths. */
  check(id: number): Promise<void>
  /**
   * The part of an entry that can be written again, as the `data` of a write: columns, hidden ones too, components as new ones,
   * relations as ids. Secrets are left out. The named attributes, or all, with what is sent with a new entry alone; undefined if
   * there is no such entry.
   */
  copy(id: number, names?: readonly string[]): Promise<Record<string, unknown> | undefined>
}

/** The options of a write of code. */
export interface EntryWrite {
  /** The caller that hooks are told; code by default. */
  readonly caller?: Caller
  /**
   * No rule of the schema holds: neither required values nor limits, choices or unique ones. Values are converted, and
   * refused where they cannot be; nothing is hashed. Relations still lead to entries, and indexes of the database hold.
   */
  readonly unchecked?: true
  /** The id of a new entry, its times and its creators count where the data has them. */
  readonly given?: true
  /** The part of the entry that is returned, as `find` would return it. */
  readonly read?: Pick<EntryQuery, 'fields' | 'populate' | 'everything'>
}

/** With a session, everything happens inside its transaction; without one, every write is a transaction of its own. */
export function entriesOf(type: ContentType, entries: CodeEntries, session?: Session): Entries {
  const write = (write: Write, options: EntryWrite = {}) => {
    const { caller, unchecked, given, read } = options
    if ('can' in options) throw new Error('a write of code takes { caller }, and was given a caller')
    const asked = { ...write, ...(unchecked && { unchecked }), ...(given && { given }) }
    return entries.write(type, asked, { caller, read }, session)
  }
  return {
    find: query => entries.find(type, query ?? {}, session),
    first: async query => (await entries.find(type, { ...query, limit: 1 }, session))[0],
    count: where => entries.count(type, where ?? {}, session),
    create: (data, options) => write({ action: 'create', data }, options),
    update: (id, data, options) => write({ action: 'update', data, id }, options),
    delete: (id, options) => write({ action: 'delete', data: {}, id }, options),
    check: id => entries.check(type, id, session),
    copy: (id, names) => entries.copy(type, id, names, session),
  }
}

/** Entries of a type whose table is made with the first write: there are none, and a write makes sure of the table. */
export function noEntriesYet(type: ContentType, entries: CodeEntries): Entries {
  return { ...entriesOf(type, entries), find: async () => [], first: async () => undefined, count: async () => 0 }
}

interface Services {
  readonly access: Access
  readonly queries: CodeQueries
  readonly runner: QueryRunner
  readonly writes: Writes
}

/** Entries as plain objects, for code: every permission, hidden columns where they are named. */
export class CodeEntries {
  readonly #parts: ContentParts
  readonly #services: Services
  readonly #copies = new WeakMap<ContentType, PreparedPlan>()

  constructor(parts: ContentParts, services: Services) {
    this.#parts = parts
    this.#services = services
  }

  async find(type: ContentType, query: EntryQuery, session: Session = this.#parts.engine.reader): Promise<Entry[]> {
    const { queries, runner } = this.#services
    const { ask, node } = queries.plain(type, query)
    return runner.entries(ask, this.#prepare(node), { caller: systemCaller, session })
  }

  async count(type: ContentType, filters: Filters, session: Session = this.#parts.engine.reader): Promise<number> {
    const { node } = this.#services.queries.plain(type, { where: filters })
    const prepared = this.#prepare(node, true)
    if (!prepared.plan.count) return 0
    const { text, values } = bind(this.#parts.engine, prepared.plan.count, prepared.values, {
      moment: { caller: systemCaller, now: this.#parts.time() },
    })
    return Number((await session.all(text, values))[0]?.[0])
  }

  /** Refuses an entry that lacks values which a finished one must have. */
  async check(type: ContentType, id: number, session: Session = this.#parts.engine.reader): Promise<void> {
    const { dialect, registry } = this.#parts
    const prepared = this.#prepare(byId(wholeNode(type, { dialect, anyTarget: typesToLink(registry, false) })))
    const entry = await this.#unseen(prepared, id, session)
    if (!entry) throw new NotFoundError()
    checkComplete(type, entry, dialect)
  }

  /** The part of an entry that can be written again. */
  async copy(
    type: ContentType,
    id: number,
    names?: readonly string[],
    session: Session = this.#parts.engine.reader,
  ): Promise<Record<string, unknown> | undefined> {
    const entry = await this.#unseen(this.#copying(type, names), id, session)
    return entry && dataOf(type, entry)
  }

  /** The plan of a whole copy is made once for a type. */
  #copying(type: ContentType, names: readonly string[] | undefined): PreparedPlan {
    const known = names === undefined ? this.#copies.get(type) : undefined
    if (known) return known
    const prepared = this.#prepare(byId(copyNode(type, names, typesToLink(this.#parts.registry, false))))
    if (names === undefined) this.#copies.set(type, prepared)
    return prepared
  }

  async write(
    type: ContentType,
    write: Write,
    { caller = systemCaller, read: asked = {} }: { caller?: Caller | undefined; read?: EntryWrite['read'] },
    within?: Session,
  ): Promise<Entry> {
    const { queries, runner, writes } = this.#services
    const { ask, node } = queries.plain(type, asked, write.action)
    const prepared = this.#prepare(byId(node))
    const read = async (session: Session, id: number) =>
      (await runner.entries(ask, prepared, { caller, session, id }))[0]
    const entry = await writes.store(ask, write, caller, { read, within })
    if (!entry) throw new NotFoundError()
    return entry
  }

  /** One entry as it is stored, as far as the plan goes; no hook sees it. */
  async #unseen(prepared: PreparedPlan, id: number, session: Session): Promise<Entry | undefined> {
    return (await this.#services.access.read(prepared, { caller: systemCaller, session, id }))[0]
  }

  #prepare(node: QueryNode, counted = false) {
    return this.#parts.planner.prepare(node, { asText: false, counted, entries: 0 })
  }
}
