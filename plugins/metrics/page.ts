import { type Family, families, type Name } from './families.js'
import { type Note, nameOf } from './samples.js'

export const formats = {
  text: 'text/plain; version=0.0.4; charset=utf-8',
  openMetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
} as const

export type Format = keyof typeof formats

/** The format that a scraper asks for. */
export const formatFor = (accept: string | undefined): Format =>
  accept?.includes('application/openmetrics-text') ? 'openMetrics' : 'text'

/** Writes samples as Prometheus reads them. */
export function page({ histograms, counters, gauges }: Note, format: Format): string {
  const byName = new Map<Name, string[]>()
  const add = (sample: string, ...lines: string[]) => {
    const name = nameOf(sample)
    byName.set(name, [...(byName.get(name) ?? []), ...lines])
  }
  for (const [sample, value] of Object.entries({ ...counters, ...gauges })) add(sample, `${sample} ${value}`)
  for (const [sample, counts] of Object.entries(histograms)) add(sample, ...linesOf(sample, counts))
  const lines = (Object.keys(families) as Name[]).flatMap(name => {
    const found = byName.get(name)
    return found ? [...headOf(name, format), ...found] : []
  })
  return `${lines.join('\n')}\n${format === 'openMetrics' ? '# EOF\n' : ''}`
}

function headOf(name: Name, format: Format): string[] {
  const { type, help, unit }: Family = families[name]
  // OpenMetrics names a counter without its ending.
  const named = format === 'openMetrics' && type === 'counter' ? name.replace(/_total$/, '') : name
  const isUnit = format === 'openMetrics' && unit !== undefined && named.endsWith(`_${unit}`)
  return [`# HELP ${named} ${help}`, `# TYPE ${named} ${type}`, ...(isUnit ? [`# UNIT ${named} ${unit}`] : [])]
}

function linesOf(sample: string, counts: readonly number[]): string[] {
  const name = nameOf(sample)
  const bounds = (families[name] as Family).buckets ?? []
  const labels = sample.slice(name.length + 1, -1)
  let total = 0
  const buckets = [...bounds, Number.POSITIVE_INFINITY].map((bound, index) => {
    total += counts[index] ?? 0
    return `${name}_bucket{${labels && `${labels},`}le="${boundOf(bound)}"} ${total}`
  })
  const own = labels && `{${labels}}`
  return [...buckets, `${name}_sum${own} ${counts[bounds.length + 1] ?? 0}`, `${name}_count${own} ${total}`]
}

/** As both formats write them: `0.005`, `1.0`, `+Inf`. */
const boundOf = (bound: number): string =>
  bound === Number.POSITIVE_INFINITY ? '+Inf' : Number.isInteger(bound) ? `${bound}.0` : String(bound)
