import type { Knex } from 'knex'
import type { Layout } from '../../engines/engine.js'
import type { WantedTable } from '../../layout/layout.js'
import { creatorType } from '../../schema/creators.js'
import type { Registry } from '../../schema/registry.js'
import type { ContentType, Link } from '../../schema/types.js'
import type { TransferHost, TransferPlugin } from './host.js'

/** The part of a database that belongs into an archive. */
export interface Scope {
  readonly tables: readonly ScopedTable[]
  readonly settings: readonly string[]
}

export interface ScopedTable {
  readonly name: string
  readonly type: string | undefined
  readonly columns: WantedTable['columns']
  /** Leaves out the rows of types that are left out. */
  readonly narrow: (query: Knex.QueryBuilder) => Knex.QueryBuilder
  /** True if some rows of the table are left out. */
  readonly isNarrowed: boolean
  /** Columns that lead nowhere when they lead to one of these types. */
  readonly loose?: { readonly column: string; readonly typeColumn: string; readonly types: readonly string[] }
}

/** The tables that a database has; one that has not been started yet, or that another server made, lacks some. */
export type Present = Layout['tables']

/** The whole content, or the content without accounts and their rows. */
export function scopeOf(host: TransferHost, withAccounts: boolean, present: Present): Scope {
  const { engine, types, tables, plugins } = host
  const staying = plugins.flatMap(({ stays }) => stays)
  const left = withAccounts ? staying : [...staying, creatorType.uid, ...plugins.flatMap(({ accounts }) => accounts)]
  const leftTypes = left.flatMap(uid => types.types.get(uid) ?? [])
  const leftTables = new Set(leftTypes.map(({ table }) => table))
  const hidden = hiddenParts(types, new Set(leftTypes.map(({ uid }) => uid)), engine.knex, present)
  const out: LeftOut = { types: left, tables: leftTables, hidden }
  const isLeft = ({ name, columns }: WantedTable) =>
    leftTables.has(name) ||
    columns.some(({ references }) => references?.onDelete === 'CASCADE' && leftTables.has(references.table))
  return {
    tables: tables.filter(table => !isLeft(table)).map(table => scoped(table, types, out)),
    settings: plugins.filter(plugin => withAccounts || !keepsAccounts(plugin)).flatMap(({ settings }) => settings),
  }
}

/** The settings of a plugin that keeps accounts say how people sign in, secrets included. */
const keepsAccounts = ({ accounts }: TransferPlugin): boolean => accounts.length > 0

type Hidden = (type: ContentType) => Knex.QueryBuilder | undefined

/** Types and tables that no archive holds. */
interface LeftOut {
  readonly types: readonly string[]
  readonly tables: ReadonlySet<string>
  readonly hidden: Hidden
}

function scoped({ name, columns }: WantedTable, types: Registry, out: LeftOut): ScopedTable {
  const { types: left, tables: leftTables, hidden } = out
  const all = [...types.types.values()]
  const type = all.find(({ table }) => table === name)
  const kept = columns.filter(({ references, leadsTo }) => !leftTables.has(references?.table ?? leadsTo ?? ''))
  const conditions: ((query: Knex.QueryBuilder) => void)[] = []
  const without = (column: string, owner: ContentType | undefined) => {
    const rows = owner && hidden(owner)
    if (rows) conditions.push(query => void query.whereNotIn(column, rows.clone()))
  }
  without('id', type)
  for (const { name: column, references } of columns)
    if (references)
      without(
        column,
        all.find(({ table }) => table === references.table),
      )
  const typeColumn = all.flatMap(({ links }) => [...links.values()]).find(link => isOpen(link, name))?.storage
  if (typeColumn?.via === 'table' && typeColumn.typeColumn !== undefined) {
    const { typeColumn: kind, to } = typeColumn
    if (left.length > 0)
      conditions.push(query => void query.where(inner => void inner.whereNull(kind).orWhereNotIn(kind, [...left])))
    for (const owner of all) {
      const rows = hidden(owner)
      if (rows) conditions.push(query => void query.whereNot({ [kind]: owner.uid }).orWhereNotIn(to, rows.clone()))
    }
  }
  const free = [...(type?.links.values() ?? [])].find(({ storage, targets }) => storage.via === 'column' && !targets)
  const { column, typeColumn: kind } = (free?.storage ?? {}) as { column?: string; typeColumn?: string }
  return {
    name,
    type: type?.uid,
    columns: kept,
    isNarrowed: conditions.length > 0,
    // Each in brackets of its own: some are made of two parts.
    narrow: query => conditions.reduce((narrowed, add) => narrowed.where(inner => void add(inner)), query),
    ...(column !== undefined && kind !== undefined && { loose: { column, typeColumn: kind, types: left } }),
  }
}

/** A table whose rows may lead to any type. */
const isOpen = ({ owning, targets, storage }: Link, table: string): boolean =>
  owning === true && targets === undefined && storage.via === 'table' && storage.table === table

/** The ids of a component's rows that belong to entries which are left out, however deep inside. */
function hiddenParts(types: Registry, left: ReadonlySet<string>, knex: Knex, present: Present): Hidden {
  const owners = [...types.types.values()].flatMap(owner =>
    [...owner.links.values()].flatMap(({ embedded, targets = [], storage }) =>
      embedded && storage.via === 'table' && present.has(storage.table)
        ? targets.map(target => ({ owner, target, storage }))
        : [],
    ),
  )
  const rowsOf = (uid: string, seen: readonly string[]): Knex.QueryBuilder | undefined => {
    const queries = owners.flatMap(({ owner, target, storage }) => {
      if (target !== uid || seen.includes(owner.uid)) return []
      const rows = knex(storage.table).select(storage.to).where({ component_type: uid }).whereNotNull(storage.to)
      if (left.has(owner.uid)) return [rows]
      const inner = rowsOf(owner.uid, [...seen, uid])
      return inner ? [rows.whereIn(storage.from, inner)] : []
    })
    const [first, ...rest] = queries
    return first && (rest.length > 0 ? first.union(rest) : first)
  }
  return ({ uid, kind }) => (left.size > 0 && kind === 'component' ? rowsOf(uid, []) : undefined)
}
