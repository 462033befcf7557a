import type { Engine } from './engine.js'
import type { Session } from './session.js'
import type { Collation, Words } from './words.js'

/** A language as BCP 47 writes it, as far as databases know it: `de`, `de-AT`, `sr-Latn`. Such a tag may stand in a statement. */
const form = /^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|\d{3}))?$/

/** The tags that were checked: schema files and plugins name few, and each new query asks. */
const known = new Map<string, boolean>()

/** It is a language, and one whose order is known here. */
export function isLanguage(tag: string): boolean {
  const found = known.get(tag) ?? (form.test(tag) && Intl.Collator.supportedLocalesOf(tag).length > 0)
  known.set(tag, found)
  return found
}

/** The names under which a database knows the orders of languages, told by their tags. */
export type Collations = (tag: string) => string | undefined

/** A database that has a collation for each language, of which it is asked once. */
interface CollationSource {
  readonly words: Omit<Words, 'collation'>
  readonly collationsOf: (session: Session) => Promise<Collations>
  readonly sortedBy: (name: string) => Collation
  readonly borrow: <T>(work: (session: Session) => Promise<T>) => Promise<T>
}

export function languagesOf({
  words,
  collationsOf,
  sortedBy,
  borrow,
}: CollationSource): Pick<Engine, 'words' | 'languages'> {
  let collations: Collations = () => undefined
  const made = new Map<string, Collation | undefined>()
  const make = (tag: string): Collation | undefined => {
    const name = isLanguage(tag) ? (collations(tag) ?? collations(new Intl.Locale(tag).language)) : undefined
    return name === undefined ? undefined : sortedBy(name)
  }
  const collation = (tag: string) => {
    if (!made.has(tag)) made.set(tag, make(tag))
    return made.get(tag)
  }
  return {
    words: { ...words, collation },
    async languages() {
      collations = await borrow(collationsOf)
      made.clear()
      return tag => collation(tag) !== undefined
    },
  }
}
