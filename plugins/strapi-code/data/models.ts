import type { ContentType, Field, Host, Link } from '../../../core/index.js'
import { noModel } from '../not-carried.js'
import type { Bag, Runtime } from '../types.js'

/** The way in which an engine keeps a column. */
export type As = Field['type']['as']

/** A column of a table, under the name that code has for it. */
export interface Column {
  readonly name: string
  readonly column: string
  readonly as: As
  readonly attribute: Readonly<Record<string, unknown>> & { readonly type: string }
}

/** A table, as `strapi.db` sees it: that of a type, of a component, or one that no type has. */
export interface Model {
  readonly uid: string
  readonly table: string
  readonly singularName: string
  readonly columns: ReadonlyMap<string, Column>
  readonly links: ReadonlyMap<string, Link>
  /** Undefined for a table that no type has. */
  readonly type: ContentType | undefined
  readonly isComponent: boolean
  readonly hasDrafts: boolean
  readonly isLocalized: boolean
  /** The facts of it that events and `strapi.db.metadata` show. */
  readonly meta: Bag
}

export const coreStoreUid = 'strapi::core-store'
const storeColumns = ['key', 'value', 'type', 'environment', 'tag']

/** The tables of the app, by the uids of what they hold. */
export class Models {
  readonly #host: Host
  readonly #runtime: Pick<Runtime, 'strapi'>
  readonly #known = new Map<string, Model>()

  constructor(host: Host, runtime: Pick<Runtime, 'strapi'>) {
    this.#host = host
    this.#runtime = runtime
  }

  has(uid: string): boolean {
    return uid === coreStoreUid || this.#host.types.types.has(uid)
  }

  get(uid: string): Model {
    let model = this.#known.get(uid)
    if (!model) {
      if (!this.has(uid)) throw new Error(noModel(uid))
      model = uid === coreStoreUid ? this.#store() : this.#ofType(this.#host.types.get(uid))
      this.#known.set(uid, model)
    }
    return model
  }

  /** The one type of table that a link leads to; undefined where several can stand. */
  target(link: Link): Model | undefined {
    const isOne =
      link.targets?.length === 1 && !(link.storage.via !== 'target' && link.storage.typeColumn !== undefined)
    return isOne ? this.get(link.targets?.[0] as string) : undefined
  }

  keys(): string[] {
    return [...this.#host.types.types.keys(), coreStoreUid]
  }

  #store(): Model {
    const columns = new Map([idColumn, ...storeColumns.map(textColumn)].map(column => [column.name, column]))
    const base = { uid: coreStoreUid, table: 'strapi_core_store_settings', singularName: 'strapi_core_store', columns }
    const model = {
      ...base,
      links: new Map(),
      type: undefined,
      isComponent: false,
      hasDrafts: false,
      isLocalized: false,
    }
    return { ...model, meta: metaOf(model, {}) }
  }

  #ofType(type: ContentType): Model {
    const { uid, table, singularName, fields, links } = type
    const columns = new Map<string, Column>([['id', idColumn]])
    const own = Object.keys(type.attributes).filter(name => fields.has(name))
    for (const name of new Set([...own, ...fields.keys()])) {
      const { column, type: kind, attribute } = fields.get(name) as Field
      columns.set(name, { name, column, as: kind.as, attribute: attribute as Column['attribute'] })
    }
    const model = {
      ...{ uid, table, singularName, columns, links, type },
      isComponent: type.kind === 'component',
      hasDrafts: columns.has('publishedAt') && type.added.includes('publishedAt'),
      isLocalized: columns.has('locale') && type.added.includes('locale'),
    }
    return { ...model, meta: metaOf(model, this.#runtime.strapi.getModel(uid) ?? {}) }
  }
}

const idColumn: Column = { name: 'id', column: 'id', as: 'id', attribute: { type: 'increments' } }
const textColumn = (name: string): Column => ({
  ...{ name, column: name },
  as: name === 'value' ? 'longtext' : 'text',
  attribute: { type: name === 'value' ? 'text' : 'string' },
})

type DescribedModel = Omit<Model, 'meta'>

/** A model in the words of `strapi.db.metadata`: names of columns and tables beside the attributes of the schema. */
function metaOf(model: DescribedModel, code: object): Bag {
  const attributes: Bag = {}
  for (const { name, column, attribute } of model.columns.values())
    attributes[name] = { ...attribute, columnName: column }
  for (const link of model.links.values()) attributes[link.name] = linkMeta(model, link)
  const { singularName, table, uid, type } = model
  const shown = type && { kind: type.kind, info: type.info, options: type.options }
  return { ...shown, ...code, uid, singularName, tableName: table, attributes, lifecycles: {}, indexes: [] }
}

function linkMeta({ table, columns: _ }: DescribedModel, { storage, attribute, many, targets }: Link): Bag {
  const isRelation = attribute.type === 'relation'
  const target = targets?.length === 1 ? { target: targets[0] } : {}
  const kind = isRelation ? {} : { relation: many ? 'oneToMany' : 'oneToOne' }
  const shown = { ...attribute, ...(isRelation ? {} : { type: 'relation', ...kind }), ...target }
  if (storage.via === 'column')
    return {
      ...shown,
      joinColumn: { name: storage.column, referencedColumn: 'id' },
      ...(storage.typeColumn !== undefined && {
        morphColumn: { idColumn: { name: storage.column }, typeColumn: { name: storage.typeColumn } },
      }),
    }
  if (storage.via === 'target') return { ...shown, inverseColumn: { name: storage.column } }
  const { from, to, order, inverseOrder, match } = storage
  return {
    ...shown,
    owner: table,
    joinTable: {
      name: storage.table,
      joinColumn: { name: from, referencedColumn: 'id' },
      inverseJoinColumn: { name: to, referencedColumn: 'id' },
      pivotColumns: [from, to],
      ...(order !== undefined && { orderColumnName: order, orderBy: { [order]: 'asc' } }),
      ...(inverseOrder !== undefined && { inverseOrderColumnName: inverseOrder }),
      ...(Object.keys(match).length > 0 && { on: match }),
    },
  }
}
