import { isDeepStrictEqual } from 'node:util'
import type { Dialect } from '../dialect.js'
import { readId, WrongValue } from '../schema/values.js'
import { connected, readPosition } from './connect-order.js'
import type { CheckedRelation } from './input.js'
import { dotted } from './issue.js'
import {
  type Connection,
  type InputPlace,
  type RelationChange,
  type RelationPlace,
  refused,
  type Target,
} from './relation.js'

type Json = Readonly<Record<string, unknown>>

/**
 * Every shape in which a relation may be sent: an id, `{ id }`, a list of either, null, or an object with `set`, `connect`
 * and `disconnect`. Undefined means that nothing changes.
 */
export function readRelation(value: unknown, place: RelationPlace): RelationChange | undefined {
  const isNone = value === null || (typeof value === 'boolean' && !place.link.many && place.dialect.looseRelations)
  if (isNone) return { kind: 'set', targets: [] }
  limitTargets(value)
  if (Array.isArray(value)) return setTo(value, place)
  if (typeof value !== 'object' || Object.hasOwn(value, 'id')) return setTo([value], place)
  return readChange(value as Json, place)
}

/** Engines bind a limited number of values in one statement. */
const mostTargets = 10_000

function limitTargets(value: unknown): void {
  for (const list of [value, ...Object.values(Object(value))])
    if (Array.isArray(list) && list.length > mostTargets)
      throw new WrongValue(`One request may name at most ${mostTargets} entries of a relation; send several`)
}

function setTo(items: readonly unknown[], place: RelationPlace): RelationChange {
  return { kind: 'set', targets: items.map(item => readTarget(item, place)) }
}

/** An object with `set`, or with `connect` and `disconnect`. */
function readChange({ set, connect, disconnect, options }: Json, place: RelationPlace): RelationChange | undefined {
  const { link, at, dialect } = place
  const isLoose = readLoose(options)
  const isPartial = connect !== undefined || disconnect !== undefined
  if (set !== undefined && isPartial && dialect.setExcludesConnect)
    throw new WrongValue('set replaces all relations and must not be combined with connect or disconnect')
  if (set !== undefined) return setTo(listOf(set, [...at, 'set']), place)
  if (!isPartial) return undefined
  if (link.setOnly && connect !== undefined) throw new WrongValue('connect cannot be used here; send the ids, or set')
  const added = listOf(connect, [...at, 'connect'])
  const gone = [disconnect ?? []].flat()
  return {
    kind: 'partial',
    connect: readConnect(added, place),
    disconnect: gone.map(item => readTarget(item, place)),
    isLoose,
  }
}

function listOf(items: unknown, at: readonly string[]): readonly unknown[] {
  if (items === undefined || items === null) return []
  if (!Array.isArray(items)) throw malformed(at, 'takes a list of ids, or of objects with an id')
  return items
}

/** A value that names no entries, with the place it has in the attribute. */
const malformed = (at: readonly string[], says: string) => new WrongValue(`${dotted(at)} ${says}`, 'Invalid relations')
const short = (value: unknown): string => (JSON.stringify(value) ?? String(value)).slice(0, 100)

/** `options: { strict: false }` next to `connect`. */
function readLoose(options: unknown): boolean {
  if (options === undefined) return false
  const isPlain = typeof options === 'object' && options !== null && !Array.isArray(options)
  const { strict = true, ...others } = (isPlain ? options : { options }) as Record<string, unknown>
  if (typeof strict !== 'boolean' || Object.keys(others).length > 0)
    throw new WrongValue('options takes { strict: true } or { strict: false }')
  return !strict
}

function readTarget(item: unknown, { link, at, dialect }: RelationPlace): Target {
  const asked = typeof item === 'object' ? (item as Json | null) : { id: item }
  const id = asked?.id
  if (asked === null || Array.isArray(asked) || (typeof id !== 'number' && typeof id !== 'string'))
    throw malformed(at, `takes ids, or objects with an id; ${short(item)} is neither`)
  const known = readId(id)
  const target = known === undefined ? { id: 0, sent: id } : { id: known }
  if (link.targets !== undefined) return target
  const type = asked.__type ?? asked.type
  if (typeof type !== 'string') throw new WrongValue('Invalid relations: an entry of any type needs { id, __type }')
  const field = dialect.polymorphicPivot ? Object(asked.__pivot).field : undefined
  return { ...target, type, ...(typeof field === 'string' && { field }) }
}

function readConnect(items: readonly unknown[], place: RelationPlace): Connection[] {
  const connections: Connection[] = []
  const seen = new Map<string, unknown>()
  for (const item of items) {
    const target = readTarget(item, place)
    const { id, type = '', field = '' } = target
    const position = readPosition(Object(item).position, place.dialect)
    const connection = { ...target, position }
    if (items.length === 1) return [connection]
    const key = `${type} ${id} ${field}`
    if (id === 0 || !seen.has(key)) connections.push(connection)
    // If doubles are allowed, items are compared as they were sent: 5 and { id: 5 } are two.
    else if (place.dialect.uniqueConnect || !isDeepStrictEqual(seen.get(key), item))
      throw refused(
        `The relation with id ${id} is already connected. You cannot connect the same relation twice.`,
        place,
      )
    seen.set(key, item)
  }
  return connections
}

/** The targets after a change; one at most where the link has only one. */
export function wantedTargets(
  current: readonly number[],
  { link, change, path }: CheckedRelation,
  dialect: Dialect,
): readonly number[] {
  const wanted = applyChange(current, change, { at: path, dialect })
  return link.many ? wanted : lastNamed(wanted, change)
}

/** A link to one entry at most keeps the last that was named, whatever its position. */
function lastNamed(wanted: readonly number[], change: RelationChange): readonly number[] {
  const named = change.kind === 'partial' ? change.connect.at(-1) : undefined
  return named ? [named.id] : wanted.slice(-1)
}

/** The list that results from applying a change to a list. */
export function applyChange(current: readonly number[], change: RelationChange, place: InputPlace): number[] {
  if (change.kind === 'set') return [...new Set(change.targets.map(({ id }) => id))]
  return connected(current, change, place)
}
