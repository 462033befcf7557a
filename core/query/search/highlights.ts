import { TimeSlice } from '../../loop/time-slice.js'
import type { Entry } from '../ask.js'
import type { Marks } from './highlight.js'

/** Entries, and the parts beside them in the response. */
interface MarkedResult {
  readonly entries: Entry[]
  readonly meta: object
}

/**
 * Puts the marked texts of entries under `search.highlights` of the meta. They are made of the entries as hooks have left them,
 * so that they show nothing else.
 */
export async function withHighlights<F extends MarkedResult>(
  { fields, unshown, highlighter }: Marks,
  found: F,
): Promise<F> {
  const slice = new TimeSlice()
  const highlights: Record<number, object> = {}
  for (const entry of found.entries) {
    const marked: [string, readonly string[]][] = []
    for (const { name } of fields) {
      if (slice.isOver) await slice.yield()
      const text = entry[name]
      const parts = typeof text === 'string' ? highlighter.mark(text) : undefined
      if (parts) marked.push([name, parts])
    }
    if (marked.length > 0) highlights[Number(entry.id)] = Object.fromEntries(marked)
  }
  const entries = unshown.length === 0 ? found.entries : found.entries.map(entry => without(entry, unshown))
  return { ...found, entries, meta: { ...found.meta, search: { highlights } } }
}

/** A copy without some attributes; the meta of the entry remains. */
function without(entry: Entry, names: readonly string[]): Entry {
  const copy = { ...entry }
  for (const name of names) delete copy[name]
  return copy
}
