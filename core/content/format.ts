import type { Action, Entry } from '../query/ask.js'
import { isObject } from '../query/raw.js'
import type { PageRequest } from '../query/tree.js'
import type { JsonSchema } from '../schema/json-schema.js'
import type { ContentType, TypeOutline } from '../schema/types.js'

/** The part of a response beside its entries. */
export interface Meta {
  readonly pagination?: Readonly<Record<string, number | string | null>>
  readonly [key: string]: unknown
}

/** A form of responses. Entries are flat objects; those behind relations are `nested` ({ data: { id, attributes } }) or `plain`. */
export interface Format<Settings = unknown> {
  readonly entry: 'nested' | 'plain'
  readonly one: (entry: Entry | null, meta: Meta, about: FormatAbout) => unknown
  readonly many: (entries: Entry[], meta: Meta, about: FormatAbout) => unknown
  /** The media type of responses and errors in it, as it is sent; that of JSON otherwise. */
  readonly mediaType?: string
  /** Entries, populated ones too, have their id as a text under this name, unless their type has an attribute of it. */
  readonly idText?: string
  readonly error?: (error: Readonly<Record<string, unknown>>) => unknown
  /**
   * Requests in which a header has such a value are answered in it, whatever the settings say, but for types whose schema
   * names a format. Of several formats that want a request the first gets it, in the order of the plugins.
   */
  readonly wants?: HeaderTest
  /**
   * Responses that are in it where neither the schema of the type nor the request names a format, whatever `rest.format` says;
   * `unless` tells requests that get the usual form.
   */
  readonly serves?: {
    /** Asked while a query is planned. The action is `find`, `findOne`, `create`, `update` or `delete`. */
    test(type: TypeOutline, action: Action, settings: Settings): boolean
    readonly unless?: HeaderTest
  }
  /** The schemas of the results of these three, made of the schemas of their arguments. */
  readonly shape?: FormatShape
}

/** The form of one kind of response, which a plugin gives with its query. Those of one key are the same. */
export interface OwnShape extends Pick<Format, 'entry' | 'one' | 'many'> {
  readonly key: string
}

/** A header of requests, and the values of it that count. */
export interface HeaderTest {
  readonly header: string
  readonly test: (value: string) => boolean
}

/** The facts that a format knows beside the entries: as responses are cached, neither the caller nor the time. */
export interface FormatAbout {
  /**
   * The type of an entry, wherever in the response it stands: its `links` are the relations, components and files, its `fields`
   * all other attributes. Undefined for an object that is no entry.
   */
  readonly typeOf: (entry: unknown) => ContentType | undefined
  /** The address of a list and those of the pages beside it, relative to where it was asked for: `?pagination[page]=2`. */
  readonly pages: PageLinks
}

export interface PageLinks {
  readonly self?: string
  readonly first?: string
  readonly previous?: string
  readonly next?: string
  /** The last page; where the total is known. */
  readonly last?: string
}

/** JSON schemas of responses, made of the schema of an entry, of `meta`, or of the object that tells of an error. */
export interface FormatShape {
  readonly one: (entry: JsonSchema) => JsonSchema
  readonly many: (entry: JsonSchema, meta: JsonSchema) => JsonSchema
  readonly error?: (error: JsonSchema) => JsonSchema
}

const anyObject = { type: 'object' }
const object = (properties: Readonly<Record<string, JsonSchema>>) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
})

/** Responses where no format is chosen. */
export const usualShape: Required<FormatShape> = {
  one: entry => object({ data: entry, meta: anyObject }),
  many: (entry, meta) => object({ data: { type: 'array', items: entry }, meta }),
  error: error => object({ data: { type: 'null' }, error }),
}

/** A list whose pages are named. */
export interface PagedList {
  /** The text behind the question mark with which it was asked for. */
  readonly text: string
  readonly page: PageRequest
  readonly pagination: Meta['pagination']
  /** The number of its entries. */
  readonly count: number
}

/**
 * Addresses of a list and of the pages beside it, relative to the path: a response is cached for all paths and hosts under which
 * it is asked for. Without a total there is a next page where this one is full.
 */
export function pageLinks({ text, page, pagination = {}, count }: PagedList): PageLinks {
  const at = (words: Readonly<Record<string, number | string>>) => addressWith(text, words)
  const self = `?${text}`
  const { next, previous, total } = pagination
  if (page.form === 'cursor')
    return {
      ...{ self, first: at({ after: '' }) },
      ...(typeof previous === 'string' && { previous: at({ before: previous }) }),
      ...(typeof next === 'string' && { next: at({ after: next }) }),
    }
  const { start, limit } = page
  if (limit === null) return { self }
  const to = (from: number) => at(page.form === 'page' ? { page: Math.floor(from / limit) + 1 } : { start: from })
  const isKnown = typeof total === 'number'
  const hasNext = isKnown ? start + limit < total : count === limit
  return {
    ...{ self, first: to(0) },
    ...(start > 0 && { previous: to(Math.max(0, start - limit)) }),
    ...(hasNext && { next: to(start + limit) }),
    ...(isKnown && { last: to(lastStart(start, limit, total)) }),
  }
}

/** Pages of an offset begin where this one does, a whole number of pages away. */
const lastStart = (start: number, limit: number, total: number): number =>
  total === 0 ? 0 : (start % limit) + Math.max(0, Math.ceil((total - (start % limit)) / limit) - 1) * limit

const placing = ['page', 'start', 'after', 'before']

/** The query with another page: all else stays as it was sent. */
function addressWith(text: string, words: Readonly<Record<string, number | string>>): string {
  const kept = text.split('&').flatMap(pair => keptOf(pair))
  const added = Object.entries(words).map(([name, value]) => `pagination[${name}]=${encodeURIComponent(value)}`)
  return `?${[...kept, ...added].join('&')}`
}

/** A part of the query without the place of the page, which may be in JSON. */
function keptOf(pair: string): string[] {
  const end = pair.indexOf('=')
  const name = decoded(end < 0 ? pair : pair.slice(0, end))
  if (pair === '' || placing.some(word => name === `pagination[${word}]` || name === `pagination.${word}`)) return []
  const json = name === 'pagination' ? parsed(decoded(pair.slice(end + 1))) : undefined
  if (!isObject(json)) return [pair]
  return Object.entries(json)
    .filter(([key]) => !placing.includes(key))
    .map(([key, value]) => `pagination[${key}]=${encodeURIComponent(String(value))}`)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
