import { rowsOf } from '../../engines/built.js'
import type { Engine, Session } from '../../engines/engine.js'
import { counted } from '../../kit/counted.js'
import type { Representation } from '../../schema/representation.js'
import type { ContentType, Field } from '../../schema/types.js'
import { columnsUnder, type RecordedTable, type WantedColumn, type WantedTable } from '../layout.js'
import { addIndex, familyOf, sameFamily } from '../sync.js'
import type { Change, Work } from './change.js'
import { countValues } from './counts.js'
import { type FittedValue, fitter } from './fit.js'
import type { RenamedLayout, Sides, StoredNames } from './renames.js'

/** Every value of these fits into a column of those as it is. */
const wider: Partial<Record<Representation, readonly Representation[]>> = {
  text: ['longtext'],
  integer: ['bigint', 'float'],
  decimal: ['float'],
}

/** Columns of another type than the schema asks for, and the fate of their values. */
export async function planTypeChanges(
  { engine, registry, wanted }: Pick<Sides, 'engine' | 'registry' | 'wanted'>,
  { known, found, before }: Pick<RenamedLayout, 'known' | 'found' | 'before'>,
  progress: (label: string, total: number) => (rows: number) => void,
): Promise<Change[]> {
  const changes: Change[] = []
  for (const type of registry.types.values()) {
    const table = wanted.find(({ name }) => name === type.table)
    const stored = found.tables.get(type.table)
    if (!table || !stored) continue
    for (const { column, field, from } of otherwise(engine, type, table.columns, {
      stored,
      known: known.find(isCalled(table.name)),
    })) {
      const place = before.get(table.name) ?? { table: table.name, column: name => name }
      const existing = table.indexes.filter(({ name }) => found.indexes.has(name))
      changes.push(await retype({ engine, table, column, field, from, place, existing, progress }))
    }
  }
  return changes
}

const isCalled =
  (name: string) =>
  (one: { readonly name: string }): boolean =>
    one.name === name

function otherwise(
  engine: Engine,
  type: ContentType,
  columns: WantedTable['columns'],
  { stored, known }: { readonly stored: ReadonlyMap<string, string>; readonly known: RecordedTable | undefined },
): { column: WantedColumn; field: Field; from: Representation }[] {
  return [...type.fields.values()].flatMap(field => {
    const column = columns.find(isCalled(field.column))
    const found = stored.get(field.column)
    if (!column || found === undefined) return []
    const noted = known?.columns.find(isCalled(field.column))?.as
    // A run that died may have changed the column and not come to note it.
    const was =
      noted === undefined || noted === 'order' || !sameFamily(found, engine.columnType(noted)) ? undefined : noted
    const isOther = !sameFamily(found, column.type) || (was !== undefined && was !== column.as)
    if (!isOther) return []
    return [{ column, field, from: was ?? representationOf(found) }]
  })
}

/** The representation of a column of which only the type is known. */
function representationOf(type: string): Representation {
  const family = familyOf(type)
  if (family === 'number') return /dec|numeric/.test(type) ? 'decimal' : 'float'
  return family === 'text' ? 'longtext' : (family as Representation)
}

interface Retype {
  readonly engine: Engine
  readonly table: WantedTable
  readonly column: WantedColumn
  readonly field: Field
  readonly from: Representation
  readonly place: StoredNames
  /** Indexes that the table has and wants. */
  readonly existing: WantedTable['indexes']
  readonly progress: (label: string, total: number) => (rows: number) => void
}

async function retype(asked: Retype): Promise<Change> {
  const { engine, table, column, field, from, place, existing } = asked
  const { ddl } = engine
  const to = field.type.as
  const where = `${table.name}.${column.name}`
  const settles = { table: table.name, column: column.name }
  if (ddl.widen && wider[from]?.includes(to))
    return {
      group: 'types',
      describe: `${where} becomes ${column.type}: every value fits`,
      steps: [ddl.widen(table.name, column.name, column.type)],
      settles,
    }
  const { values, changed } = await survey(asked)
  const fresh = `stele_new_${column.name}`.slice(0, 60)
  const having = existing.filter(index => columnsUnder(index).includes(column.name))
  const fits =
    changed === 0
      ? 'every value fits'
      : `${changed} of ${counted(values, 'value')} do not fit, and are cut, rounded or emptied`
  const work: Work = {
    describe: `the values of ${where} are written into ${fresh}`,
    rows: values,
    run: (session, done) =>
      copyValues({ ...asked, place: { table: table.name, column: name => name } }, fresh, session, done),
  }
  const left = (await engine.introspect()).tables.get(place.table)?.has(fresh)
  return {
    group: 'types',
    describe: `${where} becomes ${column.type}: ${fits}`,
    steps: [
      ...ddl.lock(table.name),
      // A run that was broken off may have left it.
      ...(left ? [ddl.dropColumn(table.name, fresh)] : []),
      ddl.addColumn(table.name, fresh, column.type),
      work,
      ...having.map(index => ddl.dropIndex(table.name, index)),
      ...ddl.replaceColumn(table.name, fresh, column.name),
      ...ddl.unlock(),
      ...having.flatMap(index => addIndex(engine, table.name, index).statements),
    ],
    settles,
    ...(changed > 0 && { loses: changed }),
  }
}

/** Counts the values, and those of them that the change alters. */
async function survey(asked: Retype): Promise<{ values: number; changed: number }> {
  const { engine, table, column, place, progress } = asked
  const values = await countValues(engine, place.table, place.column(column.name))
  const done = progress(`looking at ${table.name}.${column.name}`, values)
  let changed = 0
  await eachChunk(asked, engine.reader, async rows => {
    changed += rows.filter(([, { isSame }]) => !isSame).length
    done(rows.length)
  })
  return { values, changed }
}

const chunk = 200

async function eachChunk(
  { engine, field, from, column, place }: Retype,
  session: Session,
  take: (rows: readonly (readonly [number, FittedValue])[]) => Promise<void>,
): Promise<void> {
  const { knex } = engine
  const converted = fitter(engine, from, field)
  const name = place.column(column.name)
  const read = engine.selected ? knex.raw(engine.selected(from, knex.raw('??', [name]).toString())) : knex.ref(name)
  for (let last = 0; ; ) {
    const query = knex(place.table)
      .select('id', read)
      .where('id', '>', last)
      .whereNotNull(name)
      .orderBy('id')
      .limit(chunk)
    const rows = await rowsOf(session, query)
    const fitted = await Promise.all(rows.map(async ([id, stored]) => [Number(id), await converted(stored)] as const))
    if (fitted.length > 0) await take(fitted)
    if (rows.length < chunk) return
    last = Number(rows.at(-1)?.[0])
  }
}

/** Copies many rows in one statement: each statement to a server is a round trip. */
async function copyValues(asked: Retype, to: string, session: Session, done: (rows: number) => void): Promise<void> {
  const { engine, table, field } = asked
  const { as } = field.type
  const q = (name: string) => engine.knex.raw('??', [name]).toString()
  await eachChunk(asked, session, async rows => {
    const cases = rows.map(([, { value }]) => `when ? then ${engine.place(as, value)}`).join(' ')
    const ids = rows.map(([id]) => id)
    const sql = `update ${q(table.name)} set ${q(to)} = case id ${cases} end where id in (${ids.map(() => '?').join(', ')})`
    const values = [...rows.flatMap(([id, { value }]) => [id, value]), ...ids]
    await session.run(sql, values)
    done(rows.length)
  })
}
