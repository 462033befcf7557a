import type { Knex } from 'knex'
import { rowsOf } from '../../engines/built.js'
import type { Engine } from '../../engines/engine.js'
import type { TransferHost } from './host.js'
import type { Match, Target } from './match.js'
import type { Present } from './scope.js'

/** Numbers of rows that an import would replace, by table. */
export async function rowsInTheWay(
  { engine }: TransferHost,
  { targets }: Match,
  present: Present,
): Promise<Map<string, number>> {
  const found = new Map<string, number>()
  for (const { table } of targets.values()) {
    const rows = present.has(table.name) ? await count(engine.knex(table.name), engine) : 0
    if (rows > 0) found.set(table.name, rows)
  }
  return found
}

/** Rows of components that belong to entries which stay would lose their ids to those of the archive. */
export async function partsThatStay(
  { engine, types }: TransferHost,
  { targets }: Match,
  present: Present,
): Promise<string[]> {
  const isOfParts = ({ table: { name, type = '', isNarrowed } }: Target) =>
    isNarrowed && present.has(name) && types.types.get(type)?.kind === 'component'
  const found: string[] = []
  for (const { table } of [...targets.values()].filter(isOfParts)) {
    const all = await count(engine.knex(table.name), engine)
    if (all !== (await count(table.narrow(engine.knex(table.name)), engine))) found.push(table.name)
  }
  return found
}

async function count(rows: Knex.QueryBuilder, { snapshot }: Engine): Promise<number> {
  const [row] = await snapshot(session => rowsOf(session, rows.count('id')))
  return Number(row?.[0] ?? 0)
}
