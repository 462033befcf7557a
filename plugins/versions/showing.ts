import { isDeepStrictEqual } from 'node:util'
import type { Caller, ContentType, Link, RouteCall } from '../../core/index.js'
import { type OwnShape, queryText, readableBy, typeFor } from '../../core/plugin-kit.js'
import { type End, endsOf, idOf, isFixed, uidOf, type Visit, visited } from './parts.js'
import type { Service } from './service.js'
import type { Data } from './table.js'

type Viewer = Pick<RouteCall<Service>, 'caller' | 'content'>

/** The part of a version that a caller may see: attributes that it can read, and entries of relations that it can find. */
export async function shown(type: ContentType, data: Data, call: Viewer): Promise<Data> {
  const [state] = await shownAll(type, [data], call)
  return state as Data
}

/** The same of several states of an entry: the entries that they lead to are looked for together. */
export async function shownAll(type: ContentType, states: readonly Data[], call: Viewer): Promise<Data[]> {
  const { caller } = call
  const ends = new Map<string, Set<number>>()
  for (const state of states)
    for (const [uid, ids] of endsOf(type, state)) ends.set(uid, new Set([...(ends.get(uid) ?? []), ...ids]))
  const seen = await seenBy(call, ends)
  const isFound = (link: Link, end: End) => link.open === true || caller.can('find', uidOf(link, end))
  const visit: Visit = {
    takes: readerOf(caller),
    relation: (link, all) => all.filter(end => isFound(link, end) && seen(link, end)),
  }
  return states.map(state => visited(typeFor(type, caller), state, visit))
}

/** Tells the attributes of types and components that a caller may read; each type is looked at once. */
export function readerOf(caller: Caller): (part: ContentType, name: string) => boolean {
  const readable = new Map<ContentType, (name: string) => boolean>()
  return (part, name) => {
    const test = readable.get(part) ?? readableBy(part, caller)
    readable.set(part, test)
    return test(name)
  }
}

/** Ids that one query asks for. */
const atOnce = 50

const idsAlone: OwnShape = {
  ...{ key: 'ids alone', entry: 'plain' },
  one: entry => entry?.id ?? null,
  many: entries => entries.map(({ id }) => id),
}

/** Finds the visible ends in the caller's name, as its row rules may hide entries. */
async function seenBy({ caller, content }: Viewer, ends: ReturnType<typeof endsOf>) {
  const seen = new Map<string, Set<number>>()
  for (const [uid, ids] of ends) {
    if (!caller.can('find', uid) || !caller.rows?.('find', uid)) continue
    const found = new Set<number>()
    const list = [...ids]
    for (let from = 0; from < list.length; from += atOnce) {
      const query = queryText({ filters: { id: { $in: list.slice(from, from + atOnce) } }, fields: ['id'] })
      const answer = await content.find(uid, { query, shape: idsAlone, paging: 'open', whole: true })
      for (const id of answer.value() as number[]) found.add(id)
    }
    seen.set(uid, found)
  }
  return (link: Link, end: End): boolean => seen.get(uidOf(link, end))?.has(idOf(end)) ?? true
}

export interface Difference {
  readonly attribute: string
  readonly from: unknown
  readonly to: unknown
}

/** The attributes in which two states differ. */
export const differences = (type: ContentType, from: Data, to: Data): Difference[] =>
  [...new Set([...Object.keys(from), ...Object.keys(to)])]
    .filter(name => !isFixed(type, name) && !isDeepStrictEqual(from[name] ?? null, to[name] ?? null))
    .map(name => ({ attribute: name, from: from[name] ?? null, to: to[name] ?? null }))
