import { TimeSlice } from '../loop/time-slice.js'
import type { Ask, Entry } from '../query/ask.js'
import { withHighlights } from '../query/search/highlights.js'
import type { ContentType } from '../schema/types.js'
import {
  type Alone,
  type EntryPlace,
  fetchAll,
  fetchEach,
  metaOf,
  nest,
  objectShape,
  type Run,
  typeOf,
} from '../sql/fetch.js'
import { type FormatAbout, pageLinks } from './format.js'
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
  objects(running: Running, run: Omit<Run, 'slice'>, target: RunFor): Promise<Entry[]> {
    return fetchAll(running.prepared, this.#seeing(running, run, target), shapeOf(running))
  }

  /** The same for entries that are shown one by one. */
  each(running: Running, run: Omit<Run, 'slice'>, target: RunFor): Promise<Alone<Entry>[]> {
    return fetchEach(running.prepared, this.#seeing(running, run, target), shapeOf(running))
  }

  #seeing({ ask }: Running, run: Omit<Run, 'slice'>, target: RunFor): Run {
    const see = this.hooks(ask, target)
    const populated: Run['see'] = (type, entries, place) => (place === 'root' ? undefined : see(type, entries, place))
    return { slice: new TimeSlice(), see: populated, ...run }
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

  async written({ format, marks, page, text }: Running, found: Found): Promise<string> {
    const { entries, meta, many } = marks ? await withHighlights(marks, found) : found
    const [entry] = entries
    if (format) {
      const about: FormatAbout = {
        typeOf,
        get pages() {
          if (!many || !page || text === undefined) return {}
          return pageLinks({ text, page, pagination: meta.pagination, count: entries.length })
        },
      }
      return JSON.stringify(many ? format.many(entries, meta, about) : format.one(entry ?? null, meta, about))
    }
    const data = many ? entries.map(one => this.#envelope(one)) : entry ? this.#envelope(entry) : null
    return JSON.stringify({ data, meta })
  }

  /** Lets the hooks of a type see entries of it, as one batch; those below the root are told the type that stands there. */
  hooks(ask: Ask, target: RunFor) {
    const below = new Map<ContentType, Ask>()
    const askOf = (type: ContentType, place: EntryPlace): Ask => {
      if (place === 'root') return ask
      const known = below.get(type) ?? askBelow(ask, type)
      below.set(type, known)
      return known
    }
    const calls = new Map<Ask, Call>()
    let now: Date | undefined
    const callOf = (own: Ask): Call => {
      now ??= new Date(this.#parts.time())
      const call = calls.get(own) ?? this.#runs.call(own, { caller: target.caller, now }, target.session)
      calls.set(own, call)
      return call
    }
    return (type: ContentType, entries: Entry[], place: EntryPlace = 'root'): void | Promise<void> => {
      const { afterFind, serialize } = this.#parts.hooks(type)
      if (!afterFind && !serialize) return
      const own = askOf(type, place)
      const afterwards = () => {
        if (serialize) for (const entry of entries) serialize(entry, own)
      }
      const seen = afterFind?.(entries, callOf(own))
      return seen ? seen.then(afterwards) : afterwards()
    }
  }

  #envelope(entry: Entry): Entry {
    const { emptyMeta } = this.#parts
    if (!emptyMeta) return nest(entry)
    return { ...nest(entry), meta: (entry as { [metaOf]?: unknown })[metaOf] ?? emptyMeta }
  }
}

const shapeOf = ({ format }: Running) =>
  objectShape(format?.entry ?? 'nested', { idText: format?.idText, isTyped: format !== undefined })

/** What is known of entries behind links: they are found, whatever is done to the root, of which the query says the rest. */
function askBelow({ action, scope, params, dialect, can, narrow }: Ask, type: ContentType): Ask {
  return { type, action, permission: 'find', scope, params, dialect, can, narrow }
}
