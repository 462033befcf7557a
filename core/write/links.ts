import type { Dialect } from '../dialect.js'
import { type Engine, Overtaken, type Session } from '../engines/engine.js'
import type { LinkStorage } from '../schema/types.js'
import type { Rows, Select } from './asked-rows.js'
import type { CheckedInput, CheckedRelation } from './input.js'
import { keepOne, OtherLinks, type Owner, type TypeOf } from './other-links.js'
import { lastPlaces, type Places, type Placing, placesOf, placings } from './places.js'
import { wantedTargets } from './relation-input.js'
import type { Statements } from './statements.js'
import type { Sight } from './targets.js'

type LinkRows = Extract<LinkStorage, { via: 'table' }>

/** Links whose places a statement counts that inserts them: the text of one that counts more is long. */
const mostCounted = 50

/** Writes the changes of a request to the relations of one entry. */
export class LinkWriter {
  readonly #statements: Statements
  readonly #engine: Engine
  readonly #dialect: Dialect
  readonly #others: OtherLinks
  readonly #selects = new WeakMap<LinkRows, Select>()

  constructor(statements: Statements, engine: Engine, dialect: Dialect, typeOf: TypeOf) {
    this.#statements = statements
    this.#engine = engine
    this.#dialect = dialect
    this.#others = new OtherLinks(statements, dialect, typeOf)
  }

  /** The places that a write asks for together with its checks, if the statements that insert links do not count them. */
  placings(relations: readonly CheckedRelation[]): readonly Placing[] {
    return this.#engine.facts.countsInInserts ? [] : placings(relations)
  }

