import type { Knex } from 'knex'
import type { Engine } from '../engines/engine.js'
import type { Sql, Words } from '../engines/words.js'
import { rankField } from '../query/search/rank.js'
import { keysetRows } from './keyset.js'
import { scoreColumn } from './lead.js'
import type { Models } from './models.js'
import { aliasOf, type Conditions, type ShownNode } from './sql.js'
import { bare, joined, sql, statementOf } from './statement.js'

/** Statements about the entries of a root, which begin at the models of their types. */
export class Selects {
  readonly #engine: Engine
  readonly #models: Models

  constructor(engine: Engine, models: Models) {
    this.#engine = engine
    this.#models = models
  }

  query(node: ShownNode, lead?: Sql) {
    const { uid } = node.type
    const model = this.#models.get(uid)
    if (!model) throw new Error(`no model for ${uid}`)
    return lead ? model.query().from(this.raw(lead)) : model.query().alias(aliasOf(node))
  }

  raw({ text, values }: Sql) {
    return this.#engine.knex.raw(text, values as Knex.RawBinding[])
  }

  /** The rows of a root, or of its page. */
  page(conditions: Conditions, select: readonly string[], entry?: Sql): Sql {
    const columns = [bare('t.id'), bare('null'), bare('null'), ...select.map(bare), ...conditions.more]
    const selected = entry ? sql(entry, ' as entry') : joined(columns, ', ')
    const { keyset } = conditions
    const { words } = this.#engine
    const rows = (of: Conditions, what: Sql) => this.#rows(of, what)
    if (keyset) return keysetRows(conditions, keyset, selected, { words, rows })
    if (conditions.ranked) return rankedRows(conditions, selected, rows, words)
    if (!conditions.idsFirst || !words.sortsWholeRows) return rows(conditions, selected)
    const where = sql('t.id in (', rows(conditions, bare('t.id')), ')')
    return rows({ ...conditions, lead: undefined, where, page: undefined }, selected)
  }

  #rows({ node, lead, where, order, page }: Conditions, selected: Sql): Sql {
    const query = this.query(node, lead).select(this.raw(selected))
    if (where) query.whereRaw(this.raw(where))
    query.orderByRaw(this.raw(order))
    const statement = statementOf(query.toKnexQuery())
    if (!page) return statement
    // Limits are written behind the builder's text: it would bind them as it likes.
    const { rows } = this.#engine.words
    return sql(statement, { text: ` limit ${rows} offset ${rows}`, values: [page.limit, page.start] })
  }

  /** The text as the driver takes it: until here the place of every value is a question mark, in any position. */
  finished(statement: Sql): Sql {
    const { numbered } = this.#engine.words
    return numbered ? { text: numbered(statement.text), values: statement.values } : statement
  }
}

type Rows = (conditions: Conditions, selected: Sql) => Sql

/** Sorts ids and scores, and reads the rest of the rows of the page only. */
function rankedRows(conditions: Conditions, selected: Sql, rows: Rows, { quote }: Pick<Words, 'quote'>): Sql {
  const [counted, total] = conditions.isTotalled ? [', count(*) over () as total', ', f.total'] : ['', '']
  const isAlone = conditions.ranked === 'alone'
  const from = isAlone ? { ...conditions, order: bare(`${scoreColumn} desc, f.id`) } : conditions
  const found = rows(from, bare(`${isAlone ? 'f' : 't'}.id as id, ${scoreColumn} as ${rankField.column}${counted}`))
  const lead = sql('(', found, `) f join ${quote(conditions.node.type.table)} t on t.id = f.id`)
  return rows({ ...conditions, lead, where: undefined, page: undefined }, sql(selected, total))
}
