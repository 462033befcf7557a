import type { Dialect } from '../dialect.js'
import type { Engine } from '../engines/engine.js'
import type { Sql } from '../engines/words.js'
import type { MoreView } from '../query/more.js'
import type { Child } from '../query/tree.js'
import type { ContentType, Field, Link, LinkStorage } from '../schema/types.js'
import { fieldPairs } from './nested.js'
import type { Selects } from './selects.js'
import { aliasOf, type ChildConditions, type Conditions, type ShownNode, type SqlWriter } from './sql.js'
import { bare, joined, parentIds, room, sql, statementOf } from './statement.js'

/** One column of a statement and how its value is returned. */
export interface Column {
  readonly name: string
  /** The name as JSON has it before a value. */
  readonly label: string
  readonly read: (value: unknown) => unknown
}

/** The plan for fetching and reading the rows of one node. The columns of a row: id, owner, place in the owner's list, fields. */
export interface NodePlan {
  readonly type: ContentType
  /** The type with the attributes that the caller may read, if they are not those of all requests. */
  readonly view?: ContentType | undefined
  /** The statements that it takes, with all below it, where it only counts if it runs. */
  readonly cost?: number | undefined
  readonly statement: Sql
  /** None where the database wrote the fields as one JSON object. */
  readonly columns: readonly Column[]
  readonly children: readonly ChildPlan[]
  /** Attributes that only some of the entries show. */
  readonly more?: MorePlan | undefined
}

/** The columns that tell what an entry shows, and the members of which it may show less than others. */
export interface MorePlan {
  readonly view: MoreView
  readonly from: number
  readonly shown: readonly (readonly [member: string, attribute: string])[]
}

export interface ChildPlan {
  readonly link: Link
  readonly as: Child['as']
  readonly countOnly: boolean
  /** For each part of what some entries show, whether it has the attribute; absent where all entries show it. */
  readonly givers?: readonly boolean[]
  readonly nodes: readonly NodePlan[]
  /** The link's own rows, which are read first if it leads to any type: owner, id, type. */
  readonly pointers?: Sql
  /** The types behind the link, if many are possible and few are there. */
  readonly present?: Sql
}

export const firstColumn = 3

/** Plans how entries are fetched row by row: one statement for the root, one for each populated path. */
export class RowPlanner {
  readonly #engine: Engine
  readonly #dialect: Dialect
  readonly #selects: Selects

  constructor(engine: Engine, dialect: Dialect, selects: Selects) {
    this.#engine = engine
    this.#dialect = dialect
    this.#selects = selects
  }

  /** The statements of a node and of all that is below it; `byDatabase` says that each row is one JSON object. */
  plan(conditions: Conditions, writer: SqlWriter, byDatabase: boolean, link?: Link): NodePlan {
    const { columns, select } = this.#columns(conditions.node, writer, byDatabase)
    return {
      type: conditions.node.type,
      view: conditions.node.view,
      columns,
      statement: this.#selects.finished(
        link ? this.#linked(conditions, select, link, writer) : this.#selects.page(conditions, select),
      ),
      children: conditions.children.map(child => this.#child(child, writer, byDatabase, conditions.node)),
      ...(conditions.node.more && {
        more: morePlan(conditions, conditions.node.more.view, firstColumn + select.length),
      }),
    }
  }

  /** The fields of a node: a column each, one without a value if there are none, or one JSON object on engines that write it. */
  #columns(node: ShownNode, writer: SqlWriter, byDatabase: boolean): { columns: Column[]; select: string[] } {
    if (byDatabase) return { columns: [], select: [this.#json(node, writer)] }
    const { fields } = node
    const engine = this.#engine
    const select = fields.map(({ column, type: { as } }) => {
      const name = writer.column(aliasOf(node), column)
      return engine.selected?.(as, name) ?? name
    })
    const columns = fields.map(field => ({
      name: field.name,
      label: `${JSON.stringify(field.name)}:`,
      read: this.#reader(field),
    }))
    return { columns, select: select.length > 0 ? select : ['null'] }
  }

  #json(node: ShownNode, writer: SqlWriter): string {
    return `json_object(${fieldPairs(node, this.#engine, writer).join(', ')})`
  }

