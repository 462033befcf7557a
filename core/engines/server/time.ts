/** A time with at most three decimals, as writes take it. */
export const shortTime = (value: unknown): string => String(value).slice(0, 12)

/** The same with exactly three. */
export const fullTime = (value: unknown): string =>
  shortTime(value).padEnd(12, String(value).includes('.') ? '0' : '.000')
