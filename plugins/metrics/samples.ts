import { type Counter, type Family, families, type Gauge, type Histogram, type Name } from './families.js'

type Labels = Readonly<Record<string, string | number>>

/** The samples of one process: names with their labels, as they stand on the page. */
export interface Note {
  readonly at: number
  readonly histograms: Readonly<Record<string, readonly number[]>>
  readonly counters: Readonly<Record<string, number>>
  readonly gauges: Readonly<Record<string, number>>
}

/** A histogram: the count of each bucket, the count above the last bound, and the sum of all values. */
export class Distribution {
  readonly #bounds: readonly number[]
  readonly counts: Float64Array

  constructor(bounds: readonly number[], from: readonly number[] = []) {
    this.#bounds = bounds
    this.counts = new Float64Array(bounds.length + 2)
    this.counts.set(from.slice(0, this.counts.length))
  }

  add(value: number): void {
    const bounds = this.#bounds
    const { length } = bounds
    let bucket = 0
    while (bucket < length && value > (bounds[bucket] as number)) bucket += 1
    const { counts } = this
    counts[bucket] = (counts[bucket] as number) + 1
    counts[length + 1] = (counts[length + 1] as number) + value
  }
}

/** A name with its labels: `stele_replicas{state="used"}`. */
export function sampleName(name: Name, labels: Labels = {}): string {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}="${escaped(String(value))}"`)
  return pairs.length > 0 ? `${name}{${pairs.join(',')}}` : name
}

const escaped = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')

/** The samples of a process. They continue those of its ended predecessor with the same number, so counters never fall. */
export class Samples {
  readonly #former: Note | undefined
  readonly #histograms = new Map<string, Distribution>()
  readonly #counters = new Map<string, number>()
  readonly #gauges = new Map<string, number>()

  constructor(former: Note | undefined) {
    this.#former = former
    for (const [sample, from] of Object.entries(former?.histograms ?? {})) {
      const { buckets } = families[nameOf(sample)] as Family
      if (buckets) this.#histograms.set(sample, new Distribution(buckets, from))
    }
    for (const [sample, from] of Object.entries(former?.counters ?? {})) this.#counters.set(sample, from)
  }

  histogram(name: Histogram, labels?: Labels): Distribution {
    const sample = sampleName(name, labels)
    const found = this.#histograms.get(sample) ?? new Distribution(families[name].buckets)
    this.#histograms.set(sample, found)
    return found
  }

  /** The same, where clients choose the labels: those of the first `most` are shown, and all others count under `other`. */
  histogramOf(name: Histogram, labels: Labels, { most, other }: { readonly most: number; readonly other: Labels }) {
    const sample = sampleName(name, labels)
    const known = [...this.#histograms.keys()].filter(key => nameOf(key) === name)
    return this.histogram(name, known.includes(sample) || known.length < most ? labels : other)
  }

  count(name: Counter, labels?: Labels, by = 1): void {
    const sample = sampleName(name, labels)
    this.#counters.set(sample, (this.#counters.get(sample) ?? 0) + by)
  }

  /** Sets a counter that something else counts since this process began. */
  counted(name: Counter, value: number): void {
    this.#counters.set(name, (this.#former?.counters[name] ?? 0) + value)
  }

  set(name: Gauge, value: number, labels?: Labels): void {
    this.#gauges.set(sampleName(name, labels), value)
  }

  note(): Note {
    return {
      at: Date.now(),
      histograms: Object.fromEntries([...this.#histograms].map(([sample, { counts }]) => [sample, [...counts]])),
      counters: Object.fromEntries(this.#counters),
      gauges: Object.fromEntries(this.#gauges),
    }
  }
}

export const nameOf = (sample: string): Name => sample.split('{', 1)[0] as Name

/** Milliseconds after which the reported state of a process is outdated. */
const current = 5000

/** Combines the notes of several processes: counts add up, also those of a process that has ended; its state does not. */
export function together(notes: readonly Note[]): Note {
  const at = Math.max(...notes.map(note => note.at))
  const histograms: Record<string, number[]> = {}
  const counters: Record<string, number> = {}
  const gauges: Record<string, number> = {}
  for (const note of notes) {
    for (const [sample, counts] of Object.entries(note.histograms))
      histograms[sample] = counts.map((count, index) => count + (histograms[sample]?.[index] ?? 0))
    for (const [sample, value] of Object.entries(note.counters)) counters[sample] = value + (counters[sample] ?? 0)
    if (at - note.at > current) continue
    for (const [sample, value] of Object.entries(note.gauges)) {
      const former = gauges[sample]
      const how = (families[nameOf(sample)] as Family).together
      if (former === undefined) gauges[sample] = value
      else gauges[sample] = how === undefined ? former + value : Math[how](former, value)
    }
  }
  return { at, histograms, counters, gauges }
}
