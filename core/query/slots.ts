import { isJson, isObject } from './raw.js'
import type { Condition, PageRequest, Slot } from './tree.js'

/** A query text, taken apart where its value may differ from query to query without another plan being meant. */
export interface Parts {
  /** The text without those values: the same in all queries of one shape. */
  readonly key: string
  /** The names of those values, as the parts of a name with dots between them. */
  readonly names: readonly string[]
  readonly values: readonly string[]
}

/** The values of conditions and which page it is; undefined if there are none, or one of them is not plain text. */
export function partsOf(text: string): Parts | undefined {
  let key = ''
  const names: string[] = []
  const values: string[] = []
  for (const pair of text.split('&')) {
    const end = pair.indexOf('=')
    const name = end < 0 ? undefined : nameOfValue(pair.slice(0, end))
    if (name === undefined) key += `${pair}&`
    else {
      const value = decoded(pair.slice(end + 1))
      // A value that looks like part of a name or like JSON can be read in more ways than one.
      if (value === undefined || value.includes('=') || isJson(value)) return undefined
      key += `${pair.slice(0, end)}=&`
      names.push(name)
      values.push(value)
    }
  }
  return names.length > 0 ? { key, names, values } : undefined
}

const knownNames = new Map<string, string | undefined>()
const mostNames = 5000
const longestName = 200

function nameOfValue(text: string): string | undefined {
  if (knownNames.has(text)) return knownNames.get(text)
  const name = text.length > longestName ? undefined : decoded(text)
  const isOfValue = name !== undefined && /^(?:filters(?:\[[\w$-]+\])+|pagination\[(?:page|start)\])$/.test(name)
  const isShaping = name === undefined || /\[\$(?:null|notNull)\]$|__proto__/.test(name)
  const found = isOfValue && !isShaping ? name.replaceAll('[', '.').replaceAll(']', '') : undefined
  if (knownNames.size < mostNames && text.length <= longestName) knownNames.set(text, found)
  return found
}

/** The text as the parser decodes it; undefined if it cannot be decoded. */
function decoded(text: string): string | undefined {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text
  if (!spaced.includes('%')) return spaced
  try {
    return decodeURIComponent(spaced)
  } catch {
    return undefined
  }
}

/** The slots of a query text, in the order of its values. */
export interface QuerySlots {
  readonly slots: readonly (Slot | undefined)[]
  /** Reads the page of a query of this shape. */
  readonly page?: ((values: readonly string[]) => PageRequest) | undefined
}

/**
 * Notes, while a query is read, the use of its values: others of its shape then need not be read as a whole. That is so only if
 * every hook that is shown the query has declared that it reads no value.
 */
export class Slots {
  readonly #noted: Slot[] = []
  #page: { readonly raw: unknown; readonly read: (raw: unknown) => PageRequest } | undefined
  #areRead = false

  /** A condition on one value; `read` makes it of another one, with the same checks. */
  note(condition: Condition, { raw, path }: SourceValue, read: Slot['read']): Condition {
    if (condition.kind !== 'compare' || condition.values.length !== 1 || typeof raw !== 'string') return condition
    const slot: Slot = { name: path.join('.'), raw, read, written: [] }
    this.#noted.push(slot)
    return { ...condition, slot }
  }

  /** A hook that may read values is shown the query: it may make another query of each. */
  noteReader(): void {
    this.#areRead = true
  }

  notePage(raw: unknown, read: (raw: unknown) => PageRequest): void {
    this.#page = { raw, read }
  }

  /** The slots of the values of a text; undefined if one of them may have been read in another way. */
  of({ names, values }: Parts): QuerySlots | undefined {
    if (this.#areRead || !areDifferent(names) || !areDifferent(values)) return undefined
    const paging = names.find(name => name.startsWith('pagination.'))
    const page =
      paging === undefined ? undefined : this.#pageBy(paging.slice('pagination.'.length), names.indexOf(paging))
    if (paging !== undefined && page?.raw !== values[names.indexOf(paging)]) return undefined
    const slots = names.map(name => this.#noted.filter(slot => slot.name === name))
    for (const [index, found] of slots.entries()) {
      const [slot, ...others] = found
      if (names[index] === paging) continue
      if (!slot || others.length > 0 || slot.raw !== values[index]) return undefined
    }
    return { slots: slots.map(([slot]) => slot), page: page?.read }
  }

  #pageBy(key: string, index: number) {
    const { raw, read } = this.#page ?? {}
    if (!read || !isObject(raw)) return undefined
    return { raw: raw[key], read: (values: readonly string[]) => read({ ...raw, [key]: values[index] }) }
  }
}

/** True if no two texts are equal: values are told apart by their text, so two equal ones could have changed places. */
export const areDifferent = (texts: readonly string[]): boolean => new Set(texts).size === texts.length

/** A value and its path in the query. */
interface SourceValue {
  readonly raw: unknown
  readonly path: readonly string[]
}
