import { type Engine, isApart, type RawRow, type Session, tooMany } from '../engines/engine.js'
import type { Sql } from '../engines/words.js'
import type { TimeSlice } from '../loop/time-slice.js'
import type { Entry } from '../query/ask.js'
import { overBudget } from '../query/budget.js'
import { prune } from '../query/more.js'
import type { ContentType, Link } from '../schema/types.js'
import type { PreparedPlan } from './plan.js'
import { type ChildPlan, type Column, firstColumn, type MorePlan, type NodePlan } from './row-plan.js'
import { bind, type Frame, type Moment } from './statement.js'

/** The state of one run of a plan. */
export interface Run {
  readonly engine: Engine
  readonly session: Session
  readonly moment: Moment
  readonly values: readonly unknown[]
  /** The number of further entries that this response may hold. */
  room: number
  readonly roomInAll: number
  /** The statements that may still run and were not counted before, and the most of all. */
  possible: number
  readonly possibleInAll: number
  readonly slice: TimeSlice
  /** Chooses the rows of the root that are returned. */
  readonly cut?: (rows: readonly RawRow[]) => readonly RawRow[]
  /** Lets hooks see the rows of a node before they are written. */
  readonly see?: (type: ContentType, entries: Entry[], place: EntryPlace) => void | Promise<void>
}

/** The writer that makes a response of fetched rows: JSON text, or objects for code that changes them. */
export interface Shape<Item> {
  /** One row with its populated attributes, in the attributes and in the meta of the entry. */
  entry(row: RawRow, plan: NodePlan, populated: readonly PopulatedAttribute<Item>[], place: EntryPlace): Item
  /** Rows of a root with nothing populated, written at once and separated by commas; undefined where they cannot be. */
  list?(rows: readonly RawRow[], plan: NodePlan): Item | undefined
  /** The value of a populated attribute. */
  attribute(link: Link, items: readonly Item[]): Item
  count(link: Link, count: number): Item
}

/** `varied` and `typed` tell the type of the entry, inside and outside of an envelope. */
export type EntryPlace = 'root' | 'data' | 'inline' | 'zone' | 'varied' | 'typed'

export interface PopulatedAttribute<Item> {
  readonly name: string
  readonly as: ChildPlan['as']
  readonly value: Item
}

/** The context of one fetch, the same for all its nodes. */
interface Fetch<Item> {
  readonly run: Run
  readonly shape: Shape<Item>
}

interface LinkedItem<Item> {
  readonly owner: number
  readonly place: number
  readonly item: Item
  readonly size: number
}

/** Written rows, and of how many entries each consists: one that is populated in many places is written many times. */
interface WrittenRows<Item> {
  readonly items: Item[]
  readonly sizes: readonly number[] | undefined
}

/** Fetches a whole response: one statement for the root, one for each populated path, for any number of rows. */
export async function fetchAll<Item>({ plan }: PreparedPlan, run: Run, shape: Shape<Item>): Promise<Item[]> {
  const rows = await execute(plan.root.statement, run)
  const shown = run.cut?.(rows) ?? rows
  const lists = await listRows(shown, plan.root, { run, shape })
  return lists ?? (await assemble(shown, plan.root, { run, shape }, 'root')).items
}

/** A whole response as the database wrote it, null if it has no entries; undefined if it has to be assembled from rows. */
export function fetchWhole(
  { plan: { whole }, values }: PreparedPlan,
  { engine, session, moment }: Pick<Run, 'engine' | 'session' | 'moment'>,
  frame: Frame,
): Buffer | null | undefined | Promise<Buffer | null | undefined> {
  if (!whole) return undefined
  const statement = bind(engine, whole, values, { moment, frame })
  try {
    const rows = session.all(statement.text, statement.values)
    return rows instanceof Promise ? rows.then(bytesOf).catch(unlessTooMany) : bytesOf(rows)
  } catch (error) {
    return unlessTooMany(error)
  }
}

function bytesOf(rows: readonly RawRow[]): Buffer | null {
  const text = rows[0]?.[0] as Uint8Array | null | undefined
  return text ? Buffer.from(text.buffer, text.byteOffset, text.byteLength) : null
}

function unlessTooMany(error: unknown): undefined {
  if (!(error instanceof Error) || !error.message.includes(tooMany)) throw error
}

