import { computed, effect, type ReadonlySignal, type Signal, signal, untracked } from '@preact/signals'
import { errorMessageOf, isDone, type Reply } from '../../../pages/page/request.js'
import { isRecord } from '../../../pages/values/records.js'
import type { Kinds } from '../../model/form/kinds.js'
import type { Values } from '../../model/form/plain.js'
import { flat } from '../../model/form/read.js'
import { type Column, columnsOf } from '../../model/list/columns.js'
import { ListRequests } from '../../model/list/requests.js'
import { choose, nothingChosen, type Selection } from '../../model/list/selection.js'
import { firstPage, type ListView, type Place, viewIn, viewText, withView } from '../../model/list/view.js'
import type { Meta, TypeMeta } from '../../model/meta.js'
import { ask } from '../api.js'
import { address, go } from '../shell/address.js'
import { listed } from './listed.js'
import { chosenColumns } from './own-columns.js'

export interface Row {
  readonly id: number
  readonly values: Values
}

/** A page of the list, and the cursors of those beside it. */
interface PageOfRows {
  readonly rows: readonly Row[]
  readonly next?: Place
  readonly previous?: Place
}

export interface ListProblem {
  readonly status: number
  readonly message: string | undefined
}

/** A list while it is shown: what its address says, and what the server has of it. */
export class ListStore {
  readonly type: TypeMeta
  readonly meta: Meta
  readonly kinds: Kinds
  readonly requests: ListRequests
  readonly view: ReadonlySignal<ListView>
  readonly columns: ReadonlySignal<readonly Column[]>
  readonly page = signal<PageOfRows | undefined>(undefined)
  readonly problem = signal<ListProblem | undefined>(undefined)
  readonly isLoading = signal(true)
  /** The builder of filters is open. */
  readonly isFiltering = signal(false)
  readonly selection: Signal<Selection> = signal(nothingChosen)
  /** The entry that was chosen last: a range begins with it. */
  #lastChosen: number | undefined
  readonly #totals = signal<{ readonly list: string; readonly count: number } | undefined>(undefined)
  #asked = new AbortController()

