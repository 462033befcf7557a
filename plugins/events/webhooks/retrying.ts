/** Seconds that receivers may ask for at most. */
const longest = 86_400

/**
 * Milliseconds until the next attempt, after so many; undefined if there is none. The times vary, so that deliveries that
 * failed together are not sent together again.
 */
export function waitAfter(tries: number, waits: readonly number[], asked = 0): number | undefined {
  const wait = waits[tries - 1]
  if (wait === undefined) return undefined
  return Math.round(1000 * Math.max(wait * (0.9 + Math.random() * 0.2), Math.min(asked / 1000, longest)))
}
