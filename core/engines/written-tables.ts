/** A statement that may change any table. */
export const anything = '*'

/** What statements write, by their text. */
export const tablesWritten = new Map<string, string>()
const mostKnown = 2000

/** The table that a statement writes, in small letters, if any; a delete goes on to what leads to its rows. */
export function tableWritten(sql: string): string {
  const [, quoted, plain] = /^\s*(?:insert into|update) (?:["`]([^"`]+)["`]|(\w+))[\s(]/i.exec(sql) ?? []
  const isRead = /^\s*(?:select|savepoint|release|rollback|begin)\b/i.test(sql)
  const table = isRead ? '' : (quoted ?? plain ?? anything).toLowerCase()
  if (tablesWritten.size < mostKnown) tablesWritten.set(sql, table)
  return table
}
