import { language } from '../text.js'

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const

/** A number of bytes as people read it: `4.2 MB`. */
export function sizeText(bytes: number): string {
  const power = Math.min(Math.floor(Math.log(Math.max(bytes, 1)) / Math.log(1024)), units.length - 1)
  const format = { style: 'unit', unit: units[power] as string, maximumFractionDigits: power > 1 ? 1 : 0 } as const
  return new Intl.NumberFormat(language(), format).format(bytes / 1024 ** power)
}
