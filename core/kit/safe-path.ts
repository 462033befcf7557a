const longest = 200

/**
 * A path that may stand in a log: parts that could be a token, a code or a key are replaced by `***`. A secret that is in a path
 * by mistake, or in a link that was mailed, would otherwise be read by everyone who reads the log.
 */
export const safePath = (path: string): string =>
  path
    .slice(0, longest)
    .split('/')
    .map(part => (isSecretive(part) ? '***' : part))
    .join('/')

/** Words, slugs, ids, UUIDs and versions are none: a secret is long, and has letters and digits without a break. */
function isSecretive(part: string): boolean {
  if (part.length < 16) return false
  if (part.startsWith('eyJ')) return true
  if (/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(part)) return false
  const runs = part.match(/[A-Za-z\d]{12,}/g) ?? []
  if (runs.some(run => /\d/.test(run) && /[A-Za-z]/.test(run))) return true
  return part.length >= 24 && /[a-z]/.test(part) && /[A-Z]/.test(part) && /\d/.test(part)
}
