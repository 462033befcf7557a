import { DatabaseSync } from '../../../support/sqlite.js'
import { changedRows, type Rows, rowsIn } from '../browser/rows.js'

type Row = Readonly<Record<string, unknown>>

/** Tables that nothing of content is in: what signing in, tokens and settings leave. */
const isAside = (table: string): boolean => /^(admin_|strapi_)/.test(table)

/**
 * The rows of a database, step by step. Every row that changes has to belong to something that was written: a write that
 * reaches further has lost what another one has stored.
 */
export class Ledger {
  readonly #file: string
  /** The tables that the columns of a table lead to. */
  readonly #keys = new Map<string, ReadonlyMap<string, string>>()
  /** Tables by the uid of their type or component. */
  readonly #tables: ReadonlyMap<string, string>
  #rows: Rows
  /** The entries that rows have changed of in the last step, such as `api::tag.tag 4`. */
  touched: readonly string[] = []

  constructor(file: string, tables: ReadonlyMap<string, string>) {
    this.#file = file
    this.#tables = tables
    this.#rows = rowsIn(file)
    for (const table of this.#rows.keys()) this.#keys.set(table, keysOf(file, table))
  }

  /** Whether an entry is there now. */
  has(uid: string, id: number): boolean {
    return this.rowNow(uid, id) !== undefined
  }

  rowNow(uid: string, id: number): Row | undefined {
    const database = new DatabaseSync(this.#file, { readOnly: true })
    try {
      const statement = database.prepare(`select * from "${this.#tables.get(uid)}" where id = ?`)
      statement.setReadBigInts(true)
      return statement.get(id) as Row | undefined
    } finally {
      database.close()
    }
  }

  /** Rows of a table of links that belong to an entry now. */
  linksNow(table: string, column: string, id: number): number {
    const rows = rowsIn(this.#file).get(table) ?? []
    return rows.filter(row => Number(row[column]) === id).length
  }

  columnsNow(table: string): string[] {
    const database = new DatabaseSync(this.#file, { readOnly: true })
    try {
      return database
        .prepare(`pragma table_info("${table}")`)
        .all()
        .map(({ name }) => String(name))
    } finally {
      database.close()
    }
  }

  /** All entries by type, such as `api::tag.tag 4`. */
  entries(): string[] {
    return [...this.#tables].flatMap(([uid, table]) => (this.#rows.get(table) ?? []).map(({ id }) => `${uid} ${id}`))
  }

  /** Reads the database again after a column of a table was added or dropped; the result are rows that differ in others. */
  lookPast(table: string, column: string): string[] {
    const without = (rows: Rows): Rows =>
      new Map([...rows].map(([name, all]) => [name, name === table ? all.map(row => leave(row, column)) : all]))
    const [before, after] = [this.#rows, rowsIn(this.#file)]
    this.#rows = after
    const { gone, fresh } = changedRows(without(before), without(after))
    return [...gone, ...fresh].filter(line => !isAside(changeOf('+', line).table))
  }

  /** What a request may have written: an entry such as `articles 4`, or a new one. */
  named(uid: string, id: number | undefined): string {
    return `${this.#tables.get(uid)} ${id ?? 'new'}`
  }

  rowsOf(uid: string): readonly Row[] {
    return this.#rows.get(this.#tables.get(uid) ?? '') ?? []
  }

  /** Reads the database again; the result are changed rows that belong to none of what was written, such as `articles 4`. */
  look(written: readonly string[]): string[] {
    const [before, after] = [this.#rows, rowsIn(this.#file)]
    this.#rows = after
    const { gone, fresh } = changedRows(before, after)
    this.touched = []
    if (gone.length + fresh.length === 0) return []
    const owners = [new Owners(before, this.#keys, this.#tables), new Owners(after, this.#keys, this.#tables)]
    const known = new Set(written.flatMap(one => owners.flatMap(side => side.family(one))))
    const changes = [...gone.map(line => changeOf('-', line)), ...fresh.map(line => changeOf('+', line))]
    const isWritten = (entry: string) =>
      known.has(entry) || (known.has(entry.replace(/ \d+$/, ' new')) && !owners[0]?.has(entry))
    const endsOf = ({ table, row }: Change) => owners.flatMap(side => side.of(table, row))
    this.touched = this.#uidsOf(changes.flatMap(change => (isAside(change.table) ? [] : endsOf(change))))
    const strangers = changes.filter(change => !isAside(change.table) && !endsOf(change).some(isWritten))
    // An entry that may have one link of a kind leaves another one when it gets it.
    const moved = new Set(
      changes
        .filter(change => change.sign === '+' && !strangers.includes(change) && change.table.endsWith('_links'))
        .flatMap(change => endsOf(change).map(end => `${change.table} ${end}`)),
    )
    return strangers
      .filter(change => change.sign === '+' || !endsOf(change).some(end => moved.has(`${change.table} ${end}`)))
      .map(({ sign, line }) => `${sign} ${line}`)
  }

  #uidsOf(entries: readonly string[]): string[] {
    const uids = new Map([...this.#tables].map(([uid, table]) => [table, uid]))
    return entries.map(entry => entry.replace(/^\S+/, table => uids.get(table) ?? table))
  }
}

function leave(row: Row, column: string): Row {
  const { [column]: _, ...rest } = row
  return rest
}

interface Change {
  readonly sign: '-' | '+'
  readonly line: string
  readonly table: string
  readonly row: Row
}

function changeOf(sign: '-' | '+', line: string): Change {
  const at = line.indexOf(':')
  return { sign, line, table: line.slice(0, at), row: JSON.parse(line.slice(at + 2)) as Row }
}

function keysOf(file: string, table: string): ReadonlyMap<string, string> {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    const keys = database.prepare(`pragma foreign_key_list("${table}")`).all() as { from: string; table: string }[]
    return new Map(keys.map(({ from, table }) => [from, table]))
  } finally {
    database.close()
  }
}

/** The entries that rows belong to in one state of a database. */
class Owners {
  readonly #rows: Rows
  readonly #keys: ReadonlyMap<string, ReadonlyMap<string, string>>
  readonly #tables: ReadonlyMap<string, string>
  /** The rows that hold components: by table and id. */
  readonly #holders = new Map<string, string>()
  readonly #siblings = new Map<string, string[]>()

  constructor(rows: Rows, keys: ReadonlyMap<string, ReadonlyMap<string, string>>, tables: ReadonlyMap<string, string>) {
    this.#rows = rows
    this.#keys = keys
    this.#tables = tables
    for (const [table, all] of rows)
      if (table.endsWith('_components')) for (const row of all) this.#hold(table.replace(/_components$/, ''), row)
      else if (table.endsWith('_localizations_links')) for (const row of all) this.#join(table, row)
  }

  #hold(table: string, { entity_id, component_id, component_type }: Row): void {
    this.#holders.set(`${this.#tables.get(String(component_type))} ${component_id}`, `${table} ${entity_id}`)
  }

  #join(table: string, row: Row): void {
    const [one, other] = this.#ends(table, row)
    if (one && other) this.#siblings.set(one, [...(this.#siblings.get(one) ?? []), other])
  }

  has(entry: string): boolean {
    const [table = '', id] = entry.split(' ')
    return (this.#rows.get(table) ?? []).some(row => Number(row.id) === Number(id))
  }

  /** An entry with those that share its values in other languages. */
  family(entry: string): string[] {
    return [entry, ...(this.#siblings.get(entry) ?? [])]
  }

  /** The entries that a row belongs to: itself, what holds it, or what it joins. */
  of(table: string, row: Row): string[] {
    if (table.endsWith('_components')) return [this.#holder(`${table.replace(/_components$/, '')} ${row.entity_id}`)]
    if (table.endsWith('_links')) return this.#ends(table, row).map(one => this.#holder(one))
    if (table.endsWith('_morphs')) {
      const related = `${this.#tables.get(String(row.related_type))} ${row.related_id}`
      return [`files ${row.file_id}`, this.#holder(related)]
    }
    return [this.#holder(`${table} ${row.id}`)]
  }

  #ends(table: string, row: Row): string[] {
    return [...(this.#keys.get(table) ?? [])].map(([column, target]) => `${target} ${row[column]}`)
  }

  #holder(entry: string): string {
    const held = this.#holders.get(entry)
    return held === undefined ? entry : this.#holder(held)
  }
}
