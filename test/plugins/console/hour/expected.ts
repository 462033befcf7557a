type Told = Readonly<Record<string, unknown>>

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one ?? null) === JSON.stringify(other ?? null)

/** The side that an editor has chosen where two changes meet. */
export type Side = 'mine' | 'theirs'

export interface Saved {
  /** The entry when it was opened, as it was typed, right before it was stored, and after. */
  readonly base: Told
  readonly mine: Told
  readonly before: Told
  readonly after: Told
  /** What was chosen for an attribute, if it was asked. */
  readonly sideOf: (attribute: string) => Side
  /** Whether an entry of a relation is still there. */
  readonly isThere: (ref: string) => boolean
}

/** The attributes of an entry that are stored otherwise than the editor has meant: none where nothing is lost. */
export function lostIn({ base, mine, before, after, sideOf, isThere }: Saved): string[] {
  return Object.keys(mine).flatMap(name => {
    const is = kept(after[name], isThere)
    const [was, theirs, typed] = [base[name], before[name], mine[name]].map(value => kept(value, isThere))
    const isMine = !same(base[name], mine[name])
    const isTheirs = !same(was, theirs)
    const wanted = !isMine ? theirs : typed
    if (!isMine || !isTheirs)
      return same(is, wanted) || isStart(was, wanted, is) ? [] : [said(name, { was, theirs, typed, is })]
    // Both have changed it.
    const chosen = sideOf(name) === 'mine' ? typed : theirs
    if (same(is, chosen) || isStart(was, chosen, is)) return []
    // What is added to a longer list is stored behind what a form reads of it.
    if (isParts(was) && was.length >= page) return []
    if (isParts(typed) && isParts(theirs)) {
      const missing = partsLost({ was, chosen, is })
      return missing.length === 0 ? [] : [`${said(name, { was, theirs, typed, is })}: without ${missing}`]
    }
    return [said(name, { was, theirs, typed, is })]
  })
}

const said = (name: string, values: object): string => `${name}: ${JSON.stringify(values)}`

/** The entries of a relation that a form reads: of a longer list, others follow where some are removed. */
const page = 20

function isStart(was: unknown, wanted: unknown, is: unknown): boolean {
  if (!isParts(was) || !isParts(wanted) || !isParts(is) || was.length < page) return false
  const known = new Set(was.map(one => JSON.stringify(one)))
  const [stayed, stored] = [wanted, is].map(list => list.filter(one => known.has(JSON.stringify(one))))
  return same(stored?.slice(0, stayed?.length), stayed)
}

const isParts = (value: unknown): value is readonly unknown[] => Array.isArray(value)

/** What one side has added to a list is in what came of both. */
function partsLost({ was, chosen, is }: Record<'was' | 'chosen' | 'is', unknown>): string[] {
  const former = new Set(leavesOf(was))
  const stored = new Set(leavesOf(is))
  return leavesOf(chosen).filter(leaf => !former.has(leaf) && !stored.has(leaf))
}

/** Texts that nothing else has, and the entries of relations. */
function leavesOf(value: unknown): string[] {
  if (typeof value === 'string') return /\d{7}|^(api|plugin)::\S+ \d+$/.test(value) ? [value] : []
  if (Array.isArray(value)) return value.flatMap(leavesOf)
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(leavesOf) : []
}

/** A value without links to entries that were deleted meanwhile. */
function kept(value: unknown, isThere: (ref: string) => boolean): unknown {
  if (Array.isArray(value))
    return value
      .filter(one => typeof one !== 'string' || !/^(api|plugin)::\S+ \d+$/.test(one) || isThere(one))
      .map(one => kept(one, isThere))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, kept(one, isThere)]))
}