/** One entry that is shown alone, and of how many entries it consists. */
export interface SingleEntry<Item> {
  readonly id: number
  readonly item: Item
  readonly size: number
}

/** Fetches the same for entries that are shown one by one. */
export async function fetchEach<Item>(
  { plan }: PreparedPlan,
  run: Run,
  shape: Shape<Item>,
): Promise<SingleEntry<Item>[]> {
  const rows = await execute(plan.root.statement, run)
  const { items, sizes } = await assemble(rows, plan.root, { run, shape }, 'root')
  return rows.map(([id], index) => ({ id: Number(id), item: items[index] as Item, size: sizes?.[index] ?? 1 }))
}

async function execute(statement: Sql, run: Run, ids?: readonly number[]): Promise<readonly RawRow[]> {
  const { text, values } = bind(run.engine, statement, run.values, {
    moment: run.moment,
    room: Math.min(run.room + 1, 2_147_483_647),
    ...(ids && { ids }),
  })
  const rows = await run.session.all(text, values)
  run.slice.restart()
  return rows
}

async function assemble<Item>(
  rows: readonly RawRow[],
  plan: NodePlan,
  fetch: Fetch<Item>,
  place: EntryPlace,
): Promise<WrittenRows<Item>> {
  const { run, shape } = fetch
  run.room -= rows.length
  if (run.room < 0) throw overBudget('entries', run.roomInAll, ['populate'])
  const items: Item[] = new Array(rows.length)
  let sizes: number[] | undefined
  if (rows.length === 0) return { items, sizes }
  if (plan.children.length === 0) {
    for (let index = 0; index < rows.length; index += 1) {
      if (index % few === few - 1 && run.slice.isOver) await run.slice.yield()
      items[index] = leave(shape.entry(rows[index] as RawRow, plan, none, place), rows[index] as RawRow, plan)
    }
  } else {
    const children = await fetchChildren(plan, rows, fetch)
    sizes = sizesOf(rows, children, run)
    for (let index = 0; index < rows.length; index += 1) {
      if (run.slice.isOver) await run.slice.yield()
      const row = rows[index] as RawRow
      const id = Number(row[0])
      const found = ({ name, as, values, empty }: FetchedValues<Item>) => ({ name, as, value: values.get(id) ?? empty })
      items[index] = leave(shape.entry(row, plan, children.map(found), place), row, plan)
    }
  }
  if (run.see) await run.see(plan.type, items as Entry[], place)
  return { items, sizes }
}

/** Leaves an entry what its row tells that it shows. It is an object: texts have no parts. */
function leave<Item>(entry: Item, row: RawRow, { more }: NodePlan): Item {
  if (more) prune(entry as Entry, more.view.named(metBy(row, more)), more.shown)
  return entry
}

/** For each part of what some entries show, whether the row is one of them. */
const metBy = (row: RawRow, { view, from }: MorePlan): readonly boolean[] =>
  view.parts.map((_, index) => Number(row[from + index]) === 1)

/** Rows that are written in no time. */
const few = 32

/** The texts of some rows each: rows that are written at once cost less than their parts. */
async function listRows<Item>(rows: readonly RawRow[], plan: NodePlan, { run, shape }: Fetch<Item>) {
  if (!shape.list || run.see || plan.children.length > 0 || rows.length > run.room) return undefined
  const lists: Item[] = []
  for (let from = 0; from < rows.length; from += few) {
    const list = shape.list(rows.slice(from, from + few), plan)
    if (list === undefined) return undefined
    lists.push(list)
    if (run.slice.isOver) await run.slice.yield()
  }
  return lists
}

/** Known before anything is written: a circle of relations is few rows and can be a text without end. */
function sizesOf(rows: readonly RawRow[], children: readonly FetchedValues<unknown>[], run: Run): number[] {
  let room = run.roomInAll
  return rows.map(row => {
    let size = 1
    for (const { as, sizes } of children) if (as === undefined) size += sizes.get(Number(row[0])) ?? 0
    room -= size
    if (room < 0) throw overBudget('entries', run.roomInAll, ['populate'])
    return size
  })
}

const none: readonly PopulatedAttribute<never>[] = []

interface FetchedValues<Item> {
  readonly name: string
  readonly as: ChildPlan['as']
  readonly values: ReadonlyMap<number, Item>
  /** Of how many entries the value of each owner consists. */
  readonly sizes: ReadonlyMap<number, number>
  readonly empty: Item
}

