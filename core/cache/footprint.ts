/** A name in place of a table: any of them. */
export const anything = '*'

/** One row, or any rows, of a table that a statement writes. */
export interface Footprint {
  readonly table: string
  /** The numbers of the values of the statement by which the row is known; absent if it may be any rows. */
  readonly keys?: ReadonlyMap<string, number> | undefined
  /** The columns that are set, if the row was there before. */
  readonly columns?: readonly string[] | undefined
}

const cached = new Map<string, readonly Footprint[]>()
const maxCached = 2000

/** The rows that a statement writes, as its text tells: plugins write statements of their own. */
export function footprintOf(sql: string): readonly Footprint[] {
  const before = cached.get(sql)
  if (before) return before
  const footprint = rowUpdated(sql) ?? rowsInserted(sql) ?? tableWritten(sql)
  if (cached.size < maxCached) cached.set(sql, footprint)
  return footprint
}

/** The table that a statement writes, in small letters, if any; a delete goes on to rows that lead to its rows. */
function tableWritten(sql: string): readonly Footprint[] {
  const [, quoted, plain] = /^\s*(?:insert into|update) (?:["`]([^"`]+)["`]|(\w+))[\s(]/i.exec(sql) ?? []
  const isRead = /^\s*(?:select|savepoint|release|rollback|commit|begin|start)\b/i.test(sql)
  return isRead ? [] : [{ table: (quoted ?? plain ?? anything).toLowerCase() }]
}

const name = '["`]([^"`]+)["`]'
const place = '(?:\\?|\\$\\d+)'
const set = `["\`][^"\`]+["\`] = ${place}`
const update = new RegExp(`^update ${name} set (${set}(?:, ${set})*) where ["\`]id["\`] = (${place})$`)
const insert = new RegExp(`^insert into ${name} \\(([^()]+)\\) values (.+?)(?: returning ["\`]id["\`])?$`)

const columnsIn = (list: string): string[] =>
  [...list.matchAll(new RegExp(name, 'g'))].map(([, one]) => (one as string).toLowerCase())

/** Columns of the row with an id, each set to a value. */
function rowUpdated(sql: string): readonly Footprint[] | undefined {
  const [, table = '', list = '', id = ''] = update.exec(sql) ?? []
  const columns = columnsIn(list)
  if (columns.length === 0 || columns.includes('id')) return undefined
  return [{ table: table.toLowerCase(), keys: new Map([['id', numberOf(id) ?? columns.length]]), columns }]
}

/** New rows, whose columns are values or expressions. */
function rowsInserted(sql: string): readonly Footprint[] | undefined {
  const [, table = '', list = '', rest = "'"] = insert.exec(sql) ?? []
  const columns = columnsIn(list)
  const rows = areRows(rest) ? placesIn(rest) : []
  if (rows.length === 0 || rows.some(({ length }) => length !== columns.length)) return undefined
  return rows.map(places => {
    const keys = columns.flatMap((column, at): [string, number][] => {
      const value = places[at]
      return value === undefined ? [] : [[column, value]]
    })
    return { table: table.toLowerCase(), keys: new Map(keys) }
  })
}

/** True for rows with no text between or behind them: it may change others. A text in quotes may hold anything. */
function areRows(text: string): boolean {
  let rest = text
  for (let before = ''; before !== rest; ) {
    before = rest
    rest = rest.replace(/\([^()]*\)/g, '')
  }
  return /^[\s,]*$/.test(rest) && !text.includes("'")
}

/** The numbers of the values of rows, in the order of their columns; that of an expression is missing. */
function placesIn(text: string): (number | undefined)[][] {
  const rows: (number | undefined)[][] = []
  let depth = 0
  let values = 0
  let parts: (number | undefined)[] = []
  const endOfColumn = () => {
    rows.at(-1)?.push(parts.length === 1 ? parts[0] : undefined)
    parts = []
  }
  for (const [token] of text.matchAll(/[(),?]|\$\d+|[^(),?$\s]+/g)) {
    const value = token === '?' ? values : numberOf(token)
    if (value !== undefined) values = value + 1
    if (token === ')') depth -= 1
    if (depth === 0 && token === '(') rows.push([])
    else if ((depth === 0 && token === ')') || (depth === 1 && token === ',')) endOfColumn()
    else if (depth > 0) parts.push(value)
    if (token === '(') depth += 1
  }
  return rows
}

/** The number of a value in a placeholder that names it. */
const numberOf = (token: string): number | undefined => (token[0] === '$' ? Number(token.slice(1)) - 1 : undefined)
