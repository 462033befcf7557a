import { LRUCache } from 'lru-cache'
import type { Dialect } from '../dialect.js'
import type { Child, QueryNode } from '../query/tree.js'
import { isHeavy } from '../query/weight.js'
import type { ContentType, Field, Link, LinkStorage } from '../schema/types.js'
import type { Engine } from './engine.js'
import type { Models } from './models.js'
import { fieldPairs, NestedWriter, type Nesting, nestingOf } from './nested.js'
import { aliasOf, type Sketch, sketchOf } from './sketch.js'
import { LateValue, SqlWriter } from './sql.js'
import { head, parentIds, room, type Slot, type Statement, statementOf, tail } from './statement.js'

/** One column of a statement and how its value is answered. */
export interface Column {
  readonly name: string
  /** The name as JSON has it before a value. */
  readonly label: string
  readonly read: (value: unknown) => unknown
}

/** How the rows of one node are fetched and read. The columns of a row: id, owner, place in the owner's list, fields. */
export interface NodePlan {
  readonly type: ContentType
  readonly statement: Statement
  /** None where the database wrote the fields as one JSON object. */
  readonly columns: readonly Column[]
  readonly children: readonly ChildPlan[]
  /** What the meta of every entry lists, by name. */
  readonly meta: readonly (ChildPlan & { readonly name: string })[]
}

export interface ChildPlan {
  readonly link: Link
  readonly countOnly: boolean
  readonly nodes: readonly NodePlan[]
  /** Where any type can stand, the link's own rows are read first: owner, id, type. */
  readonly pointers?: Statement
  /** Where many types can stand and few do: which do. */
  readonly present?: Statement
}

/** Everything about a query that does not depend on its values. Queries that differ only in values share it. */
export interface ReadPlan {
  readonly root: NodePlan
  readonly count?: Statement
  /** All entries in one text, where nothing has to be put into them. */
  readonly whole?: Statement
  /** Entries leave as text; otherwise as objects that hooks and formats may touch. */
  readonly asText: boolean
  /** It is the database that writes the text. */
  readonly byDatabase: boolean
  /** It can take long by its own fault. */
  readonly isHeavy: boolean
}

/** A plan with the values of one query. */
export interface Prepared {
  readonly plan: ReadPlan
  readonly values: readonly unknown[]
  /** Some values are taken from the caller each time it runs. */
  readonly isLate: boolean
}

export const firstColumn = 3

export interface PlanOptions {
  readonly asText: boolean
  /** A total is wanted next to the page. */
  readonly counted: boolean
  /** How many entries an answer may hold. */
  readonly entries: number
}

