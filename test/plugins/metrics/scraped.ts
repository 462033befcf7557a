import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'

export interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

export interface MetricsPage {
  readonly samples: readonly Sample[]
  readonly types: ReadonlyMap<string, string>
  readonly units: ReadonlyMap<string, string>
}

const sampleLine = /^([a-z_:][a-z\d_:]*)(?:\{(.*)\})? (-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/
const label = /([a-z_][a-z\d_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/gy

/** Reads a page as a scraper does; anything outside the format fails. */
export function scraped(text: string, isOpenMetrics = false): MetricsPage {
  assert.ok(text.endsWith('\n'))
  const lines = text.slice(0, -1).split('\n')
  if (isOpenMetrics) assert.equal(lines.pop(), '# EOF')
  const samples: Sample[] = []
  const types = new Map<string, string>()
  const units = new Map<string, string>()
  for (const line of lines) {
    const [, what, name = '', rest = ''] = /^# (HELP|TYPE|UNIT) (\S+) (.+)$/.exec(line) ?? []
    if (what === 'TYPE') {
      assert.ok(!types.has(name), `${name} is declared twice`)
      types.set(name, rest)
    } else if (what === 'UNIT') units.set(name, rest)
    else if (what === undefined) samples.push(sampleOf(line))
  }
  const seen = new Set<string>()
  for (const { name, labels } of samples) {
    const key = `${name} ${JSON.stringify(labels)}`
    assert.ok(!seen.has(key), `${key} is there twice`)
    seen.add(key)
    const family = familyOf(name, types, isOpenMetrics)
    assert.ok(family !== undefined, `${name} is declared`)
  }
  checkHistograms({ samples, types, units })
  return { samples, types, units }
}

function sampleOf(line: string): Sample {
  const [, name, inside = '', value] = sampleLine.exec(line) ?? []
  assert.ok(name !== undefined && value !== undefined, `no sample: ${line}`)
  const labels: Record<string, string> = {}
  label.lastIndex = 0
  while (label.lastIndex < inside.length) {
    const found = label.exec(inside)
    assert.ok(found, `no labels: ${line}`)
    labels[found[1] as string] = found[2] as string
  }
  return { name, labels, value: Number(value) }
}

function familyOf(name: string, types: ReadonlyMap<string, string>, isOpenMetrics: boolean): string | undefined {
  const plain = types.get(name)
  if (plain !== undefined && !(isOpenMetrics && plain === 'counter')) return name
  const [, base = '', ending = ''] = /^(.*)_(bucket|sum|count|total)$/.exec(name) ?? []
  const type = types.get(base)
  const fits = ending === 'total' ? type === 'counter' : type === 'histogram'
  return fits ? base : undefined
}

function checkHistograms({ samples, types }: MetricsPage): void {
  for (const [name, type] of types) {
    if (type !== 'histogram') continue
    const counts = samples.filter(sample => sample.name === `${name}_count`)
    assert.ok(counts.length > 0, name)
    for (const { labels, value } of counts) {
      // A series may lack a label that another one has.
      const isOwn = ({ le: _, ...others }: Sample['labels']) => isDeepStrictEqual(others, labels)
      const buckets = samples.filter(sample => sample.name === `${name}_bucket` && isOwn(sample.labels))
      const values = buckets.map(bucket => bucket.value)
      assert.deepEqual(
        values,
        values.toSorted((a, b) => a - b),
        `${name}: buckets add up`,
      )
      assert.deepEqual([buckets.at(-1)?.labels.le, buckets.at(-1)?.value], ['+Inf', value])
    }
  }
}

/** The sum of all samples of a name with these labels. */
export const totalOf = (
  { samples }: MetricsPage,
  name: string,
  matches: Readonly<Record<string, string | RegExp>> = {},
): number => {
  const fits = (sample: Sample) =>
    sample.name === name &&
    Object.entries(matches).every(([key, wanted]) =>
      typeof wanted === 'string' ? sample.labels[key] === wanted : wanted.test(sample.labels[key] ?? ''),
    )
  return samples.filter(fits).reduce((sum, { value }) => sum + value, 0)
}
