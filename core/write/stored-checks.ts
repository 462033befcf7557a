import type { Dialect } from '../dialect.js'
import type { Engine, Session } from '../engines/engine.js'
import { type Issue, ValidationError } from '../errors.js'
import type { UnindexedFields } from '../layout/unindexed.js'
import type { Registry } from '../schema/registry.js'
import type { ContentType, Field } from '../schema/types.js'
import { isUnique } from '../schema/values.js'
import type { Match, Question } from './asked-rows.js'
import type { CheckedInput } from './input.js'
import { notUnique } from './issue.js'
import type { Statements } from './statements.js'
import { byType, type Sight, TargetIssues, type Wish } from './targets.js'

/** Looks at the entries that relations name: they exist, and are such as their attribute takes. */
export class TargetCheck {
  readonly #registry: Registry
  readonly #dialect: Dialect
  readonly #issues: TargetIssues

  constructor(statements: Statements, registry: Registry, engine: Engine, dialect: Dialect) {
    this.#registry = registry
    this.#dialect = dialect
    this.#issues = new TargetIssues(statements, registry, engine, dialect)
  }

  /** Questions whose results show that all entries are there; undefined where that takes more than to count them. */
  questions(input: CheckedInput): Question[] | undefined {
    const questions: Question[] = []
    for (const [uid, some] of wishesOf(input)) {
      const type = this.#registry.types.get(uid)
      if (!type || type.kind === 'component' || type.gone || some.some(({ link }) => link.accepts)) return undefined
      const ids = [...new Set(some.flatMap(({ targets }) => targets.map(({ id }) => id)))]
      questions.push({ table: type.table, match: { id: ids }, expected: ids.length })
    }
    return questions
  }

  /** One statement for each type, components included. */
  async check(session: Session, input: CheckedInput, sight?: Sight): Promise<void> {
    const issues: Issue[] = []
    for (const [uid, wanted] of wishesOf(input)) {
      issues.push(...(await this.#issues.of(session, uid, wanted, sight)))
      if (issues.length > 0 && !this.#dialect.plainMessages) break
    }
    if (issues.length > 0) throw ValidationError.of(issues)
  }
}

/** The targets that relations name, by their types. */
function wishesOf(input: CheckedInput): ReadonlyMap<string, readonly Wish[]> {
  const wishes = new Map<string, Wish[]>()
  for (const { link, change, path, isSet } of relationsOf(input)) {
    const targets = change.kind === 'set' ? change.targets : change.connect
    for (const [uid, some] of link.targets ? [[link.targets[0] ?? '', targets] as const] : byType(targets)) {
      const wanted = wishes.get(uid)
      const wish = { link, path, targets: some, isSet }
      if (wanted) wanted.push(wish)
      else if (some.length > 0) wishes.set(uid, [wish])
    }
  }
  return wishes
}

function relationsOf(input: CheckedInput): readonly CheckedInput['relations'][number][] {
  if (input.parts.length === 0) return input.relations
  return [...input.relations, ...input.parts.flatMap(({ items }) => items.flatMap(relationsOf))]
}

/** A value that no other row may have. */
interface Claim {
  readonly table: string
  readonly field: Field
  readonly value: string | number
  /** It belongs to a component, and not to the entry itself. */
  readonly isPart: boolean
  /** The row that may have it already. */
  readonly own: number | undefined
  readonly path: readonly string[]
}

/** Refuses values that have to be unique and are not, in the transaction that is about to store them. */
export class UniqueCheck {
  readonly #engine: Engine
  readonly #statements: Statements
  readonly #unindexed: UnindexedFields

  constructor(engine: Engine, statements: Statements, unindexed: UnindexedFields) {
    this.#engine = engine
    this.#statements = statements
    this.#unindexed = unindexed
  }

  /** Questions whose results show that no other entry has a value; undefined where that takes more than to count them. */
  questions(input: CheckedInput, id: number | undefined): Question[] | undefined {
    const claims = this.#claims(input, id)
    if (claims.length === 0) return []
    const isStored = id !== undefined && input.type.uniqueWithin.length > 0
    if (isStored || claims.some(({ isPart }) => isPart) || !this.#unindexed.isEmpty) return undefined
    const within = worldOf(this.#engine, input.type, input.values)
    const matchOf = ({ field, value }: Claim): Match => ({ ...withinOf(field, within), [field.column]: value })
    return claims.map(claim => ({ table: claim.table, match: matchOf(claim), except: claim.own, expected: 0 }))
  }

  async check(session: Session, input: CheckedInput, id: number | undefined): Promise<void> {
    const found = this.#claims(input, id)
    if (found.length === 0) return
    const world = found.some(({ isPart }) => !isPart) ? await this.#within(session, input, id) : {}
    const claims = found.map(claim => ({ ...claim, within: claim.isPart ? {} : withinOf(claim.field, world) }))
    await this.#unindexed.lock(this.#engine, session, claims)
    const issues: Issue[] = []
    for (const { table, field, value, within, own, path } of claims) {
      const match = { ...within, [field.column]: value }
      const found = await this.#statements.select(session, { table, columns: ['id'], match, limit: 2 })
      if (found.some(([other]) => Number(other) !== own)) issues.push(notUnique(path))
    }
    if (issues.length > 0) throw ValidationError.of(issues)
  }

  #claims(input: CheckedInput, id: number | undefined): Claim[] {
    const claims: Claim[] = []
    for (const { input: part, path, own } of partsOf(input, [], id))
      for (const [field, given] of part.values) {
        if (given === null || !isUnique(field)) continue
        const value = this.#engine.encode(field.type.as, given) as string | number
        const { table } = part.type
        claims.push({ table, field, value, isPart: part !== input, own, path: [...path, field.name] })
      }
    return claims
  }

  /**
   * The world in which the values of an entry are unique: the values that its row has, or will have, in the columns that define
   * it.
   */
  async #within(session: Session, { type, values }: CheckedInput, id: number | undefined): Promise<Match> {
    if (type.uniqueWithin.length === 0) return {}
    const { table } = type
    const columns = type.uniqueWithin.map(({ column }) => column)
    const [row] = id === undefined ? [] : await this.#statements.select(session, { table, columns, match: { id } })
    return worldOf(this.#engine, type, values, row)
  }
}

/** The part of a world in which the values of one attribute are unique. */
export const withinOf = ({ uniqueOverall }: Field, world: Match): Match => (uniqueOverall ? {} : world)

/** The same of a row that is there, or that is about to be: written values come before stored ones. */
export function worldOf(
  engine: Engine,
  type: ContentType,
  values: CheckedInput['values'],
  row?: readonly unknown[],
): Match {
  const world: Record<string, string | number> = {}
  for (const [index, field] of type.uniqueWithin.entries()) {
    const isStored = row !== undefined && !values.has(field)
    const value = isStored ? row[index] : engine.encode(field.type.as, values.get(field) ?? null)
    if (value !== null && value !== undefined) world[field.column] = value as string | number
  }
  return world
}

/** The input and all its parts, each with the id it has already. */
function partsOf(
  input: CheckedInput,
  path: readonly string[],
  own: number | undefined,
): { input: CheckedInput; path: readonly string[]; own: number | undefined }[] {
  return [
    { input, path, own },
    ...input.parts.flatMap(({ link, items }) =>
      items.flatMap((item, index) =>
        partsOf(item, [...path, link.name, ...(link.many ? [String(index)] : [])], item.id),
      ),
    ),
  ]
}
