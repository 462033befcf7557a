import type { Dialect } from '../dialect.js'
import { inOnePiece, takesPieces } from '../engines/batch.js'
import { encodedRow } from '../engines/encoded-row.js'
import type { Engine, Session } from '../engines/engine.js'
import type { UnindexedFields } from '../layout/unindexed.js'
import type { Registry } from '../schema/registry.js'
import type { ContentType } from '../schema/types.js'
import type { Question, Select } from './asked-rows.js'
import type { CheckedInput } from './input.js'
import { LeadingRows } from './leading-rows.js'
import { LinkWriter } from './links.js'
import type { Owner } from './other-links.js'
import { type PartOwner, PartWriter } from './parts.js'
import { type Places, placesFrom } from './places.js'
import { Slugs } from './slugs.js'
import { mostAsked, Statements, valuesOf } from './statements.js'
import { TargetCheck, UniqueCheck } from './stored-checks.js'
import type { Sight } from './targets.js'

type Row = Readonly<Record<string, unknown>>

/** The time of a write, and the sight of its writer. */
export interface WriteContext {
  readonly now: Date
  readonly sight: Sight | undefined
  /** The rows that an update has already looked for. */
  readonly looked?: UpdateRows | undefined
}

/** The rows that an update looks for before it changes anything. */
export type UpdateRows = Pick<Owner, 'places' | 'before'>

/** Stores checked input: the entry's row, its components, its relations; always inside the transaction of one request. */
export class Writer {
  readonly #engine: Engine
  readonly #statements: Statements
  readonly #links: LinkWriter
  readonly #parts: PartWriter
  readonly #leading: LeadingRows
  readonly #locks = new Map<string, Select>()
  readonly #targets: TargetCheck
  readonly #unique: UniqueCheck
  /** Values that are made from those of other attributes. */
  readonly slugs: Slugs

