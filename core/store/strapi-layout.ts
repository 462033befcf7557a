import { snakeCase } from '../schema/names.js'
import type { Engine, Layout } from './engine.js'
import type { KnownColumn, KnownTable } from './known.js'
import type { Origin, WantedTable } from './layout.js'

/** Where Strapi 4 remembers the layout that it made: a database that has it is not this server's alone. */
export const strapiMark = 'strapi_database_schema'

interface StrapiTable {
  readonly name: string
  readonly columns: readonly { readonly name: string }[]
  readonly indexes?: readonly { readonly name: string; readonly columns: readonly string[]; readonly type?: string }[]
}

interface StrapiType {
  readonly collectionName: string
  readonly attributes: Readonly<Record<string, unknown>>
}

/** The tables that Strapi 4 made for types of the app and for components; those of its plugins are its own business. */
export async function knownToStrapi(
  engine: Engine,
  wanted: readonly WantedTable[],
  { tables: there }: Layout,
): Promise<KnownTable[]> {
  if (!there.has(strapiMark) || !there.has('strapi_core_store_settings')) return []
  const { knex, reader } = engine
  const read = async (query: { toSQL(): { toNative(): { sql: string; bindings: readonly unknown[] } } }) => {
    const { sql, bindings } = query.toSQL().toNative()
    const [row] = await reader.all(sql, bindings)
    return row === undefined ? undefined : JSON.parse(String(row[0]))
  }
  const schema = await read(knex(strapiMark).select('schema').orderBy('id', 'desc').limit(1))
  const types = await read(
    knex('strapi_core_store_settings').select('value').where({ key: 'strapi_content_types_schema' }),
  )
  const owners = new Owners(types ?? {}, wanted)
  const tables = ((schema as { tables?: StrapiTable[] } | undefined)?.tables ?? []) as readonly StrapiTable[]
  return tables.flatMap(({ name, columns, indexes = [] }) => {
    const origin = owners.of(name)
    if (!origin || origin.ofPlugin) return []
    const asked = wanted.find(table => table.name === name)
    return [
      {
        name,
        origin,
        columns: columns
          .filter(column => column.name !== 'id')
          .map(column => knownColumn(column.name, asked, owners.attributeOf(origin, column.name))),
        indexes: indexes.map(index => ({ name: index.name, columns: index.columns, unique: index.type === 'unique' })),
        foreign: true as const,
      },
    ]
  })
}

function knownColumn(name: string, wanted: WantedTable | undefined, part: string | undefined): KnownColumn {
  const asked = wanted?.columns.find(column => column.name === name)
  const known = asked?.part ?? part
  return { name, ...(known && { part: known }), ...(asked?.holds && { holds: asked.holds }), foreign: true }
}

/** Whose tables they are, by the schemas of which Strapi keeps a copy and by the names that it gives. */
class Owners {
  readonly #byTable = new Map<string, Origin>()
  readonly #types: Readonly<Record<string, StrapiType>>

  constructor(types: Readonly<Record<string, StrapiType>>, wanted: readonly WantedTable[]) {
    this.#types = types
    for (const [uid, { collectionName }] of Object.entries(types))
      this.#byTable.set(collectionName, { uid, ...(!uid.startsWith('api::') && { ofPlugin: true as const }) })
    for (const { name, origin } of wanted) if (origin) this.#byTable.set(name, origin)
  }

  of(table: string): Origin | undefined {
    const known = this.#byTable.get(table)
    if (known) return known
    const [, suffix] = /_(links|components|morphs)$/.exec(table) ?? []
    // No copy is kept of the schemas of components.
    if (suffix === undefined) return table.startsWith('components_') ? { uid: table } : undefined
    const bare = table.slice(0, -suffix.length - 1)
    const owner = this.#ownerOf(bare)
    if (!owner) return undefined
    const { uid, ofPlugin } = owner.origin
    const rest = bare.slice(owner.table.length + 1)
    const attribute = suffix === 'components' ? '' : (this.attributeOf({ uid }, rest) ?? rest)
    return { uid, attribute, ...(ofPlugin && { ofPlugin }) }
  }

  /** The attribute of a type that has this column, or gives its name to a table. */
  attributeOf({ uid, attribute }: Origin, name: string): string | undefined {
    if (attribute !== undefined) return undefined
    const { attributes = {} } = this.#types[uid] ?? {}
    return Object.keys(attributes).find(known => snakeCase(known) === name) ?? name
  }

  #ownerOf(name: string): { table: string; origin: Origin } | undefined {
    const tables = [...this.#byTable].filter(
      ([table, { attribute }]) => attribute === undefined && (name === table || name.startsWith(`${table}_`)),
    )
    const [longest] = tables.sort(([a], [b]) => b.length - a.length)
    if (longest) return { table: longest[0], origin: longest[1] }
    // Of a component that is gone nothing but its name is known, where its own words end is not.
    return name.startsWith('components_') ? { table: name, origin: { uid: name } } : undefined
  }
}
