import { createHash } from 'node:crypto'
import { InvalidParameter } from '../errors.js'
import type { Raw } from './raw.js'
import { rankField } from './search/rank.js'
import { type CursorRequest, idField, type Keyset, type Order, type PageTurner, type QueryNode } from './tree.js'
import type { QueryPlace } from './visitor.js'

/** The order and filters that a cursor holds for. */
interface Prints {
  readonly sort: string
  readonly filters: string
}

/** Characters of a text that a cursor may hold: it has to fit into an address. */
const longest = 1000

/** The page of a list beside an entry, which the cursor names by the values that the list is sorted by: the entry may be gone by now. */
export function besideCursor(
  node: QueryNode,
  { cursor: { key, text }, limit }: { readonly cursor: CursorRequest; readonly limit: number },
  raw: Raw,
  { type, visitor }: QueryPlace,
): QueryNode {
  const path = ['pagination', key]
  const orders = totalOrder(node.order)
  if (orders.some(({ field }) => field === rankField))
    throw new InvalidParameter(
      path,
      'a list that is sorted by _rank has no cursors; use pagination[page], or another sort',
    )
  if (orders.some(({ number }) => number !== undefined))
    throw new InvalidParameter(path, 'a list that is sorted by a measure has no cursors; use pagination[page]')
  // A client can read what its cursor holds.
  if (!orders.every(({ field }) => field.readable))
    throw new InvalidParameter(path, 'this list is sorted by what it does not show; use pagination[page]')
  const prints = {
    sort: printOf([type.uid, ...orders.map(nameOf)]),
    filters: printOf([raw.filters, raw._q, visitor.ask.params]),
  }
  const from = text === '' ? undefined : readCursor(text, prints, orders, path)
  const isBack = key === 'before'
  const of = { from, isBack, limit, terms: orders.length, cursorOf: writerOf(prints, orders) }
  return {
    ...node,
    order: isBack
      ? orders.map(order => ({ ...order, descending: !order.descending, byLargest: order.descending }))
      : orders,
    page: { start: 0, limit: limit + 1, keyset: { ...(from && { from }), turner: () => pageTurner(of) } },
  }
}

/** The id comes last, and nothing after it can order. */
function totalOrder(orders: readonly Order[]): readonly Order[] {
  const isId = ({ field, through }: Order) => field.name === 'id' && through.length === 0
  const id = orders.findIndex(isId)
  return id < 0 ? [...orders, { field: idField, descending: false, through: [] }] : orders.slice(0, id + 1)
}

const nameOf = ({ field, descending, through }: Order): string =>
  [...through.map(({ link }) => link.name), field.name, descending ? 'desc' : 'asc'].join('.')

const printOf = (value: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(value) ?? '')
    .digest('base64url')
    .slice(0, 8)

const writerOf =
  ({ sort, filters }: Prints, orders: readonly Order[]): PageContext['cursorOf'] =>
  (values, included = false) => {
    const long = values.findIndex(value => typeof value === 'string' && value.length > longest)
    if (long >= 0)
      throw new InvalidParameter(
        ['sort'],
        `a value of ${orders[long]?.field.name} has more than ${longest} characters, too many for a cursor; use pagination[page], or another order`,
      )
    const content = [sort, filters, Number(included), ...values]
    return Buffer.from(JSON.stringify([printOf(content), ...content])).toString('base64url')
  }

function readCursor(text: string, prints: Prints, orders: readonly Order[], path: readonly string[]) {
  const content = contentOf(text)
  const [sort, filters, included, ...values] = content ?? []
  if (!content)
    throw new InvalidParameter(
      path,
      'is no cursor of this server; send meta.pagination.next or previous of a page as it is, or nothing to begin',
    )
  const begin = `begin again with an empty ${path[0]}[${path[1]}]`
  if (sort !== prints.sort) throw new InvalidParameter(path, `is a cursor of another type or sort; ${begin}`)
  if (filters !== prints.filters)
    throw new InvalidParameter(path, `is a cursor of a list with other filters or parameters; ${begin}`)
  if (values.length !== orders.length || !values.every((value, index) => mayBe(value, orders[index] as Order)))
    throw new InvalidParameter(path, `holds values that its attributes cannot have; ${begin}`)
  return { values, included: included === 1 }
}

/** The content of a cursor; undefined if the cursor was changed. */
function contentOf(text: string): readonly unknown[] | undefined {
  try {
    const [print, ...content]: unknown[] = JSON.parse(Buffer.from(text, 'base64url').toString())
    return print === printOf(content) ? content : undefined
  } catch {
    return undefined
  }
}

/** A cursor that a client has made gets no further than a filter. */
function mayBe(value: unknown, { field }: Order): boolean {
  if (value === null) return field.name !== 'id'
  const { as, operators } = field.type
  if (typeof value === 'string')
    return value.length <= longest && !value.includes('\0') && (operators === 'text' || isForm(value, as))
  return typeof value === 'boolean' ? as === 'boolean' : Number.isFinite(value)
}

function isForm(value: string, as: string): boolean {
  if (as === 'json') return true
  if (['date', 'time', 'datetime', 'timestamp'].includes(as)) return /^[\d:. TZ+-]{4,40}$/.test(value)
  return as === 'bigint' ? /^-?\d{1,19}$/.test(value) : value !== '' && Number.isFinite(Number(value))
}

/** The parts of a list that its page depends on. */
interface PageContext {
  readonly from: Keyset['from']
  /** The rows come in the opposite order. */
  readonly isBack: boolean
  /** One less than is read: a further row shows that there is more. */
  readonly limit: number
  /** The number of terms in the order. */
  readonly terms: number
  readonly cursorOf: (values: readonly unknown[], included?: boolean) => string
}

function pageTurner({ from, isBack, limit, terms, cursorOf }: PageContext): PageTurner {
  const turner: PageTurner = {
    cursors: { next: null, previous: null },
    cut(read) {
      const rows = isBack ? read.slice(0, limit).reverse() : read.slice(0, limit)
      const at = (row: readonly unknown[]) => cursorOf(row.slice(row.length - terms))
      const [first, last] = [rows[0], rows.at(-1)]
      const [near, far] = isBack ? [last, first] : [first, last]
      const on = far && read.length > limit ? at(far) : null
      // An empty page points back at the entry of the cursor itself, which comes first in the other direction.
      const back = !from ? null : near ? at(near) : from.included ? null : cursorOf(from.values, true)
      turner.cursors = isBack ? { next: back, previous: on } : { next: on, previous: back }
      return rows
    },
  }
  return turner
}
