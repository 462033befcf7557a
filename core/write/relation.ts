import type { Dialect } from '../dialect.js'
import { type Issue, ValidationError } from '../errors.js'
import { readId } from '../schema/field-types.js'
import type { Link } from '../schema/types.js'

/** Where a connected entry goes. */
export type Position =
  | { readonly before: number }
  | { readonly after: number }
  | { readonly start: true }
  | { readonly end: true }

/** One entry of a relation; the type is told only where any type can stand. An id of 0 belongs to no entry. */
export interface Target {
  readonly id: number
  readonly type?: string
}

export interface Connection extends Target {
  readonly position: Position
}

/** What a write does to one relation. */
export type RelationChange =
  | {
      readonly kind: 'set'
      readonly targets: readonly Target[]
      /** Links to entries of these types stay, whatever takes the place of the others. */
      readonly keeps?: (type: string) => boolean
    }
  | { readonly kind: 'partial'; readonly connect: readonly Connection[]; readonly disconnect: readonly Target[] }

const atEnd: Position = { end: true }

/**
 * Every shape in which a relation may be sent: an id, `{ id }`, a list of either, null, or an object with `set`, `connect`
 * and `disconnect`. Undefined means that nothing changes.
 */
export function readRelation(
  link: Link,
  value: unknown,
  at: readonly string[],
  dialect: Dialect,
  issues: Issue[],
): RelationChange | undefined {
  try {
    return read(link, value, at, dialect)
  } catch (reason) {
    if (typeof reason !== 'string') throw reason
    issues.push({ path: dialect.terseErrors ? [] : [...at], message: reason, name: 'ValidationError' })
    return undefined
  }
}

/** The change as somebody may make it who may find only some types: what is of others does not exist for them, and stays. */
export function withinSight(change: RelationChange, mayFind: (type: string) => boolean): RelationChange {
  const isSeen = ({ type = '' }: Target) => mayFind(type)
  const seen = <T extends Target>(target: T): T => (isSeen(target) ? target : { ...target, id: 0 })
  return change.kind === 'set'
    ? { ...change, targets: change.targets.map(seen), keeps: type => !mayFind(type) }
    : { ...change, connect: change.connect.map(seen), disconnect: change.disconnect.filter(isSeen) }
}

const invalid = 'Invalid relations'
/** Engines bind a limited number of values in one statement. */
const mostTargets = 10_000

function read(link: Link, value: unknown, at: readonly string[], dialect: Dialect): RelationChange | undefined {
  const isNone = value === null || (typeof value === 'boolean' && !link.many && dialect.looseRelations)
  if (isNone) return { kind: 'set', targets: [] }
  for (const list of [value, ...Object.values(Object(value))])
    if (Array.isArray(list) && list.length > mostTargets)
      throw `one request may name at most ${mostTargets} entries of a relation`
  if (Array.isArray(value)) return { kind: 'set', targets: value.map(item => readTarget(link, item)) }
  if (typeof value !== 'object') return { kind: 'set', targets: [readTarget(link, value)] }
  const asked = value as Record<string, unknown>
  if (Object.hasOwn(asked, 'id')) return { kind: 'set', targets: [readTarget(link, asked)] }
  const { set, connect, disconnect } = asked
  if (set !== undefined && (connect !== undefined || disconnect !== undefined) && dialect.setExcludesConnect)
    throw 'set replaces all relations and must not be combined with connect or disconnect'
  if (set !== undefined) {
    if (set !== null && !Array.isArray(set)) throw invalid
    return { kind: 'set', targets: (set ?? []).map(item => readTarget(link, item)) }
  }
  if (connect === undefined && disconnect === undefined) return undefined
  if (link.setOnly && connect !== undefined) throw 'connect cannot be used here; send the ids, or set'
  if (connect !== undefined && connect !== null && !Array.isArray(connect)) throw invalid
  const gone =
    disconnect === undefined || disconnect === null ? [] : Array.isArray(disconnect) ? disconnect : [disconnect]
  return {
    kind: 'partial',
    connect: readConnect(link, (connect as unknown[] | null | undefined) ?? [], at, dialect),
    disconnect: gone.map(item => readTarget(link, item)),
  }
}

