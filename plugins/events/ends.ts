import type { ContentType, Host, Link, Write } from '../../core/index.js'
import type { TransactionSession } from '../../core/plugin-kit.js'
import { readId } from '../../core/plugin-kit.js'
import type { End } from './event.js'

/** The largest number of ends in an event: more would make it larger than the write itself. */
const most = 100

/** The relations that a write names, without components, which are part of the entry. */
function linksIn(type: ContentType, data: Readonly<Record<string, unknown>>): Link[] {
  const found: Link[] = []
  for (const name in data) {
    const link = type.links.get(name)
    if (link && !link.embedded) found.push(link)
  }
  return found
}

/** The entries that a write connects or disconnects in its relations. */
export function sentEnds(type: ContentType, { data, set }: Pick<Write, 'data' | 'set'>): End[] {
  const found: End[] = []
  const sent = set ? { ...data, ...set } : data
  for (const link of linksIn(type, sent)) {
    const items = itemsOf(sent[link.name])
    for (let index = 0; index < items.length && index < most; index += 1) {
      const end = endOf(link, items[index])
      if (end) found.push(end)
    }
  }
  return found
}

/** An id, an object with one, a list of either, or an object of such lists. */
function itemsOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  if (typeof value !== 'object' || value === null || Object.hasOwn(value, 'id')) return [value]
  const { set, connect, disconnect } = value as Readonly<Record<string, unknown>>
  return [set, connect, disconnect].flatMap(list => (list === undefined || list === null ? [] : list))
}

function endOf(link: Link, item: unknown): End | undefined {
  const { id = item, __type } = (typeof item === 'object' && item !== null ? item : {}) as Record<string, unknown>
  const known = readId(id)
  const uid = typeof __type === 'string' ? __type : link.targets?.length === 1 ? link.targets[0] : undefined
  return known === undefined || uid === undefined ? undefined : { attribute: link.name, uid, id: known }
}

/** Position of the entry's id among the values of a statement. */
const entry = Symbol('entry')

/** The statement that reads the other ends of a relation. */
interface EndsQuery {
  readonly sql: string
  readonly bindings: readonly unknown[]
  /** The type of all of them; undefined where each row names its own. */
  readonly only: string | undefined
}

/** Reads the entries at the other ends of relations. Texts are made once: building one costs more than running it. */
export class FormerEnds {
  readonly #host: Host
  readonly #readings = new WeakMap<Link, { readonly reading: EndsQuery | undefined }>()

  constructor(host: Host) {
    this.#host = host
  }

  /** The other ends of an entry's relations before it is written: those named in `data`, or all of a delete. */
  async of({ type, data, id }: LinkedEntry, { batch }: TransactionSession): Promise<End[]> {
    const links = data ? linksIn(type, data) : [...type.links.values()].filter(({ embedded }) => !embedded)
    const asked = links.flatMap(link => {
      const reading = this.#readingOf(link)
      return reading ? [{ link, reading }] : []
    })
    const reads = asked.map(({ reading: { sql, bindings } }) =>
      batch.all(
        sql,
        bindings.map(value => (value === entry ? id : value)),
      ),
    )
    await batch.send()
    const found = await Promise.all(reads)
    return asked.flatMap(({ link, reading: { only } }, index) =>
      (found[index] ?? []).flatMap(([other, uid = only]) =>
        other !== null && uid ? [{ attribute: link.name, uid: String(uid), id: Number(other) }] : [],
      ),
    )
  }

  #readingOf(link: Link): EndsQuery | undefined {
    const known = this.#readings.get(link) ?? { reading: this.#prepare(link) }
    this.#readings.set(link, known)
    return known.reading
  }

  #prepare(link: Link): EndsQuery | undefined {
    const { store, types } = this.#host
    const only = link.targets?.length === 1 ? link.targets[0] : undefined
    const target = only === undefined ? undefined : types.types.get(only)
    const place = placeOf(link, target?.table)
    if (!place || (only === undefined && place.typeColumn === undefined)) return undefined
    const columns = [place.column, ...(place.typeColumn === undefined ? [] : [place.typeColumn])]
    const query = store.knex(place.table).select(columns).where(place.where).limit(most)
    return { ...query.toSQL().toNative(), only }
  }
}

/** A written entry, with its data; without `data`, all of its relations. */
export interface LinkedEntry {
  readonly id: number
  readonly type: ContentType
  readonly data?: Readonly<Record<string, unknown>>
}

/** Positions of the ids of the other ends. */
interface LinkPlace {
  readonly table: string
  readonly column: string
  readonly typeColumn?: string | undefined
  /** The id of the entry is yet to come. */
  readonly where: Readonly<Record<string, unknown>>
}

function placeOf({ storage, table }: Link, target: string | undefined): LinkPlace | undefined {
  if (storage.via === 'column') return { ...storage, table, where: { id: entry } }
  if (storage.via === 'target')
    return target === undefined
      ? undefined
      : { table: target, column: 'id', where: { [storage.column]: entry, ...storage.match } }
  const { from, to, match, typeColumn } = storage
  return { table: storage.table, column: to, typeColumn, where: { [from]: entry, ...match } }
}

/** The ends as they are stored, each of them once: written piece by piece, which takes less than `JSON.stringify`. */
export function textOf(ends: readonly End[]): string {
  let text = ''
  for (const [index, { attribute, uid, id }] of ends.entries()) {
    if (isRepeated(ends, index)) continue
    text += `${text && ','}${beginningOf(attribute, uid)}${id}}`
  }
  return `[${text}]`
}

/** True if an end occurs earlier in the list. The ends are few, so scanning is faster than building a set. */
function isRepeated(ends: readonly End[], index: number): boolean {
  const { attribute, uid, id } = ends[index] as End
  for (let before = 0; before < index; before += 1) {
    const end = ends[before] as End
    if (end.id === id && end.attribute === attribute && end.uid === uid) return true
  }
  return false
}

const beginnings = new Map<string, Map<string, string>>()

function beginningOf(attribute: string, uid: string): string {
  const text = beginnings.get(attribute)?.get(uid)
  if (text !== undefined) return text
  const made = JSON.stringify({ attribute, uid, id: 0 }).slice(0, -2)
  const known = beginnings.get(attribute) ?? new Map<string, string>()
  beginnings.set(attribute, known.set(uid, made))
  return made
}