async function fetchChildren<Item>(
  { children: plans, more }: NodePlan,
  rows: readonly RawRow[],
  fetch: Fetch<Item>,
): Promise<FetchedValues<Item>[]> {
  const { run } = fetch
  const ids = idsOf(rows)
  const fetchOf = (plan: ChildPlan) => {
    const { givers } = plan
    if (!more || !givers) return fetchChild(plan, ids, fetch)
    // Nothing is read that is not shown.
    return fetchChild(plan, idsOf(rows.filter(row => metBy(row, more).some((met, part) => met && givers[part]))), fetch)
  }
  const fetched: FetchedValues<Item>[] = []
  // One connection answers one statement at a time, also that of a transaction; a pool answers several at once.
  if (run.engine.words.readsInTurn || isApart(run.session)) for (const plan of plans) fetched.push(await fetchOf(plan))
  else fetched.push(...(await Promise.all(plans.map(fetchOf))))
  return fetched
}

const idsOf = (rows: readonly RawRow[]): readonly number[] => [...new Set(rows.map(row => Number(row[0])))]

async function fetchChild<Item>(
  plan: ChildPlan,
  ids: readonly number[],
  fetch: Fetch<Item>,
): Promise<FetchedValues<Item>> {
  const { run, shape } = fetch
  const { link, as } = plan
  if (ids.length === 0)
    return { name: link.name, as, values: new Map(), sizes: new Map(), empty: shape.attribute(link, []) }
  if (plan.countOnly) return fetchCounts(plan, ids, fetch)
  const found = plan.pointers ? await fetchVaried(plan, plan.pointers, ids, fetch) : await fetchNodes(plan, ids, fetch)
  const byOwner = new Map<number, Item[]>()
  const sizes = new Map<number, number>()
  for (const { owner, item, size } of found) {
    sizes.set(owner, (sizes.get(owner) ?? 0) + size)
    const items = byOwner.get(owner)
    if (items) items.push(item)
    else byOwner.set(owner, [item])
  }
  const values = new Map<number, Item>()
  for (const [owner, items] of byOwner) {
    if (run.slice.isOver) await run.slice.yield()
    values.set(owner, shape.attribute(link, items))
  }
  return { name: link.name, as, values, sizes, empty: shape.attribute(link, []) }
}

async function fetchNodes<Item>(
  plan: ChildPlan,
  ids: readonly number[],
  fetch: Fetch<Item>,
): Promise<LinkedItem<Item>[]> {
  const { run } = fetch
  const found: LinkedItem<Item>[] = []
  for (const node of await nodesThere(plan, ids, run)) {
    const rows = await execute(node.statement, run, ids)
    const { items, sizes } = await assemble(rows, node, fetch, plan.link.shape)
    for (let index = 0; index < rows.length; index += 1) {
      if (index % few === few - 1 && run.slice.isOver) await run.slice.yield()
      const [, owner, place] = rows[index] as RawRow
      const size = sizes?.[index] ?? 1
      found.push({ owner: Number(owner), place: Number(place), item: items[index] as Item, size })
    }
  }
  // The types of a zone come one after the other and are put back into the order of the zone.
  return plan.nodes.length > 1 ? found.sort((a, b) => a.owner - b.owner || a.place - b.place) : found
}

/** The types that are worth a statement. */
async function nodesThere(
  { link, nodes, present }: ChildPlan,
  ids: readonly number[],
  run: Run,
): Promise<readonly NodePlan[]> {
  if (!present) return nodes
  const uids = new Set((await execute(present, run, ids)).map(([uid]) => uid))
  const there = nodes.filter(({ type }) => uids.has(type.uid))
  for (const { cost = 0 } of there) run.possible -= cost
  if (run.possible < 0) throw overBudget('statements', run.possibleInAll, ['populate', link.name])
  return there
}

async function fetchCounts<Item>(
  plan: ChildPlan,
  ids: readonly number[],
  { run, shape }: Fetch<Item>,
): Promise<FetchedValues<Item>> {
  const counts = new Map<number, number>()
  for (const { statement } of await nodesThere(plan, ids, run))
    for (const [count, owner] of await execute(statement, run, ids))
      counts.set(Number(owner), (counts.get(Number(owner)) ?? 0) + Number(count))
  const values = new Map([...counts].map(([owner, count]) => [owner, shape.count(plan.link, count)]))
  return { name: plan.link.name, as: plan.as, values, sizes: new Map(), empty: shape.count(plan.link, 0) }
}

