import { type LikeOptions, pattern, type Sql, unitLength, type Words } from '../words.js'

export const words: Omit<Words, 'collation'> = {
  quote: name => `"${name.replaceAll('"', '""')}"`,
  like,
  inList: column => `${column} = any(?::int[])`,
  bindList: ids => [ids],
  asText: column => `${column}::text`,
  // There is no smallest boolean and no smallest document.
  comparable: (as, column) => (as === 'boolean' ? `${column}::int` : as === 'json' ? `${column}::text` : column),
  real: column => `${column}::float8`,
  part: (column, name) => ({
    text: `case when jsonb_typeof(${column} -> ?::text) = 'number' then (${column} ->> ?::text)::float8 end`,
    values: [name, name],
  }),
  unitOf: (_, column, unit) => `left(to_char(${column}, 'YYYY-MM-DD"T"HH24'), ${unitLength[unit]})`,
  // A missing value is the largest here, unless it is told otherwise.
  nulls: descending => (descending ? ' nulls last' : ' nulls first'),
  rows: '?::bigint',
  numbered,
  readsInTurn: false,
}

/** The driver counts the places of values. */
export function numbered(sql: string): string {
  let count = 0
  return sql.replace(/\?/g, () => {
    count += 1
    return `$${count}`
  })
}

function like(column: string, text: string, how: LikeOptions): Sql {
  const operator = `${how.negated ? 'not ' : ''}like`
  const escaping = how.wildcards === 'all' ? '' : " escape '\\'"
  if (how.ignoreCase)
    return { text: `lower(${column}::text) ${operator} lower(?::text)${escaping}`, values: [pattern(text, how)] }
  return { text: `${column}::text ${operator} ?::text${escaping}`, values: [pattern(text, how)] }
}
