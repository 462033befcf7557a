import type { Session } from '../../engines/engine.js'
import { TimeSlice } from '../../loop/time-slice.js'
import { type Ask, type Caller, type Entry, type Filters, type Row, rowsFor } from '../../query/ask.js'
import type { MoreFields } from '../../query/more.js'
import type { ContentType } from '../../schema/types.js'
import { fetchAll, objectShape, type Run } from '../../sql/fetch.js'
import type { PreparedPlan } from '../../sql/plan.js'
import type { Sight } from '../../write/targets.js'
import { type CodeQueries, systemCaller } from '../code-queries.js'
import type { ContentParts } from '../parts.js'
import type { Query } from '../query.js'
import type { RunContext } from '../request.js'

/** The run of a plan: its values, and as many statements and entries as the limits leave to it. */
export function runOf(
  { engine, limits, time }: Pick<ContentParts, 'engine' | 'limits' | 'time'>,
  { prepared, statements }: Pick<Query, 'prepared'> & Partial<Pick<Query, 'statements'>>,
  { caller, session, id: entryId, now }: RunContext,
): Omit<Run, 'slice'> {
  return {
    engine,
    session,
    moment: { caller, entryId, now: now ?? time() },
    values: prepared.values,
    room: limits.entries,
    roomInAll: limits.entries,
    // Code may ask for as much as it likes.
    possible: statements === undefined ? Number.POSITIVE_INFINITY : limits.statements - statements,
    possibleInAll: limits.statements,
  }
}

/** Rows that are assembled here take turns with other work. */
export const inSlices = (run: Omit<Run, 'slice'>): Run => ({ slice: new TimeSlice(), ...run })

/** The caller of a read, and its session. */
type Reader = Pick<RunContext, 'session' | 'caller'>

/** Row rules: the entries that a caller may do an action to. The server reads them without hooks. */
export class Access {
  readonly #parts: ContentParts
  readonly #queries: CodeQueries

  constructor(parts: ContentParts, queries: CodeQueries) {
    this.#parts = parts
    this.#queries = queries
  }

  /** Entries for the server's own use: no hook sees them. */
  async read(prepared: PreparedPlan, context: RunContext): Promise<Entry[]> {
    return fetchAll(prepared, inSlices(runOf(this.#parts, { prepared }, context)), objectShape('plain'))
  }

  /** The columns of an entry, except secrets; frozen, as several hooks are shown it. */
  async row(type: ContentType, id: number, session: Session): Promise<Row> {
    const [row] = await this.read(this.#queries.rowOf(type), { caller: systemCaller, session, id })
    return Object.freeze({ ...row, id })
  }

  /** The caller may not do the action to every entry. */
  hasRules(ask: Ask, caller: Caller): boolean {
    return rulesOf(ask, caller) !== undefined
  }

  /** The caller has no rules for the action, or they let it be done to the entry. */
  async isRuled(ask: Ask, id: number, session: Session, caller: Caller): Promise<boolean> {
    return !this.hasRules(ask, caller) || this.reaches(ask, id, session, caller)
  }

  /** The entry exists, and the caller's rules let the action be done to it. */
  async reaches(ask: Ask, id: number, session: Session, caller: Caller): Promise<boolean> {
    const prepared = this.#queries.entryWithin(ask, rulesOf(ask, caller) ?? {})
    return (await this.read(prepared, { caller, session, id })).length > 0
  }

  /** The parts of a caller's rights whose filters an entry meets: a statement for each. */
  async met(ask: Ask, parts: readonly MoreFields[], id: number, { session, caller }: Reader): Promise<MoreFields[]> {
    const met: MoreFields[] = []
    for (const part of parts) {
      const found = await this.read(this.#queries.entryWithin(ask, part.rows), { caller, session, id })
      if (found.length > 0) met.push(part)
    }
    return met
  }

  /** Finds the entries among some that the caller's rules let be found; undefined if there are no rules. */
  sight(ask: Ask, caller: Caller): Sight {
    return async (type, ids, session) => {
      const rules = rowsFor(caller, 'find', type.uid)
      if (!rules) return undefined
      const prepared = this.#queries.someWithin(ask, type, { $and: [{ id: { $in: ids } }, rules] })
      return new Set((await this.read(prepared, { caller, session })).map(({ id }) => Number(id)))
    }
  }
}

const rulesOf = (ask: Ask, caller: Caller): Filters | undefined =>
  rowsFor(caller, ask.permission ?? ask.action, ask.type.uid)
