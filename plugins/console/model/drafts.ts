import { withoutSecrets } from './form/copy.js'
import type { Form } from './form/form.js'
import type { Kinds } from './form/kinds.js'
import { type PlainItem, withoutIds } from './form/plain.js'
import { type Conflict, type Merged, merge, type Side } from './merge/merge.js'

/** The entry and the account that changes belong to. */
export interface DraftPlace {
  readonly account: number
  readonly uid: string
  /** Absent for an entry that is not stored. */
  readonly id?: number
  readonly locale: string | null
}

/** Changes that were not saved, as the browser stores them. It fits into JSON. */
export interface KeptDraft {
  readonly version: 1
  readonly key: string
  readonly place: DraftPlace
  /** Milliseconds since 1970. */
  readonly at: number
  /** The `updatedAt` of the entry that was changed. */
  readonly basedOn: string | null
  /** The entry as it was read. */
  readonly base?: PlainItem
  readonly mine: PlainItem
}

/** The name under which the browser stores changes of one entry; forms that are open at once have parts of their own. */
export const draftKey = (place: DraftPlace, part: string): string => JSON.stringify([...partsOf(place), part])

/** True for changes of this entry, in this language. */
export const isOf = ({ place }: Pick<KeptDraft, 'place'>, other: DraftPlace): boolean =>
  JSON.stringify(partsOf(place)) === JSON.stringify(partsOf(other))

const partsOf = ({ account, uid, id, locale }: DraftPlace) => [account, uid, id ?? null, locale]

export interface DraftContext {
  readonly place: DraftPlace
  /** The form's own part of the key. */
  readonly part: string
  readonly basedOn: string | null
  readonly now: number
}

/** The changes of a form to be stored, undefined if nothing was changed. Passwords are never stored. */
export function draftOf(form: Form, { place, part, basedOn, now }: DraftContext): KeptDraft | undefined {
  if (form.changes.peek() === 0) return undefined
  const base = form.base()
  const mine = withoutSecrets(form.kinds, form.root.plain())
  return { version: 1, key: draftKey(place, part), place, at: now, basedOn, ...(base && { base }), mine }
}

const longest = 30 * 24 * 3_600_000

/** True for changes that are too old to be offered, and for those of another version of the page. */
export const isExpired = ({ at, version }: Pick<KeptDraft, 'at' | 'version'>, now: number): boolean =>
  version !== 1 || now - at > longest

export type Restored = Partial<Pick<Merged, 'read'>> & Omit<Merged, 'read'>

/** The kept changes on the entry as it is now: undefined if it is new or was deleted, so that they make a new one. */
export function restored(
  kinds: Kinds,
  { base, mine }: KeptDraft,
  theirs: PlainItem | undefined,
  choose?: (conflict: Conflict) => Side,
): Restored {
  if (!theirs || !base) return { plain: withoutIds(mine), conflicts: [], changes: [] }
  return merge(kinds, { base, theirs, mine }, choose)
}
