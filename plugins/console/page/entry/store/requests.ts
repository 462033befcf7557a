import { withQuery } from '../../../../pages/values/query-text.js'
import type { Kinds } from '../../../model/form/kinds.js'
import { entryQuery, type Query, stateQuery } from '../../../model/form/query.js'
import type { TypeMeta } from '../../../model/meta.js'

/** The entry of a view: one with an id, the only one of its type in a language, or a new one. */
export interface EntryPlace {
  readonly id?: number
  /** Of a new entry, and of a single type. */
  readonly locale?: string | null
  /** The entry that a new one is another language of. */
  readonly of?: number
  readonly isTrashed?: boolean
}

/** The addresses that an entry is read from and written to. */
export class EntryRequests {
  readonly #path: string
  readonly #type: TypeMeta
  readonly #query: Query
  readonly #state: Query
  readonly #feed: string

  constructor(api: string, kinds: Kinds, type: TypeMeta) {
    this.#path = `${api}${type.path}`
    this.#type = type
    this.#query = entryQuery(kinds, type)
    this.#state = stateQuery(kinds, type)
    const drafts = kinds.hasDrafts ? { publicationState: 'preview' } : {}
    this.#feed = withQuery(`${api}/events`, { types: type.singular, ...drafts })
  }

  /** The entry with all that its form shows, or with what another query asks for. */
  entry(place: EntryPlace, query: Query = this.#query): string {
    return this.#address('', place, query)
  }

  /** The time of the last save, and the account that did it. */
  state(place: EntryPlace): string {
    return this.#address('', place, this.#state)
  }

  /** The live feed of entries of the type. */
  feed(): string {
    return this.#feed
  }

  action(name: 'publish' | 'unpublish' | 'restore', place: EntryPlace): string {
    return this.#address(`/actions/${name}`, place, this.#query)
  }

  /** The address that creates an entry. */
  create(): string {
    return withQuery(this.#path, this.#query)
  }

  /** The address that creates another language of an entry. */
  localization({ of }: EntryPlace): string {
    return `${this.#isSingle ? this.#path : `${this.#path}/${of}`}/localizations`
  }

  /** The versions of the entry, or one of them: `/3/changes`. */
  versions(place: EntryPlace, end = '', query: Query = {}): string {
    return this.#address(`/versions${end}`, place, { ...this.#drafts, ...query })
  }

  /** The response shows the entry, as that of a save does. */
  restore(place: EntryPlace, number: number): string {
    return this.#address(`/versions/${number}/actions/restore`, place, this.#query)
  }

  remove(place: EntryPlace): string {
    return this.#address('', place, this.#drafts)
  }

  uid(): string {
    return `${this.#path}/uid`
  }

  /** Says that drafts are meant as well: that of a single type has no id. */
  get #drafts(): Query {
    const { publicationState } = this.#query
    return publicationState === undefined ? {} : { publicationState }
  }

  get #isSingle(): boolean {
    return this.#type.kind === 'singleType'
  }

  #address(end: string, { id, locale, isTrashed }: EntryPlace, query: Query): string {
    const own = this.#isSingle ? '' : `/${id}`
    const isNamed = this.#isSingle && locale !== null && locale !== undefined
    return withQuery(`${this.#path}${own}${end}`, {
      ...{ ...query, ...(isNamed && { locale }), ...(isTrashed && { trash: 'only' }) },
    })
  }
}