  #reader({ type: { as, show } }: Field): (value: unknown) => unknown {
    const engine = this.#engine
    const decode = (!this.#dialect.paddedTimes && engine.printed) || engine.decode
    if (!show) return value => decode(as, value)
    return value => {
      const decoded = decode(as, value)
      return decoded === null ? null : show(decoded)
    }
  }

  /** No more rows than the response may still hold. */
  #limited(statement: Sql): Sql {
    return sql(statement, { text: ` limit ${this.#engine.words.rows}`, values: [room] })
  }

  #child(child: ChildConditions, writer: SqlWriter, byDatabase: boolean, { view, more }: ShownNode): ChildPlan {
    const { link, as, attribute = link.name, isSparse, rendered } = child
    const isOfSome = more?.view.names.has(attribute) && view?.links.get(attribute)?.readable !== true
    const countOnly = rendered.some(({ node }) => node.countOnly)
    const nodes = rendered.map(conditions => {
      const plan = () => this.plan(conditions, writer, byDatabase, link)
      return isSparse ? new PossibleNode(conditions.node, plan) : plan()
    })
    return {
      link,
      as,
      countOnly,
      nodes,
      ...(more && isOfSome && { givers: more.view.givers(attribute) }),
      ...(link.targets === undefined && { pointers: this.#selects.finished(this.#pointers(link, writer)) }),
      ...(isSparse && { present: this.#selects.finished(this.#present(link, writer)) }),
    }
  }

  /** The source of the rows of a link, told by the ids of the entries that own them. */
  #source(link: Link, node: ShownNode, writer: SqlWriter): Source {
    const { storage } = link
    const t = aliasOf(node)
    const id = `${t}.id`
    if (link.targets === undefined) return { join: '', owner: id, match: [], order: id }
    if (storage.via === 'column') {
      const owner = writer.column('o', 'id')
      const table = writer.quote(link.table)
      return {
        join: `join ${table} o on ${writer.column('o', storage.column)} = ${id}`,
        owner,
        match: [],
        order: owner,
      }
    }
    if (storage.via === 'target')
      return {
        join: '',
        owner: writer.column(t, storage.column),
        match: matches(t, storage.match, writer),
        order: id,
      }
    const match = matches('l', storage.match, writer)
    if (storage.typeColumn !== undefined && !(storage.typeColumn in storage.match))
      match.push([writer.column('l', storage.typeColumn), node.type.uid])
    const to = writer.column('l', storage.to)
    const order = storage.order === undefined ? 'l.id' : `${writer.column('l', storage.order)}, l.id`
    return {
      join: `join ${writer.quote(storage.table)} l on ${to} = ${id}`,
      owner: writer.column('l', storage.from),
      match,
      order,
    }
  }

  #linked(conditions: Conditions, select: readonly string[], link: Link, writer: SqlWriter): Sql {
    const { node, where, order, page, more } = conditions
    const { join, owner, match, order: natural } = this.#source(link, node, writer)
    const sorted = order.text === '' ? bare(natural) : order
    const t = aliasOf(node)
    const place =
      link.storage.via === 'table' && link.storage.order !== undefined && link.targets !== undefined
        ? writer.column('l', link.storage.order)
        : 'null'
    const query = this.#selects.query(node)
    const shown = [...select.map(bare), ...more]
    if (node.countOnly) query.select(this.#selects.raw(bare(`count(*), ${owner}, null`))).groupByRaw(owner)
    else if (page) {
      const named = shown.map((column, index) => sql(column, ` as c${index}`))
      const columns = joined([bare(`${t}.id as id, ${owner} as owner, ${place} as place`), ...named], ', ')
      const rank = sql(`row_number() over (partition by ${owner} order by `, sorted, ') as nth')
      query.select(this.#selects.raw(sql(columns, ', ', rank)))
    } else {
      query.select(this.#selects.raw(joined([bare(`${t}.id, ${owner}, ${place}`), ...shown], ', ')))
      query.orderByRaw(this.#selects.raw(sql(`${owner}, `, sorted)))
    }
    if (join !== '') query.joinRaw(join)
    query.whereRaw(this.#inParents(owner))
    for (const [column, value] of match) query.whereRaw(`${column} = ?`, [value])
    if (where) query.whereRaw(this.#selects.raw(where))
    const statement = statementOf(query.toKnexQuery())
    if (node.countOnly) return statement
    return this.#limited(page ? this.#perOwner(statement, shown.length, page) : statement)
  }

  /** A page of every owner's rows, not of all of them together. */
  #perOwner(statement: Sql, columns: number, { start, limit }: NonNullable<Conditions['page']>): Sql {
    const { rows } = this.#engine.words
    const names = ['id', 'owner', 'place', ...Array.from({ length: columns }, (_, index) => `c${index}`)].join(', ')
    const held = `nth > ${rows} and nth - ${rows} <= ${rows}`
    return sql(`select ${names} from (`, statement, ') p where ', {
      text: `${held} order by owner, nth`,
      values: [start, start, limit],
    })
  }

  /** A condition that a column is one of the ids that were found before. */
  #inParents(column: string) {
    return this.#selects.raw({ text: this.#engine.words.inList(column), values: [parentIds] })
  }

  #pointers({ storage, table }: Link, writer: SqlWriter): Sql {
    const { knex } = this.#engine
    if (storage.via === 'table') {
      const l = (name: string) => writer.column('l', name)
      const columns = [storage.from, storage.to, storage.typeColumn ?? '', 'field'].map(l).join(', ')
      const query = knex(`${storage.table} as l`)
        .select(this.#selects.raw(bare(columns)))
        .whereRaw(this.#inParents(l(storage.from)))
        .orderByRaw(storage.order === undefined ? 'l.id' : `${l(storage.order)}, l.id`)
      return this.#limited(statementOf(query))
    }
    const { column, typeColumn = '' } = storage as Extract<LinkStorage, { via: 'column' }>
    const query = knex(`${table} as t`)
      .select(this.#selects.raw(bare(`t.id, ${writer.column('t', column)}, ${writer.column('t', typeColumn)}`)))
      .whereRaw(this.#inParents('t.id'))
      .whereNotNull(`t.${column}`)
    return this.#limited(statementOf(query))
  }

  #present({ storage }: Link, writer: SqlWriter): Sql {
    const { table, from, typeColumn = '', match } = storage as Extract<LinkStorage, { via: 'table' }>
    const query = this.#engine
      .knex(`${table} as l`)
      .distinct(`l.${typeColumn}`)
      .whereRaw(this.#inParents(writer.column('l', from)))
    for (const [column, value] of Object.entries(match)) query.where(`l.${column}`, value)
    return statementOf(query)
  }
}

/** A node that hardly any row needs: its statements are written when the first does. */
class PossibleNode implements NodePlan {
  readonly type: ContentType
  readonly view: ContentType | undefined
  readonly cost: number | undefined
  #write: (() => NodePlan) | undefined
  #written: NodePlan | undefined

  constructor({ type, view, cost }: ShownNode, write: () => NodePlan) {
    this.type = type
    this.view = view
    this.cost = cost
    this.#write = write
  }

  get #plan(): NodePlan {
    if (this.#write) this.#written = this.#write()
    this.#write = undefined
    return this.#written as NodePlan
  }

  get statement(): Sql {
    return this.#plan.statement
  }

  get columns(): readonly Column[] {
    return this.#plan.columns
  }

  get children(): readonly ChildPlan[] {
    return this.#plan.children
  }

  get more(): MorePlan | undefined {
    return this.#plan.more
  }
}

function morePlan({ node: { fields }, children }: Conditions, view: MoreView, from: number): MorePlan {
  const members = [
    ...fields.map(({ name }) => [name, name] as const),
    ...children.map(({ link: { name }, attribute = name }) => [name, attribute] as const),
  ]
  return { view, from, shown: members.filter(([, attribute]) => view.names.has(attribute)) }
}

interface Source {
  readonly join: string
  readonly owner: string
  readonly match: [string, string][]
  readonly order: string
}

const matches = (alias: string, match: Readonly<Record<string, string>>, writer: SqlWriter): [string, string][] =>
  Object.entries(match).map(([column, value]) => [writer.column(alias, column), value])
