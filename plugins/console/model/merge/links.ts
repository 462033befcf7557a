import { inOrder } from '../form/connect.js'
import { type Links, loaded, type Related, refOf } from '../form/plain.js'
import { mergedOrder, type Side } from './order.js'

export interface Three<T> {
  readonly base: T
  readonly theirs: T
  readonly mine: T
}

interface MergedLinks {
  /** The entries that the server has, as far as the form has to know them. */
  readonly read: Links
  readonly links: Links
}

/** The relation that two sides changed: what either added is in it, what either removed is not. */
export function mergedLinks(
  three: Three<Links>,
  isMany: boolean,
  choose: (what: 'value' | 'order') => Side,
): MergedLinks {
  return isMany ? mergedList(three, choose) : mergedOne(three, choose)
}

const refs = (links: Links): string => loaded(links).map(refOf).join(' ')

function mergedOne({ base, theirs, mine }: Three<Links>, choose: (what: 'value') => Side): MergedLinks {
  const isMine = refs(mine) !== refs(base)
  const isConflict = isMine && refs(theirs) !== refs(base) && refs(theirs) !== refs(mine)
  const side = isConflict ? choose('value') : isMine ? 'mine' : 'theirs'
  return { read: theirs, links: side === 'mine' ? mine : theirs }
}

function mergedList({ base, theirs, mine }: Three<Links>, choose: (what: 'order') => Side): MergedLinks {
  const before = new Set(loaded(base).map(refOf))
  const now = new Set(loaded(theirs).map(refOf))
  const wanted = new Set(loaded(mine).map(refOf))
  // An entry that is not among those that were read again may have been removed, or stand behind them.
  const isUnknown = (entry: Related) => theirs.more && before.has(refOf(entry)) && !now.has(refOf(entry))
  const removedUnseen = loaded(base).filter(entry => !wanted.has(refOf(entry)) && isUnknown(entry))
  const unmoved = new Set(inOrder(mine.head, base.head))
  const moved = new Set(mine.head.filter(entry => isUnknown(entry) && !unmoved.has(refOf(entry))).map(refOf))
  const isMine = (entry: Related) => !before.has(refOf(entry)) || moved.has(refOf(entry))
  const tail = theirs.more
    ? trailing(mine, isMine).filter(entry => before.has(refOf(entry)) || !now.has(refOf(entry)))
    : []
  const atEnd = new Set(tail.map(refOf))
  const head = theirs.head.filter(entry => !before.has(refOf(entry)) || wanted.has(refOf(entry)))
  const added = loaded(mine).filter(entry => isMine(entry) && !now.has(refOf(entry)))
  const known = new Map(
    [...head, ...added].filter(entry => !atEnd.has(refOf(entry))).map(entry => [refOf(entry), entry]),
  )
  const order = mergedOrder(
    { base: loaded(base).map(refOf), theirs: theirs.head.map(refOf), mine: loaded(mine).map(refOf) },
    new Set(known.keys()),
    () => choose('order'),
  )
  return {
    read: { ...theirs, tail: [...theirs.tail, ...removedUnseen] },
    links: { head: order.flatMap(ref => known.get(ref) ?? []), tail: [...theirs.tail, ...tail], more: theirs.more },
  }
}

/** Entries behind all that was there before: they stay at the end, also of a list that is not loaded up to there. */
function trailing({ head, tail, more }: Links, isMine: (entry: Related) => boolean): readonly Related[] {
  return more ? tail : head.slice(head.findLastIndex(entry => !isMine(entry)) + 1)
}
