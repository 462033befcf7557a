import type { Session } from '../engines/engine.js'
import type { Caller, Entry, Write } from '../query/ask.js'
import type { Filters } from '../query/filters.js'
import type { ContentType } from '../schema/types.js'
import type { PlainContent } from './plain.js'

/** Entries of one type for code: plain objects, all permissions, every hook of the type. */
export interface Entries {
  find(query?: EntryQuery): Promise<Entry[]>
  /** The first entry that meets the filters. */
  first(query?: EntryQuery): Promise<Entry | undefined>
  count(where?: Filters): Promise<number>
  /** Writes what requests may not, too (`writable: false`), but for the id, the times and the creators of an entry. */
  create(data: Readonly<Record<string, unknown>>, caller?: Caller): Promise<Entry>
  update(id: number, data: Readonly<Record<string, unknown>>, caller?: Caller): Promise<Entry>
  delete(id: number, caller?: Caller): Promise<Entry>
  /** Throws the refusal of a write that left out what the stored entry lacks: required values and least lengths. */
  check(id: number): Promise<void>
  /**
   * What of an entry can be written again, as the `data` of a write: columns, hidden ones too, components as new ones,
   * relations as ids. Secrets are left out. The named attributes, or all; undefined where there is no such entry.
   */
  copy(id: number, names?: readonly string[]): Promise<Record<string, unknown> | undefined>
}

/** What to find: filters with values in place of text, and the API's own sort, fields and populate. */
export interface EntryQuery {
  readonly where?: Filters
  readonly sort?: string | readonly string[]
  readonly populate?: unknown
  /** The columns to read; hidden ones only when they are named here. */
  readonly fields?: readonly string[]
  readonly start?: number
  readonly limit?: number
  /** Values of plugins' parameters. */
  readonly params?: Readonly<Record<string, unknown>>
}

/** The caller of code: may do everything. Its `can` is how writes of code are known, as no request has it. */
export const systemCaller: Caller = { scope: 'system', can: () => true }

/** With a session, everything happens inside its transaction; without one, every write is a transaction of its own. */
export function entriesOf(type: ContentType, content: PlainContent, session?: Session): Entries {
  const write = (write: Write, caller: Caller = systemCaller) => content.write(type, write, caller, session)
  return {
    find: query => content.find(type, query ?? {}, session),
    first: async query => (await content.find(type, { ...query, limit: 1 }, session))[0],
    count: where => content.count(type, where ?? {}, session),
    create: (data, caller) => write({ action: 'create', data }, caller),
    update: (id, data, caller) => write({ action: 'update', data, id }, caller),
    delete: (id, caller) => write({ action: 'delete', data: {}, id }, caller),
    check: id => content.check(type, id, session),
    copy: (id, names) => content.copy(type, id, names, session),
  }
}

/** Entries of a type whose table is made with the first write: there are none, and a write makes sure of the table. */
export function noEntriesYet(type: ContentType, content: PlainContent): Entries {
  return { ...entriesOf(type, content), find: async () => [], first: async () => undefined, count: async () => 0 }
}
