import type { Dialect } from '../dialect.js'
import { type Issue, PayloadTooLargeError, ValidationError } from '../errors.js'
import { snakeCase } from '../schema/names.js'
import type { Registry } from '../schema/registry.js'
import type { ContentType, Field, Link } from '../schema/types.js'
import type { Engine, Failure, Session } from '../store/engine.js'
import type { Draft } from './draft.js'
import { LinkWriter } from './links.js'
import { type PartOwner, PartWriter } from './parts.js'
import { type Match, Statements } from './statements.js'
import { type Sight, TargetCheck } from './targets.js'

/** Stores drafts: the entry's row, its components, its relations; always inside the transaction of one request. */
export class Writer {
  readonly #engine: Engine
  readonly #statements: Statements
  readonly #links: LinkWriter
  readonly #parts: PartWriter
  readonly #registry: Registry
  readonly #targets: TargetCheck

  constructor(engine: Engine, registry: Registry, dialect: Dialect) {
    this.#engine = engine
    this.#registry = registry
    this.#statements = new Statements(engine)
    this.#targets = new TargetCheck(this.#statements, registry, engine, dialect)
    this.#links = new LinkWriter(this.#statements, engine, dialect, uid => registry.types.get(uid))
    const owner: PartOwner = {
      insert: (session, draft) => this.#insert(session, draft, {}),
      update: (session, draft, id) => this.#update(session, draft, id, {}),
      forget: (session, type, ids) => this.#forget(session, type, ids),
    }
    this.#parts = new PartWriter(this.#statements, owner, dialect)
  }

