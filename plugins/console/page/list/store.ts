import { computed, effect, type ReadonlySignal, type Signal, signal, untracked } from '@preact/signals'
import { errorMessageOf, isDone, type Reply } from '../../../pages/page/request.js'
import type { Kinds } from '../../model/form/kinds.js'
import { type Column, columnsOf, stateColumn } from '../../model/list/columns.js'
import { countIn, listIn, type PageOfRows, pageIn, type Row } from '../../model/list/page.js'
import { ListRequests, mostCounted } from '../../model/list/requests.js'
import { choose, isChosen, nothingChosen, type Selection } from '../../model/list/selection.js'
import { firstPage, type ListView, statesOf, viewIn, viewText, withView } from '../../model/list/view.js'
import type { Meta, TypeMeta } from '../../model/meta.js'
import { ask, numberOf } from '../api.js'
import { address, go } from '../shell/address.js'
import { t } from '../text.js'
import { listed } from './listed.js'
import { chosenColumns } from './own-columns.js'

export interface ListProblem {
  readonly status: number
  readonly message: string | undefined
}

/** The list that is shown. */
let shownList: ListStore | undefined

/** Reads the list that is shown again, where its entries are of a type. */
export async function reloadShown(uid: string): Promise<void> {
  if (shownList?.type.uid === uid) await shownList.reload()
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
  /** The times at which entries were changed last, as the list has shown them. */
  readonly shown = new Map<number, string>()
  /** The entry that was chosen last: a range begins with it. */
  #lastChosen: number | undefined
  readonly #totals = signal<Total | undefined>(undefined)
  /** A text that no title begins with. */
  readonly #startsNothing = signal<string | undefined>(undefined)
  #asked = new AbortController()

  constructor(meta: Meta, kinds: Kinds, type: TypeMeta) {
    this.type = type
    this.meta = meta
    this.kinds = kinds
    this.requests = new ListRequests(meta, kinds, type)
    this.view = computed(() => this.#fitting(viewIn(address.value.search)))
    const own = chosenColumns(meta.account.id, type.uid)
    this.columns = computed(() => {
      const columns = columnsOf(kinds, type, own.value)
      return this.view.value.state === 'trash' ? trashColumns(kinds, type, columns) : columns
    })
  }

  /** The number of all entries of the list, once it is known. */
  get total(): number | undefined {
    const known = this.#known
    return known?.isLeast ? undefined : known?.count
  }

  /** The number of entries of which there are more, where these are too many to count without being asked. */
  get moreThan(): number | undefined {
    const known = this.#known
    return known?.isLeast ? known.count : undefined
  }

  get #known(): Total | undefined {
    const known = this.#totals.value
    return known?.list === this.requests.listOf(this.view.value) ? known : undefined
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
        // Entries are chosen in one list.
        if (list.value !== '') this.selection.value = nothingChosen
        this.shown.clear()
      }),
    ]
    shownList = this
    return () => {
      if (shownList === this) shownList = undefined
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

  /** The first entry on the page that is chosen. */
  get firstChosen(): number | undefined {
    const selection = this.selection.peek()
    return this.page.peek()?.rows.find(({ id }) => isChosen(selection, id))?.id
  }

  /** Reads the list again, as entries have changed. */
  async reload(): Promise<void> {
    this.#totals.value = undefined
    this.shown.clear()
    await this.#load(this.requests.page(this.view.peek(), this.columns.peek()))
  }

  /** Counts all entries of the list, however many there are. */
  async count(): Promise<void> {
    const view = this.view.peek()
    const list = this.requests.listOf(view)
    const reply = await ask({ url: this.requests.total(view) })
    const count = countIn(reply.body)
    if (isDone(reply) && count !== undefined) this.#totals.value = { list, count }
  }

  /** The title of an entry: the value of the field that names entries of its type. */
  titleOf({ id, values }: Row): string {
    const title = values[this.type.layout.settings.mainField]
    return title === null || title === undefined || title === '' ? `#${id}` : String(title)
  }

  /** The view without what the type does not have, so that an old address shows what it can. */
  #fitting(view: ListView): ListView {
    const { sort, locale, search } = view
    const isSorted = sort && this.requests.isSortable(sort.name)
    const isWide = view.isWide || (search !== '' && this.#startsNothing.value === search)
    const { sort: _, locale: __, isWide: ___, ...rest } = view
    return {
      ...rest,
      ...(isWide && { isWide }),
      ...(isSorted && { sort }),
      ...(this.type.options.localized && locale !== undefined && { locale }),
      state: statesOf(this.type).includes(view.state) ? view.state : 'all',
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
      this.#take(reply)
    } else if (reply.status === 400 && this.view.peek().place.cursor) {
      // A cursor of another list, or one that was cut off: the list begins again.
      this.change({ place: firstPage })
    } else
      this.problem.value = {
        status: reply.status,
        message: reply.status >= 500 ? t('failed.number', { id: numberOf(reply) }) : errorMessageOf(reply),
      }
  }

  #take({ body }: Reply): void {
    const view = this.view.peek()
    const { from } = view.place
    const page = pageIn(body, { from, size: this.requests.size(view), hasCursors: this.requests.hasCursors(view) })
    if (page.rows.length === 0) {
      // The entries of a last page may be gone.
      if (from > 0) {
        this.change({ place: firstPage })
        return
      }
      // A text with which no title begins is searched for anywhere.
      if (this.requests.startField(view) !== undefined) {
        this.#startsNothing.value = view.search
        return
      }
    }
    this.page.value = page
    for (const { id, values } of page.rows)
      if (typeof values.updatedAt === 'string') this.shown.set(id, values.updatedAt)
    listed.value = { uid: this.type.uid, ids: page.rows.map(({ id }) => id) }
    void this.#measure(view, page)
  }

  /** Finds out how many entries the list has. More than some are not counted, as that would take long. */
  async #measure(view: ListView, page: PageOfRows): Promise<void> {
    const list = this.requests.listOf(view)
    if (this.#totals.peek()?.list === list) return
    const { from, cursor } = view.place
    if (!page.next && !cursor) {
      this.#totals.value = { list, count: from + page.rows.length }
      return
    }
    const reply = await ask({ url: this.requests.beyond(view) })
    if (!isDone(reply) || this.requests.listOf(this.view.peek()) !== list) return
    if (listIn(reply.body).length > 0) this.#totals.value = { list, count: mostCounted, isLeast: true }
    else await this.count()
  }
}

/** The number of entries of a list; `isLeast` where there are more. */
interface Total {
  readonly list: string
  readonly count: number
  readonly isLeast?: boolean
}

/** The columns of deleted entries: the time when each was deleted in place of the state. */
function trashColumns(kinds: Kinds, type: TypeMeta, columns: readonly Column[]): readonly Column[] {
  const names = columns.map(({ name }) => name).filter(name => name !== stateColumn)
  return columnsOf(kinds, type, [...names, 'deletedAt'])
}
