import { type BinaryLike, createHash } from 'node:crypto'

/**
 * Spellings that a database may take for the same account count as one: letter case, accents, blanks, invisible signs.
 * It is hashed, so that no list of who signed in is kept.
 */
export function accountOf(text: string, salt: BinaryLike): string {
  const folded = text
    .trim()
    .slice(0, 320)
    .normalize('NFKD')
    .replace(/[\p{M}\p{C}]/gu, '')
    .toLowerCase()
    .trim()
  return createHash('sha256').update(salt).update(folded).digest('base64url')
}
