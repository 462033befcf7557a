import type { ContentType, Registry } from '../../core/index.js'

/** `article-list` as it begins the name of a schema: `ArticleList`. */
export const pascal = (words: string): string =>
  words
    .split(/[^A-Za-z0-9]+/)
    .filter(word => word !== '')
    .map(word => word[0]?.toUpperCase() + word.slice(1))
    .join('')

/** Unique names of schemas: a later schema of the same name gets a number. */
export class Names {
  readonly #taken: Set<string>

  constructor(taken: Iterable<string> = []) {
    this.#taken = new Set(taken)
  }

  claim(wish: string): string {
    let name = wish
    for (let number = 2; this.#taken.has(name); number += 1) name = `${wish}${number}`
    this.#taken.add(name)
    return name
  }
}

/** Prefixes of the schema names of each type: `Article`, `UploadFile`, `SharedSeo`. */
export function typeNames({ types }: Registry): ReadonlyMap<string, string> {
  const names = new Names()
  // Types of the app come first: theirs are the short names.
  const ordered = [...types.values()].sort((a, b) => Number(b.routed) - Number(a.routed))
  return new Map(ordered.map(type => [type.uid, names.claim(baseOf(type) || 'Type')]))
}

function baseOf({ uid, routed, singularName }: ContentType): string {
  if (routed) return pascal(singularName)
  return pascal(uid.replace(/^(plugin|api)::/, ''))
}