  constructor(meta: Meta, kinds: Kinds, type: TypeMeta) {
    this.type = type
    this.meta = meta
    this.kinds = kinds
    this.requests = new ListRequests(meta, kinds, type)
    this.view = computed(() => this.#known(viewIn(address.value.search)))
    const own = chosenColumns(meta.account.id, type.uid)
    this.columns = computed(() => columnsOf(kinds, type, own.value))
  }

  /** The number of all entries of the list, once it is known. */
  get total(): number | undefined {
    const known = this.#totals.value
    return known?.list === this.requests.listOf(this.view.value) ? known.count : undefined
  }

  /** Reads what the address says, whenever it says something else; gives what ends that. */
  start(): () => void {
    const url = computed(() => this.requests.page(this.view.value, this.columns.value))
    const list = computed(() => this.requests.listOf(this.view.value))
    const stops = [
      effect(() => {
        const next = url.value
        untracked(() => void this.#load(next))
      }),
      effect(() => {
        const next = list.value
        // Entries are chosen in one list.
        this.selection.value = nothingChosen
        untracked(() => void this.#count(next))
      }),
    ]
    return () => {
      for (const stop of stops) stop()
      this.#asked.abort()
    }
  }

  /** Shows another part of the type. */
  change(part: Partial<ListView>): void {
    const text = viewText(withView(this.view.peek(), part))
    const { path } = address.peek()
    // A search is one step back, not one for every letter.
    go(text === '' ? path : `${path}?${text}`, { isSame: part.search !== undefined && this.view.peek().search !== '' })
  }

  /** Chooses an entry or not, and with a range all on the page from the one before. */
  choose(id: number, isOn: boolean, isRange: boolean): void {
    const ids = this.page.peek()?.rows.map(row => row.id) ?? []
    const [from, to] = [ids.indexOf(this.#lastChosen ?? id), ids.indexOf(id)].sort((one, other) => one - other)
    const range = isRange && from !== undefined && from >= 0 && to !== undefined ? ids.slice(from, to + 1) : [id]
    this.selection.value = choose(this.selection.peek(), range, isOn)
    this.#lastChosen = id
  }

  /** Reads the list again, as entries have changed. */
  async reload(): Promise<void> {
    const view = this.view.peek()
    this.#totals.value = undefined
    await Promise.all([
      this.#load(this.requests.page(view, this.columns.peek())),
      this.#count(this.requests.listOf(view)),
    ])
  }

  /** The title of an entry: the value of the field that names entries of its type. */
  titleOf({ id, values }: Row): string {
    const title = values[this.type.layout.settings.mainField]
    return title === null || title === undefined || title === '' ? `#${id}` : String(title)
  }

  /** The view without what the type does not have, so that an old address shows what it can. */
  #known(view: ListView): ListView {
    const { sort, locale } = view
    const { drafts, localized, scheduling } = this.type.options
    const isSorted = sort && this.requests.isSortable(sort.name)
    const { sort: _, locale: __, ...rest } = view
    return {
      ...rest,
      ...(isSorted && { sort }),
      ...(localized && locale !== undefined && { locale }),
      state: drafts && (scheduling || view.state !== 'scheduled') ? view.state : 'all',
      filters: this.requests.fields.complete(view.filters),
    }
  }

  async #load(url: string): Promise<void> {
    this.#asked.abort()
    const asked = new AbortController()
    this.#asked = asked
    this.isLoading.value = true
    const reply = await ask({ url, signal: asked.signal })
    if (asked.signal.aborted) return
    this.isLoading.value = false
    if (isDone(reply)) {
      this.problem.value = undefined
      const page = this.#read(reply)
      // The entries of a last page may be gone.
      if (page.rows.length === 0 && this.view.peek().place.from > 0) this.change({ place: firstPage })
      else {
        this.page.value = page
        listed.value = { uid: this.type.uid, ids: page.rows.map(({ id }) => id) }
      }
    } else if (reply.status === 400 && this.view.peek().place.cursor) {
      // A cursor of another list, or one that was cut off: the list begins again.
      this.change({ place: firstPage })
    } else this.problem.value = { status: reply.status, message: errorMessageOf(reply) }
  }

  async #count(list: string): Promise<void> {
    if (this.#totals.peek()?.list === list) return
    const reply = await ask({ url: this.requests.total(this.view.peek()) })
    const count = countIn(reply.body)
    if (isDone(reply) && count !== undefined && this.requests.listOf(this.view.peek()) === list)
      this.#totals.value = { list, count }
  }

  #read({ body }: Reply): PageOfRows {
    const data = isRecord(body) && Array.isArray(body.data) ? body.data : Array.isArray(body) ? body : []
    const rows = data.filter(isRecord).map(entry => ({ id: Number(entry.id), values: flat(entry) }))
    const view = this.view.peek()
    const { from } = view.place
    const size = this.requests.size(view)
    const pages = isRecord(body) && isRecord(body.meta) && isRecord(body.meta.pagination) ? body.meta.pagination : {}
    const [after, before] = [from + rows.length, Math.max(0, from - size)]
    if (!this.requests.hasCursors(view))
      return {
        rows,
        ...(rows.length === size && { next: { from: after } }),
        ...(from > 0 && { previous: { from: before } }),
      }
    const { next, previous } = pages
    return {
      rows,
      ...(typeof next === 'string' && { next: { from: after, cursor: { key: 'after', text: next } } }),
      ...(typeof previous === 'string' && { previous: { from: before, cursor: { key: 'before', text: previous } } }),
    }
  }
}

function countIn(body: unknown): number | undefined {
  if (typeof body === 'number') return body
  const total = isRecord(body) && isRecord(body.meta) && isRecord(body.meta.pagination) && body.meta.pagination.total
  return typeof total === 'number' ? total : undefined
}
