import type { SearchTerm } from '../query/search/terms.js'
import type { SearchIndex } from '../schema/types.js'
import type { Session } from './session.js'
import type { Sql } from './words.js'

/**
 * Indexes of the words of texts. Each is a table of its own beside that of a type, which triggers keep, so that writes of
 * other programs are in it at once. It holds nothing that the table of the type does not hold.
 */
export interface TextSearch {
  /** Changes when the same texts would be indexed in another way, so that indexes of before are built again. */
  readonly version: number
  /** The reason that no index can be made in this database, and the remedy. */
  obstacle?(session: Session): Promise<string | undefined>
  /** Makes an empty index and its triggers. */
  create(index: SearchIndex): readonly string[]
  /** Adds the entries that were there before, and the parts that are faster to make after them. */
  fill(index: SearchIndex): readonly string[]
  /** Removes an index and its triggers, as far as they are there. */
  drop(name: string): readonly string[]
  /** A query for the names of all indexes, each with the table on which it has all its triggers: null where it has not. */
  readonly found: string
  /**
   * Every statement on the table of a type reaches the index, so that matches can be counted there alone. Where one can pass
   * triggers by, an index may have entries that the table has no more.
   */
  readonly followsAll: boolean
  /** A page by rank counts its list while it is sorted: to find all of it again takes as long as the page. */
  readonly countsWithPage: boolean
  /** The `id` of the entries that match. */
  ids(index: SearchIndex, terms: readonly SearchTerm[]): Sql
  /** The same with `id` and `score`: the larger the better. */
  scores(index: SearchIndex, terms: readonly SearchTerm[]): Sql
}

export const triggerEvents = ['insert', 'update', 'delete'] as const
