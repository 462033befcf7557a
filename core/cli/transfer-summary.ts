type Counts = Readonly<Record<string, number>>

const sum = (counts: Counts): number => Object.values(counts).reduce((all, count) => all + count, 0)
const grouped = new Intl.NumberFormat('en')

/** `1 row`, `1,234 rows` */
export const counted = (count: number, noun: string): string =>
  `${grouped.format(count)} ${noun}${count === 1 ? '' : 's'}`

/** `1,234 rows of 12 tables, 5 files of upload` */
export function summaryOf(tables: Counts, parts: Counts): string {
  const rows = `${counted(sum(tables), 'row')} of ${counted(Object.keys(tables).length, 'table')}`
  const files = Object.entries(parts).map(([plugin, count]) => `${counted(count, 'file')} of ${plugin}`)
  return [rows, ...files].join(', ')
}

export function sizeOf(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`
  return bytes < 1e6 ? `${Math.round(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`
}
