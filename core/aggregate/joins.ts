import type { Sql } from '../engines/words.js'
import type { Hop } from '../query/tree.js'
import type { SqlWriter } from '../sql/sql.js'
import { bare, joined, sql } from '../sql/statement.js'

/**
 * The rows behind the entries of a select, joined once for each way: fields behind the same way come from the same row. An entry
 * with nothing behind it stays, with nulls.
 */
export class Joins {
  readonly #writer: SqlWriter
  readonly #aliases = new Map<string, string>([['', 't']])
  readonly #joins: Sql[] = []

  constructor(writer: SqlWriter) {
    this.#writer = writer
  }

  /** The alias of the rows at the end of a way. */
  reach(through: readonly Hop[]): string {
    const way = wayOf(through)
    const known = this.#aliases.get(way)
    if (known !== undefined) return known
    const alias = this.#join(through.at(-1) as Hop, this.reach(through.slice(0, -1)))
    this.#aliases.set(way, alias)
    return alias
  }

  get text(): Sql {
    return joined(this.#joins, '')
  }

  /** Conditions that stop a statement which takes too long: one on the outer rows alone would be checked too rarely. */
  get guards(): Sql[] {
    const { inTime } = this.#writer.words
    const [, ...aliases] = this.#aliases.values()
    return inTime ? aliases.map(alias => bare(inTime(`${alias}.id`))) : []
  }

  #join({ link: { storage }, node }: Hop, owner: string): string {
    const writer = this.#writer
    const here = `j${this.#aliases.size}`
    const table = writer.quote(node.type.table)
    const id = `${here}.id`
    if (storage.via === 'table') {
      const [between, seen] = [`b${this.#aliases.size}`, `v${this.#aliases.size}`]
      const to = writer.column(between, storage.to)
      const where = writer.condition(node.where, seen)
      // A link to a row that is not shown is no link: it would be there, and lead to nothing.
      const isSeen = sql(`${to} in (select ${seen}.id from ${table} ${seen}`, where ? sql(' where ', where) : '', ')')
      const own = bare(`${writer.column(between, storage.from)} = ${owner}.id`)
      this.#left(writer.quote(storage.table), between, [own, ...this.#match(between, storage.match), isSeen])
      this.#left(table, here, [bare(`${id} = ${to}`)])
      return here
    }
    const own =
      storage.via === 'column'
        ? [bare(`${id} = ${writer.column(owner, storage.column)}`)]
        : [bare(`${writer.column(here, storage.column)} = ${owner}.id`), ...this.#match(here, storage.match)]
    const where = writer.condition(node.where, here)
    this.#left(table, here, where ? [...own, where] : own)
    return here
  }

  #left(table: string, alias: string, on: readonly Sql[]): void {
    this.#joins.push(sql(` left join ${table} ${alias} on `, joined(on, ' and ')))
  }

  #match(alias: string, match: Readonly<Record<string, string>>): Sql[] {
    return Object.entries(match).map(([column, value]) => ({
      text: `${this.#writer.column(alias, column)} = ?`,
      values: [value],
    }))
  }
}

/** Names the rows that a way leads to. */
export const wayOf = (through: readonly Hop[]): string => through.map(({ link }) => link.name).join('.')

/** A way to many rows is joined; the one row at the end of another one is a value of the entry. */
export const leadsToMany = (through: readonly Hop[]): boolean => through.some(({ link }) => link.many)
