import type { Representation } from '../../schema/representation.js'
import { isLanguage } from '../languages.js'
import { type LikeOptions, pathTo, pattern, type Sql, unitLength, type Words } from '../words.js'
import { inTime, sortKey } from './connection.js'

export const words: Words = {
  quote: name => `"${name.replaceAll('"', '""')}"`,
  like,
  inList: column => `${column} in (select value from json_each(?))`,
  bindList: ids => [JSON.stringify(ids)],
  asText: column => column,
  comparable: (_, column) => column,
  real: column => `(${column} + 0e0)`,
  collation: tag => (isLanguage(tag) ? { of: column => `${sortKey}('${tag}', ${column})` } : undefined),
  part: (column, name) => ({
    text: `case when json_valid(${column}) and json_type(${column}, ?) in ('integer', 'real') then json_extract(${column}, ?) + 0e0 end`,
    values: [pathTo(name), pathTo(name)],
  }),
  unitOf: (as, column, unit) => `substr(${jsonOf(as, column)}, 1, ${unitLength[unit]})`,
  nulls: () => '',
  rows: '?',
  jsonOf,
  inTime: id => (id === undefined ? `${inTime}()` : `(${id} & 255 or ${inTime}())`),
  // So many rows, and a file of so many pages, are read in a few dozen milliseconds.
  isSmall: table =>
    `(select max(id) from ${table}) - (select min(id) from ${table}) < 16384 and (select page_count from pragma_page_count) < 65536`,
  sortsWholeRows: true,
  readsInTurn: true,
}

/** Times are integers of milliseconds; an older row may hold text. Half the price of strftime, which a page asks often. */
const isoOf = (column: string): string => {
  const text = `strftime('%Y-%m-%dT%H:%M:%fZ', ${column})`
  const number = `replace(datetime(${column} / 1000.0, 'unixepoch', 'subsec'), ' ', 'T') || 'Z'`
  return `iif(typeof(${column}) = 'text', coalesce(${text}, ${column}), ${number})`
}

function jsonOf(as: Representation, column: string): string {
  switch (as) {
    case 'datetime':
      return isoOf(column)
    case 'timestamp':
      return `cast(${column} as text)`
    case 'boolean':
      return `case when ${column} then json('true') when ${column} is not null then json('false') end`
    case 'bigint':
      return `cast(${column} as text)`
    case 'decimal':
    case 'float':
      // A whole number is written as 4, not as 4.0; SQLite writes 15 digits of the others, and few need more. One with two
      // decimals does not, which is told before `round`: that writes the number as text and reads it.
      return `case when ${column} = cast(${column} as integer) then cast(${column} as integer) when typeof(${column}) = 'real' and not (abs(${column}) < 1e8 and (${column} = cast(${column} * 1e2 + 0.5 as integer) / 1e2 or ${column} = round(${column}, 6))) then json(digits(${column})) else ${column} end`
    case 'json':
      return `iif(json_valid(${column}), json(${column}), ${column})`
    default:
      return column
  }
}

const wildcardsOf = { none: /(?!)/g, underscore: /_/g, all: /[%_]/g }
const plainAscii = /^[\x20-\x7e\s]*$/

function like(column: string, text: string, how: LikeOptions): Sql {
  const not = how.negated ? 'not ' : ''
  if (!how.ignoreCase && how.exactCase) {
    const escaped = text.replace(/[*?[]/g, '[$&]')
    const value = escaped.replace(wildcardsOf[how.wildcards], sign => (sign === '%' ? '*' : '?'))
    const open = how.open === 'both' || how.open === 'start' ? '*' : ''
    const close = how.open === 'both' || how.open === 'end' ? '*' : ''
    return { text: `${column} ${not}glob ?`, values: [`${open}${value}${close}`] }
  }
  const escaping = how.wildcards === 'all' ? '' : " escape '\\'"
  // LIKE folds ASCII only; other letters are folded by the function that the connection brings, which is slower.
  if (how.ignoreCase && how.exactCase && !plainAscii.test(text))
    return { text: `fold(${column}) ${not}like ?${escaping}`, values: [pattern(text.toLowerCase(), how)] }
  return { text: `${column} ${not}like ?${escaping}`, values: [pattern(text, how)] }
}
