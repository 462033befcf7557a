import type { Before, ContentType, Row, Write, Writing, Written } from '../../core/index.js'
import type { TransactionSession } from '../../core/plugin-kit.js'
import { changedAttributes } from '../../core/plugin-kit.js'
import { type LinkedEntry, sentEnds } from './ends.js'
import { type Change, type End, isMedia } from './event.js'
import type { Events } from './service.js'

/** State of an entry that can only be read before the write. */
const former = Symbol('former')

interface FormerState {
  readonly [former]?: { readonly ends: readonly End[]; readonly gone?: unknown }
}

/** Hooks that tell the outbox of every write, in the transaction of the write. */
export const recording = {
  inTransaction(write: Write, { type, session }: Writing, events: Events): Write | Promise<Write> {
    const { action, id, gone: isBack = false } = write
    if (action === 'create' || id === undefined || isPurge(write)) return write
    const data = { ...write.data, ...write.set }
    const isDelete = action === 'delete'
    // With the entry, all its relations come or go.
    const isWhole = isDelete || isBack
    if (!isWhole && ![...type.links.keys()].some(name => Object.hasOwn(data, name))) return write
    return noted(write, { id, type, ...(!isWhole && { data }) }, session, events)
  },
  afterWrite: {
    before: true as const,
    run(row: Row, about: Written & Before, events: Events): void {
      const { type, session, write, before, caller, requestId, now, afterCommit } = about
      if (isPurge(write)) return
      if (events.isFollowed) afterCommit(() => events.changed())
      const change = changeOf(row, { type, write, before }, old => events.wasLive(type.uid, old, now))
      events.outbox.add(session, change, { at: now, caller, requestId, trace: events.traceOf(requestId) })
    },
  },
}

async function noted(write: Write, of: LinkedEntry, session: TransactionSession, events: Events): Promise<Write> {
  const ends = await events.ends.of(of, session)
  const gone = write.action === 'delete' ? await events.lastSight(of.type, of.id, session) : undefined
  return { ...write, [former]: { ends, gone } } as Write
}

function changeOf(
  { id }: Row,
  { type, write, before }: Pick<Written, 'type' | 'write'> & Partial<Before>,
  wasLive: (row: Row) => boolean,
): Change {
  const { action, data, set } = write
  const { ends = [], gone } = (write as FormerState)[former] ?? {}
  const locale = before?.locale ?? set?.locale ?? data.locale
  const sent = sentEnds(type, write)
  const all = ends.length === 0 ? sent : [...ends, ...sent]
  const verb = verbOf(write, before)
  // Each property is there, also an undefined one: copying those that are known into the object would take longer.
  return {
    event: `${isMedia(type.uid) ? 'media' : 'entry'}.${verb}`,
    uid: type.uid,
    entry: id,
    locale: typeof locale === 'string' ? locale : undefined,
    changed:
      verb !== 'create' && action === 'update' ? changedAttributes(type, { ...data, ...set }, before) : undefined,
    ends: all.length > 0 ? all : undefined,
    gone: action === 'delete' ? (gone ?? readable(type, before ?? {})) : withdrawn(verb, before, wasLive),
  }
}

/** An entry that was not live yet when it was unpublished was seen by readers of drafts only. */
const withdrawn = (verb: string, before: Row | undefined, wasLive: (row: Row) => boolean): unknown =>
  verb === 'unpublish' && before && !wasLive(before) ? { publishedAt: null } : undefined

/** Readers were told that the entry is deleted when it began to count as that. */
const isPurge = ({ action, gone }: Write): boolean => action === 'delete' && gone === true

/** The verb of a write. A restored entry is new to readers, and an update of the publication date is a publication or its end. */
function verbOf({ action, data, set = {}, gone }: Write, before: Row | undefined): string {
  if (gone) return 'create'
  if (action !== 'update' || !before || !Object.hasOwn(before, 'publishedAt')) return action
  const date = Object.hasOwn(set, 'publishedAt') ? set.publishedAt : data.publishedAt
  if (date === undefined || (date === null) === (before.publishedAt === null)) return action
  return date === null ? 'unpublish' : 'publish'
}

/** Columns of a row that requests may see. */
const readable = (type: ContentType, row: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(row).filter(([name]) => name === 'id' || type.fields.get(name)?.readable))
