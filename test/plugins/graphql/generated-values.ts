import type { numbers } from '../../support/numbers.js'

/** Draws that are the same for each seed every time. */
export class Draws {
  readonly below: ReturnType<typeof numbers>

  constructor(below: ReturnType<typeof numbers>) {
    this.below = below
  }

  chance(percent: number): boolean {
    return this.below(100) < percent
  }

  one<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T
  }

  /** So many of a list, in an order of their own. */
  some<T>(list: readonly T[], count: number): T[] {
    const left = [...list]
    return Array.from({ length: Math.min(count, list.length) }, () => left.splice(this.below(left.length), 1)[0] as T)
  }
}

/** A value of a document: a literal, or one that stands in a variable. */
export type Argument =
  | string
  | number
  | boolean
  | null
  | EnumMember
  | readonly Argument[]
  | { readonly [name: string]: Argument }

/** A value that is written without quotes. */
export class EnumMember {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

/** The value as it is in JSON. */
export function plainValue(value: Argument): unknown {
  if (value instanceof EnumMember) return value.name
  if (Array.isArray(value)) return value.map(plainValue)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, plainValue(inner)]))
}
