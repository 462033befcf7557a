import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'

/**
 * The sentence above each row of an object in a source file, by the path of the row. They are comments, so that editors
 * show them wherever a row is used; the pages have them from here.
 */
export function sentencesOf(source: string, object: string): ReadonlyMap<string, string> {
  const [, body = ''] = new RegExp(`^(?: *export)? *const ${object}\\b[^\\n]*\\{\\n(.*?)^\\}`, 'ms').exec(source) ?? []
  assert.ok(body, `there is no object ${object}`)
  const found = new Map<string, string>()
  const path: string[] = []
  for (const [, comment, indent = '', key = ''] of body.matchAll(/(?:\/\*\*((?:(?!\*\/).)*)\*\/\n)?^( +)(\w+):/gms)) {
    path.splice(indent.length / 2 - 1, path.length, key)
    if (comment !== undefined)
      found.set(
        path.join('.'),
        comment
          .replaceAll(/\n +\*/g, ' ')
          .replaceAll(/ +/g, ' ')
          .trim(),
      )
  }
  return found
}

/** Compares the table below a heading of a page with what it has to be, or writes it with `STELE_UPDATE_PAGES=1`. */
export function assertTable(file: URL, heading: string, wanted: readonly string[]): void {
  const lines = readFileSync(file, 'utf8').split('\n')
  const below = lines.indexOf(`## ${heading}`)
  const first = lines.findIndex((line, at) => at > below && line.startsWith('|'))
  const end = lines.findIndex((line, at) => at > first && !line.startsWith('|'))
  assert.ok(below >= 0 && first >= 0, `${file.pathname} has no table below "${heading}"`)
  if (process.env.STELE_UPDATE_PAGES === '1')
    writeFileSync(file, [...lines.slice(0, first), ...wanted, ...lines.slice(end)].join('\n'))
  else
    assert.deepEqual(
      lines.slice(first, end),
      wanted,
      `"${heading}" differs from its rows: STELE_UPDATE_PAGES=1 writes it`,
    )
}

/** A line of a table, in which the ends of cells are escaped. */
export const line = (...cells: readonly string[]): string =>
  `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`.replaceAll('|  |', '| |')
