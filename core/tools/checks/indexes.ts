import type { Engine } from '../../engines/engine.js'
import { foreignLayout } from '../../foreign/known.js'
import { countRows } from '../../layout/change/counts.js'
import { addIndex, compare, type Step } from '../../layout/sync.js'
import type { ContentType, Field } from '../../schema/types.js'
import type { CheckInput, CoreCheck } from './check.js'

/** The number of rows below which scanning a table takes no notable time. */
const large = 10_000

export const indexCheck: CoreCheck = {
  name: 'indexes',
  describe: 'links and unique fields have their indexes, and large tables those that filters need',
  async run(looked, report) {
    const { engine, wanted, found } = looked.sides
    const prevented = new Set(looked.plan.prevented.flatMap(({ statements }) => statements))
    const missing = compare(engine, wanted, found).additions.filter(
      ({ adds, table, statements }) =>
        adds === 'index' && found.tables.has(table) && !statements.some(sql => prevented.has(sql)),
    )
    if (missing.length > 0)
      report({
        severity: foreignLayout.isHere(found) ? 'note' : 'warning',
        says: `missing indexes: ${missing.length}`,
        examples: missing.map(({ describe }) => describe),
        advice: ['the next start that writes adds them; the statements are:', ...missing.flatMap(sql)].join('\n'),
        fix: { does: 'adds them', run: () => engine.alter(missing.flatMap(sql)) },
      })
    const indexed = await indexedColumns(engine)
    for (const type of looked.registry.types.values()) {
      const stored = found.tables.get(type.table)
      if (!stored || !type.routed || (await countRows(engine, type.table)) < large) continue
      const bare = [...type.fields.values()].filter(
        field => isFiltered(field) && stored.has(field.column) && !indexed.has(`${type.table}.${field.column}`),
      )
      if (bare.length === 0) continue
      report({
        severity: bare.some(isUnique) ? 'warning' : 'note',
        says: `${type.table} has more than ${large} rows, and fields that requests may filter and sort by have no index`,
        examples: bare.map(({ name }) => name),
        advice: [
          `add "index": true to those attributes that clients filter or sort by; the statements are:`,
          ...bare.flatMap(field => statementsOf(looked, type, field)),
        ].join('\n'),
      })
    }
  },
}

/** `table.column` of all columns that an index begins with. */
async function indexedColumns({ ddl, reader }: Engine): Promise<ReadonlySet<string>> {
  return new Set((await reader.all(ddl.indexedColumns, [])).map(([table, column]) => `${table}.${column}`))
}

const sql = ({ statements }: Step): readonly string[] => statements.map(text => `${text};`)

const isUnique = ({ attribute, type }: Field): boolean => attribute.unique === true || type.unique === true

/** True for columns that requests filter by and an index suits: not booleans, with their few values, nor long texts and documents. */
const isFiltered = ({ readable, type: { as } }: Field): boolean =>
  readable && !['longtext', 'json', 'boolean'].includes(as)

const statementsOf = (
  { sides: { engine } }: CheckInput,
  { table }: ContentType,
  { column }: Field,
): readonly string[] =>
  sql(addIndex(engine, table, { name: `${table}_${column}_index`, columns: [column], unique: false }))
