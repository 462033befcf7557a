import type { Engine } from '../engines/engine.js'
import { tooMany } from '../engines/engine.js'
import type { Sql } from '../engines/words.js'
import type { Child, QueryNode } from '../query/tree.js'
import type { Link, LinkStorage } from '../schema/types.js'
import { aliasOf, type Conditions, type ShownNode, type SqlWriter } from './sql.js'
import { bare, joined, sql } from './statement.js'

/** The fields of a node as arguments of json_object. */
export function fieldPairs(node: ShownNode, engine: Engine, writer: SqlWriter): string[] {
  return node.fields.map(
    ({ name, column, type: { as } }) => `'${name}', ${engine.words.jsonOf?.(as, writer.column(aliasOf(node), column))}`,
  )
}

/** Writes the attributes of entries, populated ones included, as one JSON expression. */
export class NestedWriter {
  readonly #engine: Engine
  readonly #writer: SqlWriter
  readonly #most: number

  constructor(engine: Engine, writer: SqlWriter, { most }: Nesting) {
    this.#engine = engine
    this.#writer = writer
    this.#most = most
  }

  /** The attributes of a node as arguments of json_object. */
  pairs(conditions: Conditions): Sql[] {
    const fields = fieldPairs(conditions.node, this.#engine, this.#writer)
    return [...fields.map(bare), ...this.#children(conditions, undefined)]
  }

  /** The meta of an entry, as arguments of json_object. */
  meta(conditions: Conditions): Sql[] {
    return this.#children(conditions, 'meta')
  }

  #children({ node, children }: Conditions, as: Child['as']): Sql[] {
    const standing = children.filter(child => child.as === as)
    return standing.map(({ link, rendered }) => {
      // Not every SQLite knows the JSON of a subquery for JSON.
      const value = sql('json(', this.#populated(link, rendered[0] as Conditions, aliasOf(node)), ')')
      return link.shape === 'data'
        ? sql(`'${link.name}', json_object('data', `, value, ')')
        : sql(`'${link.name}', `, value)
    })
  }

  /**
   * One populated attribute of the row that the alias names. SQLite knows a JSON value for one only while it is not
   * sorted as a row: links are chosen in their order before the rows behind them are read, and any other order is made
   * inside the aggregate. A cross join keeps the order of the links.
   */
  #populated(link: Link, conditions: Conditions, owner: string): Sql {
    const { node, where, order } = conditions
    const t = aliasOf(node)
    const pairs = this.pairs(conditions)
    const attributes = link.shape === 'data' ? [sql(`'attributes', json_object(`, joined(pairs, ', '), ')')] : pairs
    const entry = sql('json_object(', joined([bare(`'id', ${t}.id`), ...attributes], ', '), ')')
    if (!link.many)
      return sql('(select ', entry, ' from ', this.#rows(link, node, owner), where ? sql(' where ', where) : '', ')')
    // All links of the entry are counted, those of rows that are not shown too: rows that were cut off are never a part of a
    // list.
    const shown = where ? sql(' filter (where ', where, ')') : ''
    const sorted = order.text === '' ? '' : sql(' order by ', order)
    const list = sql('json_group_array(', entry, sorted, ')', shown)
    const filled = link.emptyIsNull ? sql('iif(count(*)', shown, ' = 0, null, ', list, ')') : list
    const most = `${this.#most}, ${tooMany}()`
    return sql(`(select iif(count(*) > ${most}, `, filled, ') from ', this.#rows(link, node, owner), ')')
  }

  /** The links of an entry in their order, and the rows behind them. */
  #rows(link: Link, node: ShownNode, owner: string): Sql {
    const writer = this.#writer
    const { table, from, to, order, match } = link.storage as Extract<LinkStorage, { via: 'table' }>
    const quoted = (name: string) => writer.quote(name)
    const t = aliasOf(node)
    const l = `l${node.depth}`
    const held = [`${quoted(from)} = ${owner}.id`, ...Object.keys(match).map(column => `${quoted(column)} = ?`)]
    const columns = ['id', to, ...(order === undefined ? [] : [order])].map(quoted).join(', ')
    const natural = !link.many || order === undefined ? 'id' : `${quoted(order)}, id`
    const most = link.many ? this.#most + 1 : 1
    const links = `select ${columns} from ${quoted(table)} where ${held.join(' and ')} order by ${natural} limit ${most}`
    const rows = `${quoted(node.type.table)} ${t} on ${t}.id = ${writer.column(l, to)}`
    return { text: `(${links}) ${l} cross join ${rows}`, values: Object.values(match) }
  }
}

/** A response that is written in one statement, and the most rows that one populated attribute of one entry may have in it. */
export interface Nesting {
  readonly most: number
}

const mostNested = 200
const deepestNested = 8

/**
 * The limit of a query that can be written as one text: relations and components of one type, with at most one that leads to many
 * on any way down, so that its cost is known before it runs.
 */
export function nestingOf(root: QueryNode, entries: number): Nesting | undefined {
  if (root.children.length === 0) return { most: 0 }
  const limit = root.page ? root.page.limit : 1
  if (limit === null) return undefined
  const lists = countLists(root, false)
  if (lists === undefined) return undefined
  const most = Math.min(mostNested, Math.floor(entries / ((limit + 1) * (lists + 1))))
  return most < 20 ? undefined : { most }
}

/** The number of nodes below that stand for lists; undefined if the query cannot be nested. */
function countLists({ children, depth }: QueryNode, inList: boolean): number | undefined {
  if (depth > deepestNested) return undefined
  let lists = 0
  for (const { link, nodes } of children) {
    const [node] = nodes
    const { storage, shape, many } = link
    const plain = storage.via === 'table' && storage.typeColumn === undefined && shape !== 'zone'
    if (!plain || !node || nodes.length !== 1 || node.page || node.countOnly || (many && inList)) return undefined
    const below = countLists(node, inList || many)
    if (below === undefined) return undefined
    lists += below + Number(many || inList)
  }
  return lists
}
