/** Words of Strapi 5 that this app has an equivalent for. */
export interface Words {
  /** No type has an attribute of this name. */
  readonly documentId: boolean
  /** Types have drafts: `status` chooses them. */
  readonly state: boolean
  /** Types have locales: `*` stands for all of them. */
  readonly locale: boolean
}

/** Parameters that name attributes in their values. */
const naming = /^(?:populate\[.*\]\[)?(?:fields|sort)\]?(?:\[\d*\])?$/

/**
 * The same query in the words of this API. Pairs without an equivalent stay as they were sent, so that messages name the
 * client's words.
 */
export function inOwnWords(query: string, words: Words): string {
  return query
    .split('&')
    .map(pair => translated(pair, words))
    .filter(pair => pair !== undefined)
    .join('&')
}

function translated(pair: string, words: Words): string | undefined {
  const at = pair.indexOf('=')
  const name = decoded(at < 0 ? pair : pair.slice(0, at))
  const value = decoded(at < 0 ? '' : pair.slice(at + 1))
  if (name === undefined || value === undefined) return pair
  if (words.state && name === 'status' && value === 'draft') return 'publicationState=preview'
  if (words.state && name === 'status' && value === 'published') return undefined
  if (words.locale && name === 'locale' && value === '*') return 'locale=all'
  if (!words.documentId || !pair.includes('documentId')) return pair
  const ownName = name.replaceAll('[documentId]', '[id]')
  const ownValue = naming.test(name) ? value.replace(/(^|[,.])documentId(?=$|[,:])/g, '$1id') : value
  return `${encodeURIComponent(ownName)}=${encodeURIComponent(ownValue)}`
}

/** Undefined if the text is not encoded properly, which is refused elsewhere. */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}
