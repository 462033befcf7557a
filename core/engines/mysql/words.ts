import { type LikeOptions, pathTo, pattern, type Sql, unitLength, type Words } from '../words.js'

export const words: Omit<Words, 'collation'> = {
  quote: name => `\`${name.replaceAll('`', '``')}\``,
  like,
  exact(column, operator, { text, values }) {
    const operands = operator.endsWith('in') ? `(${text})` : text
    const bytes = `cast(${column} as binary) ${operator} ${operands}`
    if (operator === '<>' || operator === 'not in') return { text: bytes, values }
    // The first comparison may use an index, the second looks at the bytes.
    return { text: `(${column} ${operator} ${operands} and ${bytes})`, values: [...values, ...values] }
  },
  inList: column => `${column} in (${listMark})`,
  bindList: ids => padded(ids),
  expandList: (sql, count) => sql.replace(listMark, new Array(paddedLength(count)).fill('?').join(', ')),
  // MySQL compares a document with a text as if that were a document of its own; on MariaDB it is a text.
  asText: (column, as) => (as === 'json' ? `cast(${column} as char) collate utf8mb4_bin` : column),
  comparable: (_, column) => column,
  real: column => `(${column} + 0e0)`,
  part: (column, name) => ({
    text: `case when json_type(json_extract(${column}, ?)) in ('INTEGER', 'UNSIGNED INTEGER', 'DOUBLE', 'DECIMAL') then json_extract(${column}, ?) + 0e0 end`,
    values: [pathTo(name), pathTo(name)],
  }),
  unitOf: (_, column, unit) => `left(date_format(${column}, '%Y-%m-%dT%H'), ${unitLength[unit]})`,
  exactGroup: (as, column) => (as === 'text' || as === 'longtext' ? `cast(${column} as binary)` : column),
  nulls: () => '',
  rows: '?',
  joinInOrder: 'straight_join',
  uniqueEndsOrder: true,
  unmerged: ({ text, values }) => ({ text: `(${text}) is true`, values }),
  readsInTurn: false,
}

function like(column: string, text: string, how: LikeOptions): Sql {
  const not = how.negated ? 'not ' : ''
  const escaping = how.wildcards === 'all' ? '' : " escape '\\\\'"
  if (how.ignoreCase && how.exactCase)
    return { text: `cast(lower(${column}) as binary) ${not}like lower(?)${escaping}`, values: [pattern(text, how)] }
  if (how.ignoreCase) return { text: `lower(${column}) ${not}like lower(?)${escaping}`, values: [pattern(text, how)] }
  const target = how.exactCase ? `cast(${column} as binary)` : column
  return { text: `${target} ${not}like ?${escaping}`, values: [pattern(text, how)] }
}

/** The place of a list whose length is known when the statement runs. */
const listMark = '/*list*/?'
const lengths = [1, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000, 25_000, 50_000]

/** Few lengths of lists make few statements; the last id fills the rest. */
const paddedLength = (count: number): number => lengths.find(length => length >= count) ?? count

function padded(ids: readonly number[]): readonly number[] {
  const missing = paddedLength(ids.length) - ids.length
  return missing === 0 ? ids : [...ids, ...new Array(missing).fill(ids.at(-1))]
}
