const day = 24 * 60 * 60 * 1000
const longest = 100 * 365 * day

/** The lifespans that the panel of Strapi 4 offers, by the words for them here. */
const words: ReadonlyMap<unknown, number | null> = new Map([
  ['7d', 7 * day],
  ['30d', 30 * day],
  ['90d', 90 * day],
  ['unlimited', null],
])

/** Lifespan of a key in milliseconds; null never expires, undefined is not a valid lifespan. */
export function readLifespan(value: unknown): number | null | undefined {
  if (value === null) return null
  if (words.has(value)) return words.get(value)
  const milliseconds = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
  return Number.isInteger(milliseconds) && (milliseconds as number) > 0 && (milliseconds as number) <= longest
    ? (milliseconds as number)
    : undefined
}

/** The moment at which a key that is made now stops to hold. */
export const expiryOf = (lifespan: number | null): string | null =>
  lifespan === null ? null : new Date(Date.now() + lifespan).toISOString()
