type Row = Readonly<Record<string, unknown>>

/** Rows as aligned columns under their names, for people. */
export function textTable(rows: readonly Row[]): string {
  const [first] = rows
  if (!first) return 'none\n'
  const names = Object.keys(first)
  const lines = [names, ...rows.map(row => names.map(name => cell(row[name])))]
  const widths = names.map((_, column) => Math.max(...lines.map(line => (line[column] as string).length)))
  return lines
    .map(line => `${line.map((text, column) => text.padEnd(widths[column] as number)).join('  ')}`.trimEnd())
    .map(line => `${line}\n`)
    .join('')
}

function cell(value: unknown): string {
  if (value === undefined || value === null) return '-'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
