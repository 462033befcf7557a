import type { QueryNode } from '../query/tree.js'
import type { Link, LinkStorage } from '../schema/types.js'
import type { Engine } from './engine.js'
import { aliasOf, type Sketch } from './sketch.js'
import type { SqlWriter } from './sql.js'

/** The fields of a node as arguments of json_object. */
export function fieldPairs(node: QueryNode, engine: Engine, writer: SqlWriter): string[] {
  return node.fields.map(
    ({ name, column, type: { as } }) => `'${name}', ${engine.jsonOf?.(as, writer.column(aliasOf(node), column))}`,
  )
}

/** Writes the attributes of entries, what is populated included, as one JSON expression. */
export class NestedWriter {
  /** The values to bind, in the order of the text. */
  readonly bound: unknown[] = []
  readonly #engine: Engine
  readonly #writer: SqlWriter
  readonly #most: number

  constructor(engine: Engine, writer: SqlWriter, { most }: Nesting) {
    this.#engine = engine
    this.#writer = writer
    this.#most = most
  }

  /** The attributes of a node as arguments of json_object. */
  pairs({ node, children }: Sketch): string[] {
    return [
      ...fieldPairs(node, this.#engine, this.#writer),
      ...children.map(({ child: { link }, sketches }) => {
        const value = this.#populated(link, sketches[0] as Sketch, aliasOf(node))
        return `'${link.name}', ${link.shape === 'data' ? `json_object('data', ${value})` : value}`
      }),
    ]
  }

  /** What the meta of an entry lists, as arguments of json_object. */
  meta({ node, meta }: Sketch): string[] {
    return meta.map(
      ({ name, child: { link }, sketches }) =>
        `'${name}', ${this.#populated(link, sketches[0] as Sketch, aliasOf(node))}`,
    )
  }

  /**
   * One populated attribute of the row that the alias names. SQLite knows a JSON value for one only while it is not
   * sorted as a row: links are chosen in their order before the rows behind them are read, and any other order is made
   * inside the aggregate. A cross join keeps the order of the links.
   */
  #populated(link: Link, sketch: Sketch, owner: string): string {
    const { node, where, whereSlots, order, orderSlots } = sketch
    const writer = this.#writer
    const t = aliasOf(node)
    const l = `l${node.depth}`
    const { table, from, to, order: place, match } = link.storage as Extract<LinkStorage, { via: 'table' }>
    const first = this.bound.length
    const pairs = this.pairs(sketch)
    const attributes = link.shape === 'data' ? [`'attributes', json_object(${pairs.join(', ')})`] : pairs
    const entry = `json_object(${[`'id', ${t}.id`, ...attributes].join(', ')})`
    const quoted = (name: string) => writer.quote(name)
    const held = [`${quoted(from)} = ${owner}.id`, ...Object.keys(match).map(column => `${quoted(column)} = ?`)]
    const columns = ['id', to, ...(place === undefined ? [] : [place])].map(quoted).join(', ')
    const links = `select ${columns} from ${quoted(table)} where ${held.join(' and ')}`
    const rows = (chosen: string) =>
      `(${chosen}) ${l} cross join ${quoted(node.type.table)} ${t} on ${t}.id = ${writer.column(l, to)}`
    if (!link.many) {
      this.bound.push(...Object.values(match), ...whereSlots)
      return `(select ${entry} from ${rows(`${links} order by id limit 1`)}${where === undefined ? '' : ` where ${where}`})`
    }
    // All links of the entry are counted, those of rows that are not shown too: what was cut off is never a part of a list.
    const shown = where === undefined ? '' : ` filter (where ${where})`
    const list = `json_group_array(${entry}${order === '' ? '' : ` order by ${order}`})${shown}`
    const filled = link.emptyIsNull ? `iif(count(*)${shown} = 0, null, ${list})` : list
    if (link.emptyIsNull) this.bound.splice(first, 0, ...whereSlots)
    this.bound.push(...orderSlots, ...whereSlots, ...Object.values(match))
    const natural = place === undefined ? 'id' : `${quoted(place)}, id`
    const chosen = `${links} order by ${natural} limit ${this.#most + 1}`
    return `(select iif(count(*) > ${this.#most}, ${tooMany}(), ${filled}) from ${rows(chosen)})`
  }
}

/** An answer that is written in one statement, and the most rows that one populated attribute of one entry may have in it. */
export interface Nesting {
  readonly most: number
}

const mostNested = 200
/** A function of the connection that fails: the list is longer than one statement should write. */
export const tooMany = 'too_many'
const deepestNested = 8

/**
 * Whether a query can be written as one text: relations and components of one type, with at most one that leads to many
 * on any way down, so that what it may cost is known before it runs.
 */
export function nestingOf(root: QueryNode, entries: number): Nesting | undefined {
  const { children, meta = [], depth } = root
  if (children.length === 0 && meta.length === 0) return { most: 0 }
  const limit = root.page ? root.page.limit : 1
  if (limit === null) return undefined
  const lists = countLists({ children: [...children, ...meta], depth }, false)
  if (lists === undefined) return undefined
  const most = Math.min(mostNested, Math.floor(entries / ((limit + 1) * (lists + 1))))
  return most < 20 ? undefined : { most }
}

/** How many of the nodes below stand for lists; undefined where the query cannot be nested. */
function countLists({ children, depth }: Pick<QueryNode, 'children' | 'depth'>, inList: boolean): number | undefined {
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
