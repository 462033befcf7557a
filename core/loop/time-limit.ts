/**
 * A signal that aborts after so many milliseconds, or when another one does. On Node.js 20 the signal that joins two of them does
 * not keep them: a collection of garbage took the limit away, and a request that was not answered waited for ever.
 */
export function timeLimit(milliseconds: number, signal?: AbortSignal): AbortSignal {
  const limit = AbortSignal.timeout(milliseconds)
  if (!signal) return limit
  // A limit that something listens to is kept until its time has come.
  limit.addEventListener('abort', () => undefined, { once: true })
  return AbortSignal.any([signal, limit])
}
