import type { Sql } from '../engines/words.js'
import type { Compare } from '../query/tree.js'

/** A value of a query text, where it is noted at which places it stands. */
export class Marked {
  readonly value: unknown
  readonly places: number[] = []

  constructor(value: unknown) {
    this.value = value
  }
}

/** A condition on a value that other queries have another of: it is noted how it was written. */
export function marked({ text, values }: Sql, compare: Compare, alias: string): Sql {
  const marks = values.map(value => new Marked(value))
  compare.slot?.written.push({ compare, alias, text, places: marks.map(({ places }) => places) })
  return { text, values: marks }
}
