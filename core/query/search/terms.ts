import { InvalidParameter } from '../../errors.js'
import { withoutEnd } from '../../kit/without-end.js'

/** One thing that a search asks for: a word, several in a row, or the beginning of one. */
export interface SearchTerm {
  /** The term as it was sent. */
  readonly text: string
  /** Letters, digits and their marks; engines fold their case and accents as they do in the texts. */
  readonly words: readonly string[]
  readonly isPrefix: boolean
  /** Entries that have it are left out. */
  readonly isExcluded: boolean
}

/** Engines leave longer words out of their indexes. */
export const longestWord = 80

/** Reads the terms of a search: `bread "slow rise" sour* -rye`. */
export function readSearchTerms(text: string, path: readonly string[]): readonly SearchTerm[] {
  const terms: SearchTerm[] = []
  for (const [, minus, quoted, open, plain = ''] of text.matchAll(parts)) {
    if (open !== undefined)
      throw new InvalidParameter(path, `the quotation mark before ${JSON.stringify(open)} is not closed`)
    terms.push(...termsOf(quoted ?? plain, quoted !== undefined, minus !== undefined, path))
  }
  if (terms.every(({ isExcluded }) => isExcluded))
    throw new InvalidParameter(
      path,
      'has no word to look for; it takes words, "several words", the beginn* of a word, and -words that entries must not have',
    )
  return terms
}

/** A sign that excludes, then a text in quotation marks, one without the second of them, or all characters up to the next space. */
const parts = /(?:^|(?<=\s))(-)?(?:"([^"]*)"(?=\s|$)|"([^"]*)$|(\S+))/g

function termsOf(text: string, isQuoted: boolean, isExcluded: boolean, path: readonly string[]): SearchTerm[] {
  const words = wordsOf(text)
  const long = words.find(word => word.length > longestWord)
  if (long !== undefined)
    throw new InvalidParameter(
      path,
      `the word ${JSON.stringify(long.slice(0, 20))}... has more than ${longestWord} characters`,
    )
  const last = words.at(-1)
  if (last === undefined) return []
  const isPrefix = !isQuoted && text.endsWith('*')
  const sent = isPrefix ? withoutEnd(text, '*') : text
  if (!isPrefix || words.length === 1) return [{ text: sent, words, isPrefix, isExcluded }]
  if (isExcluded)
    throw new InvalidParameter(
      path,
      `${JSON.stringify(`-${text}`)} is several words; only one word can be left out by its beginning`,
    )
  // Not every engine finds the beginning of a word beside another word.
  return words.map(word => ({ text: word, words: [word], isPrefix: word === last, isExcluded }))
}

/** Letters and digits, with the marks that belong to them. */
export const wordsIn = (text: string): Iterable<RegExpMatchArray & { readonly index: number }> => text.matchAll(word)

const wordsOf = (text: string): readonly string[] => text.match(word) ?? []
const word = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu

/** Words are the same whatever their letter case and accents. */
export const folded = (word: string): string =>
  word
    .normalize('NFD')
    .replace(/[\u0300-\u036f]+/g, '')
    .normalize('NFC')
    .toLowerCase()
    .replaceAll('ς', 'σ')
