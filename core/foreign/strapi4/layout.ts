import { type BuiltStatement, rowsOf } from '../../engines/built.js'
import type { Engine, Layout } from '../../engines/engine.js'
import type { ForeignLayout } from '../../layout/foreign.js'
import type { Origin, RecordedColumn, RecordedTable, WantedTable } from '../../layout/layout.js'
import { snakeCase } from '../../schema/names.js'
import { protect, protectedTables, settingsTable } from './protected.js'

/** The table in which Strapi 4 records its layout: every database of it has this table. */
const schemaTable = 'strapi_database_schema'

/** The database of Strapi 4. */
export const strapi4Layout: ForeignLayout = {
  name: 'Strapi 4',
  group: 'strapi',
  versions: { withoutIds: 'Strapi 4.0 to 4.4', withIds: 'Strapi 4.26' },
  settingsTable,
  isHere,
  known,
  protect,
  protectedTables,
}

function isHere({ tables }: Pick<Layout, 'tables'>): boolean {
  return tables.has(schemaTable)
}

interface StrapiTable {
  readonly name: string
  readonly columns: readonly { readonly name: string; readonly type?: string }[]
  readonly indexes?: readonly { readonly name: string; readonly columns: readonly string[]; readonly type?: string }[]
}

/** Strapi 4's record of all tables. */
export interface StrapiSchema {
  readonly tables?: readonly StrapiTable[]
}

/** Strapi's copy of the schema of a content type; it keeps none of components. */
export interface StrapiType {
  readonly collectionName: string
  readonly attributes: Readonly<Record<string, unknown>>
}

/** The tables that Strapi 4 created for types of the app and for components; those of its plugins are left alone. */
async function known(
  engine: Engine,
  wanted: readonly WantedTable[],
  { tables: there }: Layout,
): Promise<RecordedTable[]> {
  const { types = {}, schema } = await readRecorded(engine, { tables: there })
  const owners = new Owners(types, wanted)
  const tables = schema?.tables ?? []
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

export interface StrapiRecord {
  readonly types?: Readonly<Record<string, StrapiType>>
  readonly schema?: StrapiSchema
}

/** Strapi 4's record of its types and tables; empty in a database that it did not create. */
export async function readRecorded(
  { knex, reader }: Engine,
  { tables: there }: Pick<Layout, 'tables'>,
): Promise<StrapiRecord> {
  if (!there.has(schemaTable) || !there.has(settingsTable)) return {}
  const read = async (query: BuiltStatement) => {
    const [row] = await rowsOf(reader, query)
    return row === undefined ? undefined : JSON.parse(String(row[0]))
  }
  return {
    schema: await read(knex(schemaTable).select('schema').orderBy('id', 'desc').limit(1)),
    types: await read(knex(settingsTable).select('value').where({ key: 'strapi_content_types_schema' })),
  }
}

function knownColumn(name: string, wanted: WantedTable | undefined, part: string | undefined): RecordedColumn {
  const asked = wanted?.columns.find(column => column.name === name)
  const known = asked?.part ?? part
  return { name, ...(known && { part: known }), ...(asked?.holds && { holds: asked.holds }), foreign: true }
}

/** Owners of tables, by Strapi's copies of the schemas and by its naming. */
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
    // A removed component has left only its table name; the word boundaries are lost.
    return name.startsWith('components_') ? { table: name, origin: { uid: name } } : undefined
  }
}