/** Makes plans: knex and objection write each statement once per shape of query, and its text is kept. */
export class Planner {
  readonly #engine: Engine
  readonly #models: Models
  readonly #dialect: Dialect
  readonly #plans = new LRUCache<string, ReadPlan>({
    max: keptShapes,
    maxSize: keptShapes * 4_000,
    maxEntrySize: 40_000,
    sizeCalculation: (_, key) => key.length,
  })

  constructor(engine: Engine, models: Models, dialect: Dialect) {
    this.#engine = engine
    this.#models = models
    this.#dialect = dialect
  }

  prepare(root: QueryNode, options: PlanOptions): Prepared {
    const byDatabase = options.asText && this.#engine.jsonOf !== undefined && !isShownByCode(root)
    const heavy = isHeavy(root)
    const writer = new SqlWriter(this.#engine, this.#dialect, heavy)
    const nested = byDatabase ? nestingOf(root, options.entries) : undefined
    const form = byDatabase ? `text ${nested?.most}` : options.asText ? 'texts' : 'rows'
    const key: string[] = [form, options.counted ? 'count' : '']
    const sketch = sketchOf(root, writer, key)
    const shape = key.join('\n')
    let plan = this.#plans.get(shape)
    if (!plan) {
      plan = {
        root: this.#compile(sketch, writer, byDatabase),
        asText: options.asText,
        byDatabase,
        isHeavy: heavy,
        ...(options.counted && { count: this.#count(sketch) }),
        ...(nested && { whole: this.#whole(sketch, writer, nested) }),
      }
      this.#plans.set(shape, plan)
    }
    const { values } = writer
    return { plan, values, isLate: values.some(value => value instanceof LateValue && value.ofCaller) }
  }

  #compile(sketch: Sketch, writer: SqlWriter, byDatabase: boolean, link?: Link): NodePlan {
    const { columns, select } = this.#columns(sketch.node, writer, byDatabase)
    return {
      type: sketch.node.type,
      columns,
      statement: link ? this.#linked(sketch, select, link, writer) : this.#page(sketch, select),
      children: sketch.children.map(({ child, sketches }) => this.#child(child, sketches, writer, byDatabase)),
      meta: sketch.meta.map(({ child, sketches, name }) => ({
        ...this.#child(child, sketches, writer, byDatabase),
        name,
      })),
    }
  }

  /** The fields of a node: a column each, or one JSON object on engines that write it. */
  #columns(node: QueryNode, writer: SqlWriter, byDatabase: boolean): { columns: Column[]; select: string[] } {
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
    return { columns, select }
  }

  #json(node: QueryNode, writer: SqlWriter): string {
    return `json_object(${fieldPairs(node, this.#engine, writer).join(', ')})`
  }

  #reader({ type: { as, show } }: Field): (value: unknown) => unknown {
    const engine = this.#engine
    if (!show) return value => engine.decode(as, value)
    return value => {
      const decoded = engine.decode(as, value)
      return decoded === null ? null : show(decoded)
    }
  }

  #query(node: QueryNode, lead?: Statement) {
    const { uid } = node.type
    const model = this.#models.get(uid)
    if (!model) throw new Error(`no model for ${uid}`)
    return lead ? model.query().from(this.#raw(lead.sql, lead.bindings) as never) : model.query().alias(aliasOf(node))
  }

  #raw(sql: string, bindings: readonly unknown[] = []) {
    return this.#engine.knex.raw(sql, bindings as never)
  }

  #page(sketch: Sketch, select: readonly string[], entry?: Statement): Statement {
    const { node, lead, where, order, whereSlots, orderSlots, pageSlots } = sketch
    const columns = entry ? `${entry.sql} as entry` : ['t.id', 'null', 'null', ...select].join(', ')
    const query = this.#query(node, lead).select(this.#raw(columns, entry?.bindings))
    if (where !== undefined) query.whereRaw(where, whereSlots as never)
    query.orderByRaw(order, orderSlots as never)
    const { sql, bindings } = statementOf(query)
    if (pageSlots.length === 0) return { sql, bindings }
    return this.#limited(sql, [...bindings, ...pageSlots], true)
  }

  /** The same page as the bytes of the whole answer: no entry passes through JS, and nothing is copied here. */
  #whole(sketch: Sketch, writer: SqlWriter, nesting: Nesting): Statement {
    const nested = new NestedWriter(this.#engine, writer, nesting)
    const attributes = `json_object(${nested.pairs(sketch).join(', ')})`
    const listed = nested.meta(sketch)
    const meta = this.#dialect.entryMeta
      ? `, 'meta', ${listed.length > 0 ? `json_object(${listed.join(', ')})` : `json('{"availableLocales":[]}')`}`
      : ''
    const entry = { sql: `json_object('id', t.id, 'attributes', ${attributes}${meta})`, bindings: nested.bound }
    const { sql, bindings } = this.#page(sketch, [], entry)
    return {
      sql: `select cast(? || group_concat(entry, ',') || ? as blob) from (${sql})`,
      bindings: [head, tail, ...bindings],
    }
  }

  /** Limits are written behind the builder's text: it would bind them as it likes. */
  #limited(sql: string, bindings: readonly unknown[], offset: boolean): Statement {
    const mark = (back: number) => (this.#engine.name === 'postgres' ? `$${bindings.length - back}::bigint` : '?')
    return { sql: `${sql} limit ${mark(offset ? 1 : 0)}${offset ? ` offset ${mark(0)}` : ''}`, bindings }
  }

  #count({ node, lead, where, whereSlots }: Sketch): Statement {
    const query = this.#query(node, lead).select(this.#raw('count(*)'))
    if (where !== undefined) query.whereRaw(where, whereSlots as never)
    return statementOf(query)
  }

  #child(child: Child, sketches: readonly Sketch[], writer: SqlWriter, byDatabase: boolean): ChildPlan {
    const { link } = child
    const countOnly = child.nodes.some(node => node.countOnly)
    const nodes = sketches.map(sketch => this.#compile(sketch, writer, byDatabase, link))
    return {
      link,
      countOnly,
      nodes,
      ...(link.targets === undefined && { pointers: this.#pointers(link, writer) }),
      ...(link.listed && { present: this.#present(link, writer) }),
    }
  }

  /** Where the rows of a link come from, told by the ids of the entries that own them. */
  #source(link: Link, node: QueryNode, writer: SqlWriter): Source {
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

  #linked(sketch: Sketch, select: readonly string[], link: Link, writer: SqlWriter): Statement {
    const { node, where, whereSlots, order, orderSlots, pageSlots } = sketch
    const { join, owner, match, order: natural } = this.#source(link, node, writer)
    const sorted = order === '' ? natural : order
    const t = aliasOf(node)
    const place =
      link.storage.via === 'table' && link.storage.order !== undefined && link.targets !== undefined
        ? writer.column('l', link.storage.order)
        : 'null'
    const query = this.#query(node)
    if (node.countOnly) query.select(this.#raw(`count(*), ${owner}, null`)).groupByRaw(owner)
    else {
      const rank = `row_number() over (partition by ${owner} order by ${sorted})`
      const extra = pageSlots.length > 0 ? [`${rank} as nth`] : []
      const named = pageSlots.length > 0 ? select.map((column, index) => `${column} as c${index}`) : select
      const id =
        pageSlots.length > 0 ? [`${t}.id as id`, `${owner} as owner`, `${place} as place`] : [`${t}.id`, owner, place]
      query.select(this.#raw([...id, ...named, ...extra].join(', '), pageSlots.length > 0 ? orderSlots : []))
      if (pageSlots.length === 0) query.orderByRaw(`${owner}, ${sorted}`, orderSlots as never)
    }
    if (join !== '') query.joinRaw(join)
    query.whereRaw(this.#engine.inList(owner), [parentIds] as never)
    for (const [column, value] of match) query.whereRaw(`${column} = ?`, [value])
    if (where !== undefined) query.whereRaw(where, whereSlots as never)
    const { sql, bindings } = statementOf(query)
    if (node.countOnly) return { sql, bindings }
    if (pageSlots.length === 0) return this.#limited(sql, [...bindings, room], false)
    return this.#perOwner(sql, bindings, select.length, pageSlots as [Slot, Slot])
  }

  /** A page of every owner's rows, not of all of them together. */
  #perOwner(
    sql: string,
    bindings: readonly unknown[],
    columns: number,
    [limit, start]: readonly [Slot, Slot],
  ): Statement {
    const mark = (number: number) => (this.#engine.name === 'postgres' ? `$${bindings.length + number}::bigint` : '?')
    const names = ['id', 'owner', 'place', ...Array.from({ length: columns }, (_, index) => `c${index}`)].join(', ')
    return this.#limited(
      `select ${names} from (${sql}) p where nth > ${mark(1)} and nth - ${mark(2)} <= ${mark(3)} order by owner, nth`,
      [...bindings, start, start, limit, room],
      false,
    )
  }

  #pointers({ storage, table }: Link, writer: SqlWriter): Statement {
    const { knex } = this.#engine
    const inOwners = (column: string) => this.#raw(this.#engine.inList(column), [parentIds])
    if (storage.via === 'table') {
      const query = knex(`${storage.table} as l`)
        .select(
          this.#raw(
            [storage.from, storage.to, storage.typeColumn ?? '', 'field']
              .map(name => writer.column('l', name))
              .join(', '),
          ),
        )
        .whereRaw(inOwners(writer.column('l', storage.from)) as never)
        .orderByRaw(storage.order === undefined ? 'l.id' : `${writer.column('l', storage.order)}, l.id`)
      return this.#limitedBuilder(query)
    }
    const { column, typeColumn = '' } = storage as Extract<LinkStorage, { via: 'column' }>
    const query = knex(`${table} as t`)
      .select(this.#raw(`t.id, ${writer.column('t', column)}, ${writer.column('t', typeColumn)}`))
      .whereRaw(inOwners('t.id') as never)
      .whereNotNull(`t.${column}`)
    return this.#limitedBuilder(query)
  }

  #present({ storage }: Link, writer: SqlWriter): Statement {
    const { table, from, typeColumn = '', match } = storage as Extract<LinkStorage, { via: 'table' }>
    const inOwners = this.#raw(this.#engine.inList(writer.column('l', from)), [parentIds])
    const query = this.#engine
      .knex(`${table} as l`)
      .distinct(`l.${typeColumn}`)
      .whereRaw(inOwners as never)
    for (const [column, value] of Object.entries(match)) query.where(`l.${column}`, value)
    return query.toSQL().toNative()
  }

  #limitedBuilder(query: { toSQL(): { toNative(): { sql: string; bindings: readonly unknown[] } } }): Statement {
    const { sql, bindings } = query.toSQL().toNative()
    return this.#limited(sql, [...bindings, room], false)
  }
}

interface Source {
  readonly join: string
  readonly owner: string
  readonly match: [string, string][]
  readonly order: string
}

/** A field type says in code how its values are answered; timestamps are the one kind that the database writes so too. */
function isShownByCode({ fields, children }: QueryNode): boolean {
  return (
    fields.some(({ type: { as, show } }) => show !== undefined && as !== 'timestamp') ||
    children.some(({ nodes }) => nodes.some(isShownByCode))
  )
}

const keptShapes = 2000

const matches = (alias: string, match: Readonly<Record<string, string>>, writer: SqlWriter): [string, string][] =>
  Object.entries(match).map(([column, value]) => [writer.column(alias, column), value])
