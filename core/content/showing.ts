import { TimeSlice } from '../loop/time-slice.js'
import type { Ask, Entry } from '../query/ask.js'
import { withHighlights } from '../query/search/highlights.js'
import type { ContentType } from '../schema/types.js'
import { fetchAll, metaOf, nest, objectShape, type Run } from '../sql/fetch.js'
import type { Call } from './hooks.js'
import type { ContentParts } from './parts.js'
import type { Found, RunFor, Running } from './request.js'
import type { Runs } from './runs.js'

/** Entries as objects, for hooks that see them and formats that write them. */
export class Showing {
  readonly #parts: ContentParts
  readonly #runs: Pick<Runs, 'call'>

  constructor(parts: ContentParts, runs: Pick<Runs, 'call'>) {
    this.#parts = parts
    this.#runs = runs
  }

  /** What was asked for; hooks have seen those entries that are populated. */
  objects({ ask, prepared, format }: Running, run: Omit<Run, 'slice'>, target: RunFor): Promise<Entry[]> {
    const see = this.hooks(ask, target)
    const shape = objectShape(format?.entry ?? 'nested', format?.idText)
    const populated: Run['see'] = (type, entries, place) => (place === 'root' ? undefined : see(type, entries))
    return fetchAll(prepared, { slice: new TimeSlice(), see: populated, ...run }, shape)
  }

  /** The text of what was found, once the hooks of its type have seen it. */
  async shown(running: Running, target: RunFor, found: Found): Promise<string> {
    await this.see(running, target, found.entries)
    return this.written(running, found)
  }

  /** Shows entries to the hooks of the type that was asked for. */
  see({ ask }: Running, target: RunFor, entries: Entry[]): void | Promise<void> {
    return this.hooks(ask, target)(ask.type, entries)
  }

  async written({ format, marks }: Running, found: Found): Promise<string> {
    const { entries, meta, many } = marks ? await withHighlights(marks, found) : found
    const [entry] = entries
    if (format) return JSON.stringify(many ? format.many(entries, meta) : format.one(entry ?? null, meta))
    const data = many ? entries.map(one => this.#envelope(one)) : entry ? this.#envelope(entry) : null
    return JSON.stringify({ data, meta })
  }

  /** Lets the hooks of a type see entries of it, as one batch. */
  hooks(ask: Ask, { caller, session }: RunFor) {
    let call: Call | undefined
    const afterwards = (type: ContentType, entries: Entry[]) => {
      const { serialize } = this.#parts.hooks(type)
      if (serialize) for (const entry of entries) serialize(entry, ask)
    }
    return (type: ContentType, entries: Entry[]): void | Promise<void> => {
      const { afterFind } = this.#parts.hooks(type)
      if (!afterFind) return afterwards(type, entries)
      call ??= this.#runs.call(ask, { caller, now: new Date(this.#parts.time()) }, session)
      const seen = afterFind(entries, type === ask.type ? call : { ...call, type })
      return seen ? seen.then(() => afterwards(type, entries)) : afterwards(type, entries)
    }
  }

  #envelope(entry: Entry): Entry {
    const { emptyMeta } = this.#parts
    if (!emptyMeta) return nest(entry)
    return { ...nest(entry), meta: (entry as { [metaOf]?: unknown })[metaOf] ?? emptyMeta }
  }
}
