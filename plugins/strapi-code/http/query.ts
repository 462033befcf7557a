import qs from 'qs'
import { queryText } from '../../../core/plugin-kit.js'
import type { Bag } from '../types.js'

/** A query as the code of a project has it: nested, and one object for the whole request, which it may change. */
export class CodeQuery {
  #text: string | undefined
  #value: Bag = {}

  /** The object of a query string; the same one as long as the string stays. */
  of(text: string): Bag {
    if (this.#text !== text) {
      this.#value = parse(text)
      this.#text = text
    }
    return this.#value
  }

  /** The next reading parses anew. */
  forget(): void {
    this.#text = undefined
  }

  /** The text that asks what the code asks by now: the one that was sent, unless the code has looked at the object. */
  asText(text: string): string {
    return this.#text === text ? queryText(this.#value) : text
  }
}

const parse = (text: string): Bag =>
  text === '' ? {} : (qs.parse(text, { strictNullHandling: true, arrayLimit: 100, depth: 20 }) as Bag)

export const written = (query: unknown): string => qs.stringify(query)