/** Any type can stand behind the link: its rows say which ids of which types, then each type is fetched once. */
async function fetchVaried<Item>(
  plan: ChildPlan,
  pointers: Sql,
  ids: readonly number[],
  fetch: Fetch<Item>,
): Promise<LinkedItem<Item>[]> {
  const { run } = fetch
  const rows = await execute(pointers, run, ids)
  const wanted = new Map<string, Set<number>>()
  for (const [, id, uid] of rows) {
    const known = wanted.get(String(uid))
    if (known) known.add(Number(id))
    else wanted.set(String(uid), new Set([Number(id)]))
  }
  const items = new Map<string, { item: Item; size: number }>()
  for (const node of plan.nodes) {
    const { uid } = node.type
    const targets = wanted.get(uid)
    if (!targets) continue
    const found = await execute(node.statement, run, [...targets])
    const written = await assemble(found, node, fetch, variedPlace(plan.link))
    for (let index = 0; index < found.length; index += 1)
      items.set(`${uid} ${found[index]?.[0]}`, {
        item: written.items[index] as Item,
        size: written.sizes?.[index] ?? 1,
      })
  }
  const types = new Map(plan.nodes.map(({ type, view = type }) => [type.uid, view]))
  return rows.flatMap(([owner, id, uid, field], place) => {
    const found = items.get(`${uid} ${id}`)
    // An attribute that an entry hides does not show from its other end.
    if (types.get(String(uid))?.links.get(String(field))?.readable === false) return []
    return found === undefined ? [] : [{ owner: Number(owner), place, ...found }]
  })
}

/** Without envelopes, only lists tell the types of their entries. */
const variedPlace = ({ shape, many }: Link): EntryPlace => (shape === 'data' ? 'varied' : many ? 'typed' : 'inline')

/**
 * Responses as JSON text, entry by entry: no response is ever a tree of objects that has to be written in one go. `emptyMeta`
 * is the meta of an entry that lists nothing; without it entries have none.
 */
export const textShape = (emptyMeta?: string): Shape<string> => ({
  list(rows, { columns }) {
    if (columns.length > 0 && columns.length <= fewColumns) {
      const meta = emptyMeta === undefined ? '' : `,"meta":${emptyMeta}`
      return rows.map(row => `{"id":${row[0]},"attributes":{${fieldsOf(row, columns)}}${meta}}`).join()
    }
    // An id that is no number in JavaScript is one in the response, and one name is no name in an object.
    const isPlain = rows.every(([id]) => typeof id === 'number') && !columns.some(({ name }) => name === '__proto__')
    if (columns.length === 0 || !isPlain) return undefined
    const meta = emptyMeta === undefined ? undefined : JSON.parse(emptyMeta)
    return JSON.stringify(rows.map(row => ({ id: row[0], attributes: valuesOf(row, columns), meta }))).slice(1, -1)
  },
  entry(row, { type, columns }, populated, place) {
    let text = columns.length > 0 ? fieldsOf(row, columns) : writtenFields(row)
    let listed = ''
    for (const { name, as, value } of populated)
      if (as === 'meta') listed = `${listed === '' ? '' : `${listed},`}"${name}":${value}`
      else text = `${text === '' ? '' : `${text},`}"${name}":${value}`
    if (place !== 'root') return placed(row[0], type.uid, text, place)
    const meta = listed === '' ? emptyMeta : `{${listed}}`
    return `{"id":${row[0]},"attributes":{${text}}${meta === undefined ? '' : `,"meta":${meta}`}}`
  },
  attribute({ many, shape, emptyIsNull }, items) {
    const value = many && !(emptyIsNull && items.length === 0) ? `[${items.join(',')}]` : (items[0] ?? 'null')
    return shape === 'data' ? `{"data":${value}}` : value
  },
  count: ({ shape }, count) => (shape === 'data' ? `{"data":{"attributes":{"count":${count}}}}` : `{"count":${count}}`),
})

