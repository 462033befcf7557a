import { createHash, randomBytes } from 'node:crypto'

/** Spellings that a database may take for the same account count as one: letter case, accents, blanks, invisible signs. */
export function accountOf(text: string): string {
  const folded = text
    .trim()
    .slice(0, 320)
    .normalize('NFKD')
    .replace(/[\p{M}\p{C}]/gu, '')
    .toLowerCase()
    .trim()
  return createHash('sha256').update(salt).update(folded).digest('base64url')
}

// No list of who signed in lies in memory.
const salt = randomBytes(16)
