import type { Dialect } from '../dialect.js'
import { readId, WrongValue } from '../schema/values.js'
import { type Connection, type InputPlace, type Position, type RelationChange, refused } from './relation.js'

type PartialChange = Extract<RelationChange, { kind: 'partial' }>

/**
 * A list of ids once others were disconnected and connected: disconnected entries leave, connected ones are placed one
 * after the other. An entry that a position names and that is connected later in the same change is connected first.
 */
export function connected(current: readonly number[], change: PartialChange, place: InputPlace): number[] {
  const gone = new Set(change.disconnect.map(({ id }) => id))
  const order = new Order(
    current.filter(id => !gone.has(id)),
    change,
    place,
  )
  for (const connection of change.connect) order.connect(connection)
  return order.list
}

const anchorOf = (position: Position): number | undefined =>
  'before' in position ? position.before : 'after' in position ? position.after : undefined

/** A list of ids while entries are connected one by one. */
class Order {
  readonly list: number[]
  readonly #isLoose: boolean
  readonly #place: InputPlace
  readonly #waiting: Map<number, Connection>
  /** Ids that others have to be connected before. */
  readonly #visiting = new Set<number>()

  constructor(list: number[], { connect, isLoose }: PartialChange, place: InputPlace) {
    this.list = list
    this.#isLoose = isLoose
    this.#place = place
    this.#waiting = new Map(connect.map(connection => [connection.id, connection]))
  }

  connect(connection: Connection): void {
    const { id, position } = connection
    if (!this.#waiting.has(id)) return
    const anchor = anchorOf(position)
    if (anchor !== undefined && !this.list.includes(anchor)) this.#connectAnchor(connection, anchor)
    this.#waiting.delete(id)
    if (anchor !== id) this.#insert(id, position, anchor)
  }

  #connectAnchor({ id, position }: Connection, anchor: number): void {
    const first = this.#waiting.get(anchor)
    if (this.#visiting.has(anchor) || anchor === id)
      throw refused(
        'A circular reference was found in the connect array. One relation is trying to connect before/after another one that is trying to connect before/after it',
        this.#place,
      )
    if (!first && !this.#isLoose)
      throw refused(
        `There was a problem connecting relation with id ${id} at position ${JSON.stringify(position)}. The relation with id ${anchor} needs to be connected first.`,
        this.#place,
      )
    this.#visiting.add(id)
    if (first) this.connect(first)
  }

  #insert(id: number, position: Position, anchor: number | undefined): void {
    const { list } = this
    const former = list.indexOf(id)
    if (former >= 0) list.splice(former, 1)
    if ('start' in position) list.unshift(id)
    else if (anchor === undefined || !list.includes(anchor)) list.push(id)
    else list.splice(list.indexOf(anchor) + ('after' in position ? 1 : 0), 0, id)
  }
}

const atEnd: Position = { end: true }
const places = ['before', 'after', 'start', 'end']

/** Reads the position of a connected entry from a request. */
export function readPosition(raw: unknown, dialect: Dialect): Position {
  if (raw === undefined || (dialect.looseRelations && saysNothing(raw))) return atEnd
  const wrong = new WrongValue('position takes exactly one of before: <id>, after: <id>, start: true, end: true')
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
