/** A time with at most three decimals, which are what a write takes. */
export const shortTime = (value: unknown): string => String(value).slice(0, 12)

/** The same with exactly three. */
export const fullTime = (value: unknown): string =>
  shortTime(value).padEnd(12, String(value).includes('.') ? '0' : '.000')