  /** The first entry of a single type, or whether an entry exists; nobody else may change it meanwhile. */
  async lock(session: Session, { table }: ContentType, id?: number): Promise<number | undefined> {
    const match: Match = id === undefined ? {} : { id }
    const [row] = await this.#statements.select(session, table, ['id'], match, {
      orderBy: ['id'],
      limit: 1,
      lock: true,
    })
    return row === undefined ? undefined : Number(row[0])
  }

  async create(session: Session, draft: Draft, now: Date, sight?: Sight): Promise<number> {
    await this.#check(session, draft, undefined, sight)
    const stamp = this.#engine.encode('datetime', now.getTime())
    return this.#insert(session, draft, { created_at: stamp, updated_at: stamp })
  }

  async update(session: Session, draft: Draft, id: number, now: Date, sight?: Sight): Promise<void> {
    await this.#check(session, draft, id, sight)
    await this.#update(session, draft, id, { updated_at: this.#engine.encode('datetime', now.getTime()) })
  }

  async remove(session: Session, type: ContentType, id: number): Promise<void> {
    await this.#parts.removeAll(session, type, [id])
    await this.#forget(session, type, [id])
    await this.#statements.remove(session, type.table, { id })
  }

  /** What of a driver's refusals the client can mend, as it should hear it. */
  explain(type: ContentType, failure: Failure): ValidationError | PayloadTooLargeError | undefined {
    if (failure.kind === 'value')
      return new ValidationError('a value is out of the range of its column', { errors: [] })
    if (failure.kind === 'large')
      return new PayloadTooLargeError('the entry is larger than what the database takes at once; send less')
    if (failure.kind !== 'unique') return undefined
    const { column = '' } = failure
    const field = [...type.fields.values()].find(
      known =>
        known.column === column ||
        column.endsWith(`_${known.column}_unique`) ||
        column === `${type.table}_${snakeCase(known.name)}_unique`,
    )
    return ValidationError.of([notUnique(field ? [field.name] : [])])
  }

  async #insert(session: Session, draft: Draft, stamps: Readonly<Record<string, unknown>>): Promise<number> {
    const id = await this.#statements.insert(session, draft.type.table, { ...this.#row(draft), ...stamps })
    await this.#belongings(session, draft, id, true)
    return id
  }

  async #update(session: Session, draft: Draft, id: number, stamps: Readonly<Record<string, unknown>>): Promise<void> {
    await this.#statements.update(session, draft.type.table, id, { ...this.#row(draft), ...stamps })
    await this.#belongings(session, draft, id, false)
  }

  async #belongings(session: Session, draft: Draft, id: number, isNew: boolean): Promise<void> {
    for (const { link, items } of draft.parts) await this.#parts.write(session, link, id, items, isNew)
    for (const { link, change, path } of draft.relations)
      await this.#links.write(session, link, id, change, path, isNew)
  }

  #row({ values }: Draft): Record<string, unknown> {
    const row: Record<string, unknown> = {}
    for (const [{ column, type }, value] of values) row[column] = this.#engine.encode(type.as, value)
    return row
  }

  async #check(session: Session, draft: Draft, id: number | undefined, sight?: Sight): Promise<void> {
    await this.#targets.check(session, draft, sight)
    await this.#checkUnique(session, draft, id)
  }

  async #checkUnique(session: Session, draft: Draft, id: number | undefined): Promise<void> {
    const issues: Issue[] = []
    let within: Match | undefined
    for (const { draft: part, path, own } of partsOf(draft, [], id))
      for (const [field, value] of part.values) {
        if (value === null || !isUnique(field)) continue
        const encoded = this.#engine.encode(field.type.as, value) as string | number
        if (part === draft) within ??= await this.#within(session, draft, id)
        const match = { ...(part === draft && within), [field.column]: encoded }
        const found = await this.#statements.select(session, part.type.table, ['id'], match, { limit: 2 })
        if (found.some(([other]) => Number(other) !== own)) issues.push(notUnique([...path, field.name]))
      }
    if (issues.length > 0) throw ValidationError.of(issues)
  }

  /** The world in which the values of an entry are unique: what its row has, or will have, in the columns that say so. */
  async #within(session: Session, { type, values }: Draft, id: number | undefined): Promise<Match> {
    if (type.uniqueWithin.length === 0) return {}
    const columns = type.uniqueWithin.map(({ column }) => column)
    const [row] = id === undefined ? [] : await this.#statements.select(session, type.table, columns, { id })
    const world: Record<string, string | number> = {}
    for (const [index, field] of type.uniqueWithin.entries()) {
      const value = row ? row[index] : this.#engine.encode(field.type.as, values.get(field) ?? null)
      if (value !== null && value !== undefined) world[field.column] = value as string | number
    }
    return world
  }

  /** Polymorphic rows that lead to entries or components which go: no foreign key covers them. */
  async #forget(session: Session, type: ContentType, ids: readonly number[]): Promise<void> {
    for (const { storage, owning, targets } of type.links.values())
      if (storage.via === 'table' && !owning && Object.keys(storage.match).length > 0 && targets !== undefined)
        await this.#statements.remove(session, storage.table, { [storage.from]: ids, ...storage.match })
    for (const link of this.#variedLinks()) {
      const { storage } = link
      if (storage.via === 'table')
        await this.#statements.remove(session, storage.table, {
          [storage.to]: ids,
          [storage.typeColumn ?? '']: type.uid,
        })
      else if (storage.via === 'column') {
        const { column, typeColumn = '' } = storage
        const rows = await this.#statements.select(session, link.table, ['id'], {
          [column]: ids,
          [typeColumn]: type.uid,
        })
        for (const [id] of rows)
          await this.#statements.update(session, link.table, Number(id), { [column]: null, [typeColumn]: null })
      }
    }
  }

  #varied: readonly Link[] | undefined
  #variedLinks(): readonly Link[] {
    this.#varied ??= [...this.#registry.types.values()].flatMap(type =>
      [...type.links.values()].filter(link => link.targets === undefined),
    )
    return this.#varied
  }
}

const isUnique = ({ attribute, type }: Field): boolean =>
  attribute.unique === true || type.unique === true || attribute.column?.unique === true

const notUnique = (path: readonly string[]): Issue => ({
  path: [...path],
  message: 'This attribute must be unique',
  name: 'ValidationError',
})

/** The draft and all its parts, each with the id it has already. */
function partsOf(
  draft: Draft,
  path: readonly string[],
  own: number | undefined,
): { draft: Draft; path: readonly string[]; own: number | undefined }[] {
  return [
    { draft, path, own },
    ...draft.parts.flatMap(({ link, items }) =>
      items.flatMap((item, index) =>
        partsOf(item, [...path, link.name, ...(link.many ? [String(index)] : [])], item.id),
      ),
    ),
  ]
}

/** Secrets are hashed before the transaction begins: hashing takes longer than everything else. */
export async function seal(draft: Draft): Promise<Draft> {
  const values = new Map<Field, unknown>()
  for (const [field, value] of draft.values)
    values.set(field, field.type.seal && value !== null ? await field.type.seal(value) : value)
  const parts: Draft['parts'][number][] = []
  for (const { link, items } of draft.parts) {
    const sealed: Draft[] = []
    for (const item of items) sealed.push(await seal(item))
    parts.push({ link, items: sealed })
  }
  return { ...draft, values, parts }
}
