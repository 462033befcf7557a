import type { LinkInfo } from '../meta.js'
import { type Links, loaded, type Related, refOf } from './plain.js'

/**
 * The change of a relation as a body says it, undefined for none. Entries are connected and disconnected one by one, so that
 * those which are not loaded, or which the account may not see, stay connected. Files can only be given as a whole list.
 */
export function changeOf(link: LinkInfo, read: Links, value: Links): unknown {
  if (isEqual(read, value)) return undefined
  const before = loaded(read)
  const after = loaded(value)
  const disconnect = without(before, after)
  if (!link.many) return toOne(link, disconnect, without(after, before))
  if (link.type === 'media') return files(disconnect, before, after)
  const connect = link.targets === undefined ? toAny(before, after) : placed(read, value)
  const again =
    link.targets === undefined ? connect.filter(one => before.some(other => refOf(other) === refOf(one))) : []
  const gone = [...disconnect, ...again]
  return {
    ...(gone.length > 0 && { disconnect: gone.map(entry => targetOf(link, entry)) }),
    ...(connect.length > 0 && { connect: connect.map(entry => ({ ...targetOf(link, entry), ...positionOf(entry) })) }),
    // The neighbour that a place names may have gone meanwhile; the entry is connected all the same.
    ...(connect.some(isBeside) && { options: { strict: false } }),
  }
}

const isEqual = (one: Links, other: Links): boolean =>
  isSameOrder(one.head, other.head) && isSameOrder(one.tail, other.tail)

const isSameOrder = (one: readonly Related[], other: readonly Related[]): boolean =>
  one.length === other.length && one.every((entry, index) => refOf(entry) === refOf(other[index] as Related))

const without = (all: readonly Related[], others: readonly Related[]): readonly Related[] => {
  const refs = new Set(others.map(refOf))
  return all.filter(entry => !refs.has(refOf(entry)))
}

export const targetOf = ({ targets }: LinkInfo, { id, uid }: Related): object =>
  targets ? { id } : { id, __type: uid }

function toOne(link: LinkInfo, [gone]: readonly Related[], [added]: readonly Related[]): unknown {
  if (link.type === 'media') return added?.id ?? null
  if (added) return { connect: [targetOf(link, added)] }
  // An entry of any type cannot be named where a response leaves out its type.
  return gone && (gone.uid === '' ? null : { disconnect: [targetOf(link, gone)] })
}

/** Files that are only taken away are named, so that those which the account may not see stay. */
function files(gone: readonly Related[], before: readonly Related[], after: readonly Related[]): unknown {
  const isShorter = isSameOrder(without(before, gone), after)
  return isShorter ? { disconnect: gone.map(({ id }) => ({ id })) } : after.map(({ id }) => id)
}

interface Placed extends Related {
  readonly position?: Position
}

type Position = { readonly start: true } | { readonly after: number } | { readonly before: number }

const positionOf = ({ position }: Placed): { position?: Position } => (position ? { position } : {})

const isBeside = ({ position = { start: true } }: Placed): boolean => !('start' in position)

/** Lists of entries of any type have no places: all behind the first change is connected again. */
function toAny(before: readonly Related[], after: readonly Related[]): readonly Placed[] {
  const kept = without(before, without(before, after))
  const first = after.findIndex((entry, index) => !kept[index] || refOf(entry) !== refOf(kept[index]))
  return first < 0 ? [] : after.slice(first)
}

/** The fewest entries that have to be connected so that the list has this order. */
function placed(read: Links, value: Links): readonly Placed[] {
  const head = new Set(inOrder(value.head, read.head))
  const tail = new Set(inOrder(value.tail, read.tail))
  return [
    ...connected(value.head, head, { isStart: true, isEnd: !value.more }),
    // The list ends behind what is not loaded.
    ...connected(value.tail, tail, { isStart: false, isEnd: true }),
  ]
}

interface Part {
  /** The part begins, or ends, where the whole list does. */
  readonly isStart: boolean
  readonly isEnd: boolean
}

function connected(list: readonly Related[], stable: ReadonlySet<string>, { isStart, isEnd }: Part): readonly Placed[] {
  const first = list.find(entry => stable.has(refOf(entry)))
  const last = list.findLastIndex(entry => stable.has(refOf(entry)))
  let isBefore = true
  return list.flatMap((entry, index): Placed[] => {
    if (stable.has(refOf(entry))) {
      isBefore = false
      return []
    }
    // Behind all that stays, entries are appended one after the other.
    if (isEnd && index > last) return [entry]
    if (!isStart && isBefore && first) return [{ ...entry, position: { before: first.id } }]
    const previous = list[index - 1]
    return [{ ...entry, position: previous ? { after: previous.id } : { start: true } }]
  })
}

/** The most entries of a list that stand in another one in the same order; an increasing sequence of their places there. */
export function inOrder(list: readonly Related[], other: readonly Related[]): readonly string[] {
  const places = new Map(other.map((entry, index) => [refOf(entry), index]))
  const known = list.flatMap(entry => {
    const place = places.get(refOf(entry))
    return place === undefined ? [] : [{ ref: refOf(entry), place }]
  })
  // Of the sequences of each length, the one with the lowest last place, as chains.
  const ends: { readonly ref: string; readonly place: number; readonly former: number }[][] = []
  for (const { ref, place } of known) {
    let length = ends.findIndex(chain => (chain.at(-1)?.place ?? 0) > place)
    if (length < 0) length = ends.length
    const former = length === 0 ? -1 : (ends[length - 1]?.length ?? 0) - 1
    const chain = ends[length] ?? []
    chain.push({ ref, place, former })
    ends[length] = chain
  }
  const found: string[] = []
  let at = (ends.at(-1)?.length ?? 0) - 1
  for (const chain of ends.toReversed()) {
    const link = chain[at]
    if (!link) break
    found.push(link.ref)
    at = link.former
  }
  return found
}