  /** The places of new links that were not asked for. */
  placesOf(session: Session, relations: readonly CheckedRelation[]): Promise<Places> | undefined {
    const isCounted = relations.length < 2 || this.#engine.facts.countsInInserts
    return isCounted ? undefined : placesOf(this.#statements, session, relations)
  }

  async write(session: Session, owner: Owner, relation: CheckedRelation): Promise<void> {
    const rows = rowsOf(relation)
    return rows ? this.#writeTable(session, rows, owner, relation) : this.#others.write(session, owner, relation)
  }

  /** The links that there are before a write, of relations whose tables none of the others changes. */
  async before(session: Session, { relations }: CheckedInput, owner: number) {
    const before = new Map<CheckedRelation, Rows>()
    const look = async (relation: CheckedRelation) => {
      const rows = rowsOf(relation)
      const isAlone = relations.every(one => one === relation || rowsOf(one)?.table !== rows?.table)
      if (rows && isAlone) before.set(relation, await this.#linksOf(session, rows, owner))
    }
    await Promise.all(relations.map(look))
    return before
  }

  /** A relation with a table of its own: only real changes are written. */
  async #writeTable(session: Session, rows: LinkRows, owner: Owner, relation: CheckedRelation) {
    const { table, from, to, order, match } = rows
    const before = owner.isNew ? [] : (owner.before?.get(relation) ?? (await this.#linksOf(session, rows, owner.id)))
    const current = before.map(([, target]) => Number(target))
    const wanted = wantedTargets(current, relation, this.#dialect)
    const list = await withUnseen(wanted, { current, relation, sight: owner.sight, session })
    keepOne(relation, list)
    if (stands(before, list, order !== undefined)) return
    const owned = { [from]: owner.id, ...match }
    const known = new Set(current)
    const kept = new Set(list)
    const removed = [...known].filter(id => !kept.has(id))
    const added = list.filter(id => !known.has(id))
    if (removed.length > 0) await this.#statements.remove(session, table, { ...owned, [to]: removed })
    if (order !== undefined) await this.#renumber(session, rows, before, list)
    if (added.length > 0) await this.#add(session, relation, rows, { owner, added, list })
  }

  #linksOf(session: Session, rows: LinkRows, owner: number): Rows | Promise<Rows> {
    let select = this.#selects.get(rows)
    if (!select) {
      const { table, from, to, order, match } = rows
      const ordered = order === undefined ? [] : [order]
      const selection = { table, columns: ['id', to, ...ordered], orderBy: [...ordered, 'id'] }
      select = this.#statements.selecting(selection, [from, ...Object.keys(match)])
      this.#selects.set(rows, select)
    }
    return select(session, [owner, ...Object.values(rows.match)])
  }

  /** The owner's list counts 1, 2, 3 after every write; rows that already have their number are left alone. */
  async #renumber(session: Session, { table, order }: LinkRows, before: Rows, list: readonly number[]): Promise<void> {
    const places = new Map(list.map((id, index) => [id, index + 1]))
    for (const [row, target, place] of before) {
      const wanted = places.get(Number(target))
      if (wanted !== undefined && wanted !== Number(place))
        await this.#statements.update(session, table, Number(row), { [order as string]: wanted })
    }
  }

  async #add(session: Session, relation: CheckedRelation, rows: LinkRows, { owner, added, list }: Addition) {
    const { table, from, to, order, inverseOrder, match } = rows
    if (relation.link.exclusive) {
      const [target] = relation.link.types()
      if (target) await this.#statements.claim(session, target.table, added)
      await this.#statements.remove(session, table, { [to]: added })
    }
    const isCounted = added.length <= mostCounted && this.#engine.facts.countsInInserts
    const next = isCounted && inverseOrder !== undefined ? { column: inverseOrder, of: to } : undefined
    const isAsked = inverseOrder !== undefined && !next
    const known = owner.places?.get(relation)
    const last = isAsked ? (known ?? (await lastPlaces(this.#statements, session, rows, added))) : undefined
    const constants = Object.keys(match)
    const ordered = order === undefined ? [] : [order]
    const counted = last === undefined ? [] : [inverseOrder as string]
    const columns = [from, to, ...constants, ...ordered, ...counted]
    const inList = new Map(list.map((id, index) => [id, index + 1]))
    const links = added.map(id => {
      const orders = [...ordered.map(() => inList.get(id)), ...counted.map(() => (last?.get(id) ?? 0) + 1)]
      return [owner.id, id, ...constants.map(column => match[column]), ...orders]
    })
    // The other side has made the same link meanwhile, or the target went: run again, the write is told so or passes.
    const failed = (reason: unknown): void => {
      const kind = this.#engine.classify(reason)?.kind
      if (kind === 'unique' || kind === 'missing') Overtaken.note(reason)
    }
    await this.#statements.insertAll(session, table, { columns, rows: links, next }, failed)
  }
}

/** The table of its own in which a relation is stored, if it has one. */
const rowsOf = ({ link: { storage, targets } }: CheckedRelation): LinkRows | undefined =>
  storage.via === 'table' && targets !== undefined ? storage : undefined

/** The targets of a relation before a write, and the sight of its writer. */
interface SeenLinks {
  readonly current: readonly number[]
  readonly relation: CheckedRelation
  readonly sight: Sight | undefined
  readonly session: Session
}

/** The list with the entries that it leaves out only because the writer does not see them. */
async function withUnseen(list: readonly number[], { current, relation, sight, session }: SeenLinks) {
  const { link, isSet } = relation
  const [type] = link.types()
  if (!sight || isSet || !link.many || !type) return list
  const wanted = new Set(list)
  const removed = current.filter(id => !wanted.has(id))
  const seen = removed.length > 0 ? await sight(type, removed, session) : undefined
  return seen ? [...list, ...removed.filter(id => !seen.has(id))] : list
}

/** True if the list is the stored one, in the same order. */
function stands(before: Rows, list: readonly number[], isOrdered: boolean): boolean {
  const isThere = ([, target, place]: readonly unknown[], index: number) =>
    Number(target) === list[index] && (!isOrdered || Number(place) === index + 1)
  return before.length === list.length && before.every(isThere)
}

/** Links that an owner gets, and the list in which they stand. */
interface Addition {
  readonly owner: Owner
  readonly added: readonly number[]
  readonly list: readonly number[]
}