function readTarget(link: Link, item: unknown): Target {
  const asked = typeof item === 'object' ? (item as Record<string, unknown> | null) : { id: item }
  const id = asked?.id
  if (asked === null || Array.isArray(asked) || (typeof id !== 'number' && typeof id !== 'string')) throw invalid
  const target = { id: readId(id) ?? 0 }
  if (link.targets !== undefined) return target
  const type = asked.__type ?? asked.type
  if (typeof type !== 'string') throw `${invalid}: an entry of any type needs { id, __type }`
  return { ...target, type }
}

function readConnect(link: Link, items: readonly unknown[], at: readonly string[], dialect: Dialect): Connection[] {
  const connections: Connection[] = []
  const seen = new Map<string, string>()
  for (const item of items) {
    const target = readTarget(link, item)
    const position = (item as { position?: unknown } | null)?.position
    const connection = { ...target, position: position === undefined ? atEnd : readPosition(position, dialect) }
    const key = `${target.type ?? ''} ${target.id}`
    const former = seen.get(key)
    const same = JSON.stringify(connection.position)
    if (former !== undefined && target.id !== 0) {
      if (dialect.uniqueConnect || former !== same) throw alreadyConnected(target.id, at, dialect)
      continue
    }
    seen.set(key, same)
    connections.push(connection)
  }
  return connections
}

function alreadyConnected(id: number, at: readonly string[], dialect: Dialect): ValidationError {
  const message = `The relation with id ${id} is already connected. You cannot connect the same relation twice.`
  return new ValidationError(
    message,
    dialect.terseErrors ? {} : { errors: [{ path: [...at], message, name: 'ValidationError' }] },
  )
}

const places = ['before', 'after', 'start', 'end']

function readPosition(raw: unknown, dialect: Dialect): Position {
  if (dialect.looseRelations && saysNothing(raw)) return atEnd
  const wrong = 'position takes exactly one of before: <id>, after: <id>, start: true, end: true'
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) throw wrong
  const keys = Object.keys(raw)
  const [key] = keys
  if (keys.length !== 1 || key === undefined || !places.includes(key)) throw wrong
  const value = (raw as Record<string, unknown>)[key]
  if (key === 'start' || key === 'end') {
    if (value !== true) throw wrong
    return key === 'start' ? { start: true } : { end: true }
  }
  const id = readId(value)
  if (id === undefined) throw wrong
  return key === 'before' ? { before: id } : { after: id }
}

/** No object, an empty one, or a place that is denied. */
function saysNothing(raw: unknown): boolean {
  if (typeof raw !== 'object' || raw === null) return true
  const [first, ...more] = Object.entries(raw)
  if (!first) return true
  const [key, value] = first
  return more.length === 0 && places.includes(key) && (value === false || value === null)
}

/**
 * The list that results from applying a change to a list: disconnected entries leave, connected ones are placed one after
 * the other. An entry that a position names and that is connected later in the same change is connected first.
 */
export function applyChange(
  current: readonly number[],
  change: RelationChange,
  at: readonly string[],
  dialect: Dialect,
): number[] {
  if (change.kind === 'set') return [...new Set(change.targets.map(({ id }) => id))]
  const gone = new Set(change.disconnect.map(({ id }) => id))
  const list = current.filter(id => !gone.has(id))
  const waiting = new Map(change.connect.map(connection => [connection.id, connection]))
  const visiting = new Set<number>()
  const refuse = (message: string) =>
    new ValidationError(
      message,
      dialect.terseErrors ? {} : { errors: [{ path: [...at], message, name: 'ValidationError' }] },
    )

  const place = (connection: Connection): void => {
    const { id, position } = connection
    if (!waiting.has(id)) return
    const anchor = 'before' in position ? position.before : 'after' in position ? position.after : undefined
    if (anchor !== undefined && !list.includes(anchor)) {
      const first = waiting.get(anchor)
      if (visiting.has(anchor) || anchor === id)
        throw refuse(
          'A circular reference was found in the connect array. One relation is trying to connect before/after another one that is trying to connect before/after it',
        )
      if (!first)
        throw refuse(
          `There was a problem connecting relation with id ${id} at position ${JSON.stringify(position)}. The relation with id ${anchor} needs to be connected first.`,
        )
      visiting.add(id)
      place(first)
    }
    waiting.delete(id)
    const former = list.indexOf(id)
    if (anchor === id) return
    if (former >= 0) list.splice(former, 1)
    if ('start' in position) list.unshift(id)
    else if (anchor === undefined) list.push(id)
    else list.splice(list.indexOf(anchor) + ('after' in position ? 1 : 0), 0, id)
  }
  for (const connection of change.connect) place(connection)
  return list
}
