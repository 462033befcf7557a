import type { Engine } from '../engine.js'
import type { WantedIndex } from '../layout.js'
import { indexStatements } from '../sync.js'

/** Statements that change the layout, in the words of each engine. */
export function ddlOf({ name: engine, knex }: Pick<Engine, 'name' | 'knex'>) {
  const q = (name: string) => knex.raw('??', [name]).toString()
  const dropIndex = (table: string, { name, unique }: Pick<WantedIndex, 'name' | 'unique'>) => {
    // A unique index of PostgreSQL belongs to the constraint that made it.
    if (engine === 'postgres' && unique) return `alter table ${q(table)} drop constraint ${q(name)}`
    return engine === 'mysql' ? `alter table ${q(table)} drop index ${q(name)}` : `drop index ${q(name)}`
  }
  return {
    renameTable: (from: string, to: string) => `alter table ${q(from)} rename to ${q(to)}`,
    renameColumn: (table: string, from: string, to: string) =>
      `alter table ${q(table)} rename column ${q(from)} to ${q(to)}`,
    dropTable: (table: string) => `drop table ${q(table)}`,
    dropColumn: (table: string, column: string) => `alter table ${q(table)} drop column ${q(column)}`,
    addColumn: (table: string, column: string, type: string) =>
      `alter table ${q(table)} add column ${q(column)} ${type} null`,
    /** Only where every value fits as it is. */
    widen: (table: string, column: string, type: string) =>
      engine === 'mysql'
        ? `alter table ${q(table)} modify ${q(column)} ${type} null`
        : `alter table ${q(table)} alter column ${q(column)} type ${type}`,
    /** A column in the place of another, whose values are gone then: at once, where nothing could be undone in between. */
    replaceColumn: (table: string, by: string, column: string): string[] =>
      engine === 'mysql'
        ? [`alter table ${q(table)} drop column ${q(column)}, rename column ${q(by)} to ${q(column)}`]
        : [
            `alter table ${q(table)} drop column ${q(column)}`,
            `alter table ${q(table)} rename column ${q(by)} to ${q(column)}`,
          ],
    dropIndex,
    /** SQLite knows no other name for an index: it is made again. */
    renameIndex: (table: string, from: string, index: WantedIndex): string[] => {
      if (engine === 'mysql') return [`alter table ${q(table)} rename index ${q(from)} to ${q(index.name)}`]
      if (engine === 'postgres') return [`alter index ${q(from)} rename to ${q(index.name)}`]
      return [dropIndex(table, { ...index, name: from }), ...indexStatements({ knex }, table, index)]
    },
    /** Nobody else writes into the table until the changes are done. */
    lock: (table: string): string[] => {
      if (engine === 'sqlite') return []
      return [engine === 'mysql' ? `lock tables ${q(table)} write` : `lock table ${q(table)} in access exclusive mode`]
    },
    unlock: (): string[] => (engine === 'mysql' ? ['unlock tables'] : []),
  }
}

export type Ddl = ReturnType<typeof ddlOf>
