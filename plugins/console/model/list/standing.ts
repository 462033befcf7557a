import { isRecord } from '../form/plain.js'
import { entriesAt, flat } from '../form/read.js'
import { listIn } from './page.js'

/** A change of entries: the attributes, and the query that it is sent with. */
export interface EntryChange {
  readonly data: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  /** Files that join lists, by attribute: a list of files can only be sent whole. */
  readonly added: Readonly<Record<string, readonly number[]>>
  /** The other languages of an entry may change with it. */
  readonly isShared: boolean
}

/** An entry right before it is changed together with others. */
export interface Standing {
  readonly updatedAt: string | undefined
  readonly languages: readonly number[]
  /** The files in lists that others join, by attribute. */
  readonly files: Readonly<Record<string, readonly number[]>>
}

const idsAt = (value: unknown): readonly number[] => entriesAt(value).map(({ id }) => Number(id))

/** The entries of a response, by their ids. */
export function standingsIn(body: unknown, names: readonly string[]): ReadonlyMap<number, Standing> {
  const all = listIn(body)
    .filter(isRecord)
    .map(flat)
    .map(({ id, updatedAt, localizations, ...links }): [number, Standing] => [
      Number(id),
      {
        updatedAt: typeof updatedAt === 'string' ? updatedAt : undefined,
        languages: idsAt(localizations),
        files: Object.fromEntries(names.map(name => [name, idsAt(links[name])])),
      },
    ])
  return new Map(all)
}

/** The write of one entry, and the `updatedAt` that it must have. */
export interface EntryWrite {
  readonly data: Readonly<Record<string, unknown>>
  readonly ifMatch?: string
}

/** The writes of a change: none for an entry that others have changed since it was shown. */
export class ChangeWrites {
  readonly #change: EntryChange
  readonly #shown: ReadonlyMap<number, string>
  /** Entries that have changed with another language of theirs. */
  readonly #own = new Set<number>()

  constructor(change: EntryChange, shown: ReadonlyMap<number, string>) {
    this.#change = change
    this.#shown = shown
  }

  of(id: number, { updatedAt, languages, files }: Standing): EntryWrite | undefined {
    const { data, added, isShared } = this.#change
    const isOwn = this.#own.has(id)
    const shown = this.#shown.get(id)
    if (!isOwn && shown !== undefined && updatedAt !== undefined && shown !== updatedAt) return undefined
    if (isShared) for (const language of languages) this.#own.add(language)
    const lists = Object.entries(added).map(([name, ids]) => [name, [...new Set([...(files[name] ?? []), ...ids])]])
    return {
      data: { ...data, ...Object.fromEntries(lists) },
      ...(!isOwn && updatedAt !== undefined && { ifMatch: updatedAt }),
    }
  }
}
