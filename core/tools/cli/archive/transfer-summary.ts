import { counted } from '../../../kit/counted.js'

type Counts = Readonly<Record<string, number>>

const sum = (counts: Counts): number => Object.values(counts).reduce((all, count) => all + count, 0)

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
