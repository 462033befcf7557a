import type { Dialect } from '../dialect.js'
import type { Engine, Session } from '../engines/engine.js'
import { type Issue, ValidationError } from '../errors.js'
import type { Unindexed } from '../layout/unindexed.js'
import type { Registry } from '../schema/registry.js'
import type { ContentType, Field } from '../schema/types.js'
import { isUnique } from '../schema/values.js'
import type { CheckedInput } from './checked-input.js'
import { dotted, notUnique } from './issue.js'
import { byType, lackingTargets, type Wish } from './relation.js'
import type { Match, Rows, Statements } from './statements.js'

/** Which of some entries of a type the writer may see; undefined where that is all of them. */
export type Sight = (
  type: ContentType,
  ids: readonly number[],
  session: Session,
) => Promise<ReadonlySet<number> | undefined>

/** Looks at the entries that relations name: they exist, and are such as their attribute takes. */
export class TargetCheck {
  readonly #statements: Statements
  readonly #registry: Registry
  readonly #engine: Engine
  readonly #dialect: Dialect

  constructor(statements: Statements, registry: Registry, engine: Engine, dialect: Dialect) {
    this.#statements = statements
    this.#registry = registry
    this.#engine = engine
    this.#dialect = dialect
  }

  /** One statement for each type, components included, or one for all of them. */
  async check(session: Session, input: CheckedInput, sight?: Sight): Promise<void> {
    const wishes = wishesOf(input)
    if (!sight && wishes.size > 1 && (await this.#areThere(session, wishes))) return
    const issues: Issue[] = []
    for (const [uid, wanted] of wishes) {
      issues.push(...(await this.#issuesOf(session, uid, wanted, sight)))
      if (issues.length > 0 && !this.#dialect.plainMessages) break
    }
    if (issues.length > 0) throw ValidationError.of(issues)
  }

  /** Whether one statement shows that all entries are there; where it does not, what is wrong is not known yet. */
  async #areThere(session: Session, wishes: ReadonlyMap<string, readonly Wish[]>): Promise<boolean> {
    const wanted: { readonly table: string; readonly ids: readonly number[] }[] = []
    for (const [uid, some] of wishes) {
      const type = this.#registry.types.get(uid)
      if (!type || type.kind === 'component' || type.gone || some.some(({ link }) => link.accepts)) return false
      wanted.push({ table: type.table, ids: [...new Set(some.flatMap(({ targets }) => targets.map(({ id }) => id)))] })
    }
    const counts = await this.#statements.counts(session, wanted)
    return wanted.every(({ ids }, index) => Number(counts[index]) === ids.length)
  }

  async #issuesOf(session: Session, uid: string, wishes: readonly Wish[], sight?: Sight): Promise<readonly Issue[]> {
    const known = this.#registry.types.get(uid)
    // A component is a part of an entry, and nothing that could be linked.
    const type = known?.kind === 'component' ? undefined : known
    const named = new Set<number>()
    for (const { targets } of wishes) for (const { id } of targets) named.add(id)
    const ids = [...named].filter(id => id > 0)
    const accepted = new Set(wishes.flatMap(({ link }) => link.accepts?.field ?? []))
    const fields = [...accepted].flatMap(name => type?.fields.get(name) ?? [])
    const stored = type ? await this.#rowsOf(session, type, fields, ids) : []
    if (!sight && accepted.size === 0 && stored.length === named.size) return []
    const seen = type && stored.length > 0 ? await sight?.(type, ids, session) : undefined
    const found = seen ? stored.filter(([id]) => seen.has(Number(id))) : stored
    const rows = new Map(found.map(([id, ...values]) => [Number(id), values]))
    const lacking = lackingTargets({ uid, wishes, found: rows }, this.#dialect)
    if (lacking.length > 0) return lacking
    return wishes.flatMap(({ link: { accepts }, path, targets }): Issue[] => {
      const place = fields.findIndex(({ name }) => name === accepts?.field)
      const field = fields[place]
      if (!accepts || !field) return []
      const shown = (id: number) => this.#engine.decode(field.type.as, rows.get(id)?.[place])
      if (targets.every(({ id }) => accepts.test(shown(id)))) return []
      return [{ path: [...path], message: `${dotted(path)} ${accepts.describe}`, name: 'ValidationError' }]
    })
  }

  #rowsOf(session: Session, type: ContentType, fields: readonly Field[], ids: readonly number[]): Rows | Promise<Rows> {
    const { table, gone } = type
    if (fields.length === 0 && !gone) return this.#statements.existing(session, table, ids)
    const columns = ['id', ...fields.map(({ column }) => column), ...(gone ? [gone.column] : [])]
    const rows = this.#statements.select(session, { table, columns, match: { id: ids } })
    // What counts as deleted is lacking.
    return gone ? Promise.resolve(rows).then(all => all.filter(row => row.at(-1) === null)) : rows
  }
}

/** What is wanted of the entries of each type. */
function wishesOf(input: CheckedInput): ReadonlyMap<string, readonly Wish[]> {
  const wishes = new Map<string, Wish[]>()
  for (const { link, change, path } of relationsOf(input)) {
    const targets = change.kind === 'set' ? change.targets : change.connect
    for (const [uid, some] of link.targets ? [[link.targets[0] ?? '', targets] as const] : byType(targets)) {
      const wanted = wishes.get(uid)
      if (wanted) wanted.push({ link, path, targets: some })
      else if (some.length > 0) wishes.set(uid, [{ link, path, targets: some }])
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
  /** The columns in which another row must be the same to count. */
  readonly within: Match
  /** The row that may have it already. */
  readonly own: number | undefined
  readonly path: readonly string[]
}

/** Refuses values that have to be unique and are not, in the transaction that is about to store them. */
export class UniqueCheck {
  readonly #engine: Engine
  readonly #statements: Statements
  readonly #unindexed: Unindexed

  constructor(engine: Engine, statements: Statements, unindexed: Unindexed) {
    this.#engine = engine
    this.#statements = statements
    this.#unindexed = unindexed
  }

  async check(session: Session, input: CheckedInput, id: number | undefined): Promise<void> {
    const claims = await this.#claims(session, input, id)
    if (claims.length === 0) return
    await this.#unindexed.lock(this.#engine, session, claims)
    const issues: Issue[] = []
    for (const { table, field, value, within, own, path } of claims) {
      const match = { ...within, [field.column]: value }
      const found = await this.#statements.select(session, { table, columns: ['id'], match, limit: 2 })
      if (found.some(([other]) => Number(other) !== own)) issues.push(notUnique(path))
    }
    if (issues.length > 0) throw ValidationError.of(issues)
  }

  async #claims(session: Session, input: CheckedInput, id: number | undefined): Promise<Claim[]> {
    const claims: Claim[] = []
    let within: Match | undefined
    for (const { input: part, path, own } of partsOf(input, [], id))
      for (const [field, given] of part.values) {
        if (given === null || !isUnique(field)) continue
        const value = this.#engine.encode(field.type.as, given) as string | number
        if (part === input) within ??= await this.#within(session, input, id)
        const { table } = part.type
        claims.push({ table, field, value, within: (part === input && within) || {}, own, path: [...path, field.name] })
      }
    return claims
  }

  /** The world in which the values of an entry are unique: what its row has, or will have, in the columns that say so. */
  async #within(session: Session, { type, values }: CheckedInput, id: number | undefined): Promise<Match> {
    if (type.uniqueWithin.length === 0) return {}
    const { table } = type
    const columns = type.uniqueWithin.map(({ column }) => column)
    const [row] = id === undefined ? [] : await this.#statements.select(session, { table, columns, match: { id } })
    return worldOf(this.#engine, type, values, row)
  }
}

/** The same of a row that is there, or that is about to be: what is written comes before what is stored. */
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
