import type { Knex } from 'knex'
import { change, rowsOf } from '../../engines/built.js'
import { transact } from '../../engines/transaction.js'
import type { Sides } from '../../layout/change/renames.js'
import type { Finding } from '../../plugin/parts.js'
import type { CoreCheck } from './check.js'
import { attributesIn, type LinkTable, linkTables } from './places.js'

type Report = (finding: Finding) => void

export const orphanCheck: CoreCheck = {
  name: 'links',
  describe: 'links lead from entries to entries, and components belong to some',
  async run({ sides }, report) {
    const tables = linkTables(sides)
    for (const table of tables) {
      const lost = await lostRows(sides, table)
      if (lost.length > 0) reportLost(sides, table, lost, report)
      if (table.type !== undefined) await lookAtNames(sides, table, report)
    }
    await lookAtComponents(sides, report)
  },
}

/** Rows without an owner, or without a target of a type that is there. */
async function lostRows(sides: Sides, table: LinkTable): Promise<number[]> {
  const { engine, registry, found } = sides
  const { knex, reader } = engine
  const lost = async (column: string, target: string, where: Knex.QueryCallback = () => undefined) => {
    if (!found.tables.has(target)) return []
    const query = knex(`${table.name} as l`)
      .leftJoin(`${target} as t`, 't.id', `l.${column}`)
      .select('l.id')
      .whereNull('t.id')
      .where(where)
    return (await rowsOf(reader, query)).map(([id]) => Number(id))
  }
  const ids = await lost(table.from, table.owner.table)
  if (table.target) ids.push(...(await lost(table.to, table.target.table)))
  for (const uid of await namedTypes(sides, table)) {
    const type = registry.types.get(uid)
    if (type) ids.push(...(await lost(table.to, type.table, query => void query.where(`l.${table.type}`, uid))))
  }
  return [...new Set(ids)].sort((a, b) => a - b)
}

function reportLost({ engine }: Sides, { name }: LinkTable, ids: readonly number[], report: Report): void {
  report({
    severity: 'warning',
    says: `rows of ${name} that lead to nothing, or from nothing: ${ids.length}`,
    examples: ids.map(id => `id ${id}`),
    advice: 'nothing uses them',
    fix: { does: 'deletes them', run: () => removeRows(engine, name, ids) },
  })
}

const chunk = 500

async function removeRows(engine: Sides['engine'], table: string, ids: readonly number[]): Promise<void> {
  for (let first = 0; first < ids.length; first += chunk) {
    const some = ids.slice(first, first + chunk)
    await transact(engine, session =>
      change(session, engine.knex(table).whereIn('id', some).delete()).then(() => undefined),
    )
  }
}

async function namedTypes({ engine }: Sides, { name, type }: LinkTable): Promise<string[]> {
  if (type === undefined) return []
  const rows = await rowsOf(engine.reader, engine.knex(name).distinct(type).whereNotNull(type))
  return rows.map(([uid]) => String(uid))
}

/** Types and attributes may be those of a plugin that is disabled, or come back: such rows are only told. */
async function lookAtNames(sides: Sides, table: LinkTable, report: Report): Promise<void> {
  const { registry, engine } = sides
  const { name, type = '', field } = table
  if (field === undefined) return
  const rows = await rowsOf(
    engine.reader,
    engine.knex(name).select(type, field).count().whereNotNull(type).groupBy(type, field),
  )
  // Components say which attribute of their owner they are; other links, which attribute of the target they are.
  const isOfOwner =
    table.owner.links.size > 0 && [...table.owner.links.values()].some(link => link.embedded && isIn(link, name))
  const unknown = rows.filter(([uid, attribute]) => {
    if (!registry.types.has(String(uid))) return true
    return !attributesIn(registry, isOfOwner ? table.owner.uid : String(uid)).includes(String(attribute))
  })
  if (unknown.length === 0) return
  const count = unknown.reduce((all, [, , rows]) => all + Number(rows), 0)
  report({
    severity: 'note',
    says: `rows of ${name} that name types or attributes which are not there: ${count}`,
    examples: unknown.map(([uid, attribute, rows]) => `${uid} ${attribute} (${rows})`),
    advice: 'they count again when these are back; if they never will be, delete the rows',
  })
}

const isIn = ({ storage }: { storage: { via: string; table?: string } }, table: string): boolean =>
  storage.via === 'table' && storage.table === table

/** Components that no entry has: any table of components may name them, also one whose type is not known here. */
async function lookAtComponents({ engine, registry, found }: Sides, report: Report): Promise<void> {
  const { knex, reader } = engine
  const holders = [...found.tables].filter(
    ([name, columns]) => /_components$/.test(name) && columns.has('component_type'),
  )
  for (const { uid, table, kind } of registry.types.values()) {
    if (kind !== 'component' || !found.tables.has(table)) continue
    const query = knex(`${table} as c`).select('c.id')
    for (const [holder] of holders)
      query.whereNotExists(
        knex(`${holder} as h`)
          .select('h.component_id')
          .whereRaw('?? = ??', ['h.component_id', 'c.id'])
          .where('h.component_type', uid),
      )
    const ids = (await rowsOf(reader, query)).map(([id]) => `id ${id}`)
    if (ids.length > 0)
      report({
        severity: 'note',
        says: `rows of ${table} that belong to no entry: ${ids.length}`,
        examples: ids,
        advice: `nothing shows them; to be rid of them, delete them from ${table}`,
      })
  }
}