  constructor(engine: Engine, registry: Registry, dialect: Dialect, unindexed: UnindexedFields) {
    this.#engine = engine
    this.#statements = new Statements(engine)
    this.#leading = new LeadingRows(this.#statements, registry)
    this.#targets = new TargetCheck(this.#statements, registry, engine, dialect)
    this.#unique = new UniqueCheck(engine, this.#statements, unindexed)
    this.slugs = new Slugs(engine, this.#statements)
    this.#links = new LinkWriter(this.#statements, engine, dialect, uid => registry.types.get(uid))
    const owner: PartOwner = {
      insert: (session, input) => this.#insert(session, input, {}),
      update: (session, input, part) => this.#update(session, input, {}, { ...part, isNew: false }),
      forget: (session, type, ids) => this.#leading.forget(session, type, ids),
    }
    this.#parts = new PartWriter(this.#statements, owner, dialect)
  }

  /**
   * The time at which an entry was last changed, null if that is not known, undefined if there is no such entry (of those that
   * are gone, or are not). No other transaction may change it meanwhile.
   */
  async lock(session: Session, { table, gone }: ContentType, id: number, isGone = false) {
    let select = this.#locks.get(table)
    if (!select) {
      const columns = ['updated_at', ...(gone ? [gone.column] : [])]
      select = this.#statements.selecting({ table, columns, lock: true }, ['id'])
      this.#locks.set(table, select)
    }
    const [row] = await select(session, [id])
    if (row === undefined) return undefined
    const [changed, since = null] = row
    if ((since !== null) !== isGone) return undefined
    return changed === null ? null : Date.parse(String(this.#engine.decode('datetime', changed)))
  }

  async create(session: Session, input: CheckedInput, context: WriteContext): Promise<number> {
    if (input.made) return this.slugs.storing(session, input, whole => this.create(session, whole, context))
    const places = await this.#look(session, input, context.sight)
    const stamp = this.#engine.encode('datetime', context.now.getTime())
    return this.#insert(session, input, { created_at: stamp, updated_at: stamp }, places)
  }

  async update(session: Session, input: CheckedInput, id: number, context: WriteContext): Promise<void> {
    const { places, before } = context.looked ?? (await this.#lookNow(session, input, id, context.sight))
    const stamps = { updated_at: this.#engine.encode('datetime', context.now.getTime()) }
    await this.#update(session, input, stamps, { id, isNew: false, places, before, sight: context.sight })
  }

  /** In one piece, where there is more than one thing to look for and the database takes that. */
  async #lookNow(session: Session, input: CheckedInput, id: number, sight: Sight | undefined): Promise<UpdateRows> {
    if (takesPieces(session) && !sight && input.relations.length > 0)
      return inOnePiece(session, own => this.lookFor(own, input, id))
    return { places: await this.#look(session, input, sight, id) }
  }

  /**
   * Looks for everything that an update needs before it changes anything, all at once: its checks, and the links that there are.
   */
  async lookFor(session: Session, input: CheckedInput, id: number): Promise<UpdateRows> {
    const places = this.#look(session, input, undefined, id)
    const before = this.#links.before(session, input, id)
    const [found, links] = await Promise.all([places, before])
    return { places: found, before: links }
  }

  /** Asks for the checks and places of a write in one statement; if its results do not show that all is well, one by one. */
  async #look(session: Session, input: CheckedInput, sight: Sight | undefined, id?: number) {
    const targets = sight ? undefined : this.#targets.questions(input)
    const unique = input.isUnchecked ? [] : this.#unique.questions(input, id)
    const placings = this.#links.placings(input.relations)
    const questions = [...(targets ?? []), ...(unique ?? []), ...placings.map(({ question }) => question)]
    const values = valuesOf(questions)
    const isOne = values.length <= mostAsked
    const results = isOne ? await this.#statements.resultsOf(session, questions, values) : []
    const isWell = (result: unknown, { expected }: Question) => expected === undefined || Number(result) === expected
    const isShown = isOne && questions.every((question, index) => isWell(results[index], question))
    if (!targets || !isShown) await this.#targets.check(session, input, sight)
    if (!unique || !isShown) await this.#unique.check(session, input, id)
    return isOne && placings.length > 0 ? placesFrom(placings, results.slice(-placings.length)) : undefined
  }

  /** With values for the attributes by which a type tells that an entry is gone, the row stays, and all that belongs to it. */
  async remove(session: Session, type: ContentType, id: number, set?: Row): Promise<void> {
    if (type.gone && set) return this.#statements.update(session, type.table, id, encodedRow(this.#engine, type, set))
    await this.#parts.removeAll(session, type, [id])
    await this.#leading.forget(session, type, [id])
    await this.#statements.remove(session, type.table, { id })
  }

  async #insert(session: Session, input: CheckedInput, stamps: Row, known?: Places): Promise<number> {
    const id = await this.#insertRow(session, input, this.#row(input, stamps))
    const places = known ?? (await this.#links.placesOf(session, input.relations))
    await this.#belongings(session, input, { id, isNew: true, places })
    return id
  }

  async #insertRow(session: Session, { type: { table }, given }: CheckedInput, row: Row): Promise<number> {
    if (given?.id === undefined) return this.#statements.insert(session, table, row)
    const { id } = given
    const { ddl, facts } = this.#engine
    await this.#statements.insert(session, table, { id, ...row })
    // A sequence that gives ids knows nothing of those that it has not given.
    if (facts.returnsIds && (await ddl.lastId(session, table)) < id) await ddl.raiseLastId(session, table, id)
    return id
  }

  async #update(session: Session, input: CheckedInput, stamps: Row, owner: Owner): Promise<void> {
    await this.#statements.update(session, input.type.table, owner.id, this.#row(input, stamps))
    await this.#belongings(session, input, owner)
  }

  async #belongings(session: Session, { parts, relations }: CheckedInput, owner: Owner): Promise<void> {
    for (const { link, items } of parts) await this.#parts.write(session, owner, link, items)
    for (const relation of relations) await this.#links.write(session, owner, relation)
  }

  #row({ values, given }: CheckedInput, stamps: Row): Record<string, unknown> {
    const row: Record<string, unknown> = {}
    for (const [{ column, type }, value] of values) row[column] = this.#engine.encode(type.as, value)
    return given ? { ...stamps, ...row } : Object.assign(row, stamps)
  }
}