/** The text of an entry below the root, with the members that its place requires. */
function placed(id: unknown, uid: string, text: string, place: Exclude<EntryPlace, 'root'>): string {
  switch (place) {
    case 'data':
      return `{"id":${id},"attributes":{${text}}}`
    case 'inline':
      return `{"id":${id}${behind(text)}}`
    case 'zone':
      return `{"id":${id},"__component":"${uid}"${behind(text)}}`
    case 'typed':
      return `{"__type":"${uid}","id":${id}${behind(text)}}`
    case 'varied':
      return `{"id":${id},"attributes":{"__type":"${uid}"${behind(text)}}}`
  }
}

const behind = (text: string): string => (text === '' ? '' : `,${text}`)

/** The fields as the database wrote them; nothing where none was asked for. */
const writtenFields = (row: RawRow): string => ((row[firstColumn] ?? '{}') as string).slice(1, -1)

function valuesOf(row: RawRow, columns: readonly Column[]): Entry {
  const values: Entry = {}
  for (let index = 0; index < columns.length; index += 1) {
    const { name, read } = columns[index] as Column
    values[name] = read(row[firstColumn + index])
  }
  return values
}

function fieldsOf(row: RawRow, columns: readonly Column[]): string {
  let text = ''
  for (let index = 0; index < columns.length; index += 1) {
    const { label, read } = columns[index] as Column
    const value = jsonOf(read(row[firstColumn + index]))
    if (value !== undefined) text += text === '' ? label + value : `,${label}${value}`
  }
  return text
}

/** Columns of rows whose parts put together cost less than objects made of them. */
const fewColumns = 5
/** Characters up to which it costs less to see that a text has nothing to escape. */
const shortText = 100
const plain = /^[ !#-[\]-\ud7ff\ue000-\uffff]*$/

function jsonOf(value: unknown): string | undefined {
  if (typeof value === 'string' && value.length <= shortText && plain.test(value)) return `"${value}"`
  return typeof value === 'number' && Number.isFinite(value) ? `${value}` : JSON.stringify(value)
}

/**
 * Responses as objects: `nested` puts attributes and relations in their envelopes, `plain` leaves them flat.
 */
export const objectShape = (
  style: 'nested' | 'plain',
  { idText, isTyped = false }: ObjectOptions = {},
): Shape<Entry> => ({
  entry(row, { columns, type }, populated, place) {
    const entry: Entry & HiddenMembers = isTyped ? { id: Number(row[0]), [entryType]: type } : { id: Number(row[0]) }
    if (idText !== undefined && type.kind !== 'component') entry[idText] = String(row[0])
    if (place === 'zone') entry.__component = type.uid
    if (place === 'varied' || place === 'typed') entry.__type = type.uid
    for (let index = 0; index < columns.length; index += 1) {
      const { name, read } = columns[index] as Column
      entry[name] = read(row[firstColumn + index])
    }
    for (const { name, as, value } of populated)
      if (as === 'meta') {
        entry[metaOf] ??= {}
        entry[metaOf][name] = value
      } else entry[name] = value
    return entry
  },
  attribute({ many, shape, emptyIsNull }, items) {
    const wrap = style === 'nested' && shape === 'data' ? nest : (item: Entry) => item
    const value = many && !(emptyIsNull && items.length === 0) ? items.map(wrap) : items[0] ? wrap(items[0]) : null
    return (style === 'nested' && shape === 'data' ? { data: value } : value) as Entry
  },
  count: ({ shape }, count) =>
    style === 'nested' && shape === 'data' ? { data: { attributes: { count } } } : { count },
})

interface ObjectOptions {
  /** Entries, but not components, have their id under this name too, as a text. */
  readonly idText?: string | undefined
  /** Entries tell their type, to formats that ask for it. */
  readonly isTyped?: boolean
}

interface HiddenMembers {
  [metaOf]?: Entry
  [entryType]?: ContentType
}

const entryType: unique symbol = Symbol('type')

/** The type of an entry that tells it, in an envelope or without. */
export function typeOf(entry: unknown): ContentType | undefined {
  if (typeof entry !== 'object' || entry === null) return undefined
  return (
    (entry as HiddenMembers)[entryType] ?? (entry as { readonly attributes?: HiddenMembers }).attributes?.[entryType]
  )
}

/** The key of an entry's meta, hidden from code that iterates over its attributes. */
export const metaOf: unique symbol = Symbol('meta')

/** The envelope of one entry. */
export function nest({ id, ...attributes }: Entry): Entry {
  return { id, attributes }
}
