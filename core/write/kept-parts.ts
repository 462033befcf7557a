import type { Knex } from 'knex'
import { rowsOf } from '../engines/built.js'
import type { Session } from '../engines/engine.js'
import { ValidationError } from '../errors.js'
import type { Named } from '../query/named.js'
import type { ContentType, Link, LinkStorage } from '../schema/types.js'
import { isRecord, type Json } from './attributes.js'
import { dotted, issue } from './issue.js'

/** A stored entry, or a component of it, that is about to be changed, and the attributes that its caller may name. */
interface StoredPlace {
  readonly type: ContentType
  readonly id: number
  readonly named: Named
  readonly path?: readonly string[]
}

interface Stored {
  readonly id: number
  readonly type: string
}

/** Reads which components are stored. */
export interface StoredReader {
  readonly session: Session
  readonly knex: Knex
}

/**
 * The data of an update by a caller that may write parts of components only: the component that is sent is the one that is stored,
 * so that its other parts stay, and none may go with them.
 */
export async function withKeptParts(data: Json, place: StoredPlace, reader: StoredReader): Promise<Json> {
  const { type, named, path = [] } = place
  const kept: Record<string, unknown> = { ...data }
  for (const [name, parts] of named) {
    const link = type.links.get(name)
    if (parts === true || !link || data[name] === undefined) continue
    const stored = await storedParts(link, place.id, reader)
    const at = [...path, name]
    const items = [data[name]].flat().filter(item => item !== null)
    const known = items.map(item => [item, isRecord(item) ? knownAs(item, link, stored) : undefined] as const)
    if (stored.some(({ id, type: uid }) => !known.some(([, one]) => one?.id === id && one.type === uid)))
      throw ValidationError.of([
        issue(at, `${dotted(at)} has parts that the caller may not write, so that it cannot be removed`),
      ])
    const made: unknown[] = []
    for (const [index, [item, one]] of known.entries()) {
      const target = one && link.types().find(({ uid }) => uid === one.type)
      const below = link.many ? [...at, String(index)] : at
      if (!target) made.push(item)
      else
        made.push({
          ...(await withKeptParts(item as Json, { type: target, id: one.id, named: parts, path: below }, reader)),
          id: one.id,
        })
    }
    if (Array.isArray(data[name])) kept[name] = made
    else if (data[name] !== null) kept[name] = made[0]
  }
  return kept
}

/** The stored component that an item is: the only one is meant also without its id. */
function knownAs(item: Json, link: Link, stored: readonly Stored[]): Stored | undefined {
  const uid = link.shape === 'zone' ? item.__component : link.types()[0]?.uid
  const isSent = item.id !== undefined && item.id !== null
  if (!isSent) return link.many ? undefined : stored[0]
  return stored.find(one => String(one.id) === String(item.id) && one.type === uid)
}

async function storedParts(link: Link, entry: number, { session, knex }: StoredReader): Promise<Stored[]> {
  const { table, from, to, match } = link.storage as Extract<LinkStorage, { via: 'table' }>
  const { field = link.name } = match
  const query = knex(table)
    .select(to, 'component_type')
    .where({ [from]: entry, field })
  return (await rowsOf(session, query)).map(([id, type]) => ({ id: Number(id), type: String(type) }))
}
