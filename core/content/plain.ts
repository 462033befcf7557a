import type { Session } from '../engines/engine.js'
import { NotFoundError } from '../errors.js'
import type { Caller, Entry, Write } from '../query/ask.js'
import type { Filters } from '../query/filters.js'
import { byId, type QueryNode } from '../query/tree.js'
import type { ContentType } from '../schema/types.js'
import type { Prepared } from '../sql/plan.js'
import { bind } from '../sql/statement.js'
import { checkComplete, wholeNode } from '../write/complete.js'
import { copyNode, dataOf } from '../write/copy.js'
import type { Asking } from './asked.js'
import { type EntryQuery, systemCaller } from './entries.js'
import type { ContentParts } from './parts.js'
import type { Runs } from './runs.js'
import type { Writes } from './writes.js'

/** Entries as plain objects, for code: every permission, hidden columns where they are named. */
export class PlainContent {
  readonly #parts: ContentParts
  readonly #asking: Asking
  readonly #runs: Runs
  readonly #writes: Writes
  readonly #copies = new WeakMap<ContentType, Prepared>()

  constructor(parts: ContentParts, asking: Asking, runs: Runs, writes: Writes) {
    this.#parts = parts
    this.#asking = asking
    this.#runs = runs
    this.#writes = writes
  }

  async find(type: ContentType, query: EntryQuery, session: Session = this.#parts.engine.reader): Promise<Entry[]> {
    const { ask, node } = this.#asking.byCode.plain(type, query)
    return this.#runs.entries({ ask, prepared: this.#prepare(node) }, { caller: systemCaller, session })
  }

  async count(type: ContentType, filters: Filters, session: Session = this.#parts.engine.reader): Promise<number> {
    const { node } = this.#asking.byCode.plain(type, { where: filters })
    const prepared = this.#prepare(node, true)
    if (!prepared.plan.count) return 0
    const { text, values } = bind(this.#parts.engine, prepared.plan.count, prepared.values, {
      moment: { caller: systemCaller, now: this.#parts.time() },
    })
    return Number((await session.all(text, values))[0]?.[0])
  }

  /** Refuses an entry that lacks what a finished one has to have. */
  async check(type: ContentType, id: number, session: Session = this.#parts.engine.reader): Promise<void> {
    const { dialect } = this.#parts
    const prepared = this.#prepare(byId(wholeNode(type, { dialect, anyTarget: this.#anyTarget() })))
    const entry = await this.#unseen(prepared, id, session)
    if (!entry) throw new NotFoundError()
    checkComplete(type, entry, dialect)
  }

  /** What of an entry can be written again. */
  async copy(
    type: ContentType,
    id: number,
    names?: readonly string[],
    session: Session = this.#parts.engine.reader,
  ): Promise<Record<string, unknown> | undefined> {
    const entry = await this.#unseen(this.#copying(type, names), id, session)
    return entry && dataOf(type, entry)
  }

  #anyTarget(): readonly ContentType[] {
    return [...this.#parts.registry.types.values()].filter(({ kind }) => kind !== 'component')
  }

  /** The plan of a whole copy is made once for a type. */
  #copying(type: ContentType, names: readonly string[] | undefined): Prepared {
    const known = names === undefined ? this.#copies.get(type) : undefined
    if (known) return known
    const prepared = this.#prepare(byId(copyNode(type, name => names?.includes(name) ?? true, this.#anyTarget())))
    if (names === undefined) this.#copies.set(type, prepared)
    return prepared
  }

  async write(type: ContentType, write: Write, caller: Caller, within?: Session): Promise<Entry> {
    const { ask, node } = this.#asking.byCode.plain(type, {}, write.action)
    const running = { ask, prepared: this.#prepare(byId(node)) }
    const readBack = async (session: Session, id: number) =>
      (await this.#runs.entries(running, { caller, session, id }))[0]
    const entry = await this.#writes.store(running, write, caller, { read: readBack, within })
    if (!entry) throw new NotFoundError()
    return entry
  }

  /** One entry as it stands in the database, as far as the plan goes; no hook sees it. */
  async #unseen(prepared: Prepared, id: number, session: Session): Promise<Entry | undefined> {
    return (await this.#runs.unseen(prepared, { caller: systemCaller, session, id }))[0]
  }

  #prepare(node: QueryNode, counted = false) {
    return this.#parts.planner.prepare(node, { asText: false, counted, entries: 0 })
  }
}
