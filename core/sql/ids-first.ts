import type { Sql, Words } from '../engines/words.js'
import { rankField } from '../query/search/rank.js'
import { scoreColumn } from './lead.js'
import type { Conditions } from './sql.js'
import { bare, sql } from './statement.js'

type Rows = (conditions: Conditions, selected: Sql) => Sql

/** Sorts ids and scores, and reads the rest of the rows of the page only. */
export function rankedRows(conditions: Conditions, selected: Sql, rows: Rows, { quote }: Pick<Words, 'quote'>): Sql {
  const [counted, total] = conditions.isTotalled ? [', count(*) over () as total', ', f.total'] : ['', '']
  const isAlone = conditions.ranked === 'alone'
  const from = isAlone ? { ...conditions, order: bare(`${scoreColumn} desc, f.id`) } : conditions
  const found = rows(from, bare(`${isAlone ? 'f' : 't'}.id as id, ${scoreColumn} as ${rankField.column}${counted}`))
  const lead = sql('(', found, `) f join ${quote(conditions.node.type.table)} t on t.id = f.id`)
  return rows({ ...conditions, lead, where: undefined, page: undefined }, sql(selected, total))
}
