import { signal } from '@preact/signals'
import { errorMessageOf, isDone } from '../../../../pages/page/request.js'
import { exportEntries, type Part } from '../../../model/list/export.js'
import { type ExportFormat, ExportText } from '../../../model/list/export-text.js'
import { pageIn } from '../../../model/list/page.js'
import type { Selection } from '../../../model/list/selection.js'
import { ask, numberOf } from '../../api.js'
import { t } from '../../text.js'
import { columnLabel } from '../cell.js'
import type { ListStore } from '../store.js'
import { save } from './save.js'

/** Entries that are read at once; fewer with what they lead to. */
const atOnce = { plain: 1000, linked: 100 } as const

const kindsOfFiles = { csv: 'text/csv;charset=utf-8', json: 'application/json' } as const

/** A file with entries while it is written. */
export class Exporting {
  readonly done = signal(0)
  readonly isRunning = signal(false)
  readonly failure = signal<string | undefined>(undefined)
  readonly #list: ListStore
  #stop = new AbortController()

  constructor(list: ListStore) {
    this.#list = list
  }

  stop(): void {
    this.#stop.abort()
  }

  /** Writes the file and gives it to the browser; gives how many entries it has, and undefined where there is none. */
  async run(selection: Selection, format: ExportFormat): Promise<number | undefined> {
    const { kinds, type, meta } = this.#list
    const columns = this.#list.columns.peek()
    const isLinked = columns.some(({ kind, attribute }) => kind === 'languages' || attribute?.kind === 'link')
    const size = Math.min(isLinked ? atOnce.linked : atOnce.plain, meta.limits.maxLimit ?? atOnce.plain)
    const labelled = columns.map(column => ({ column, label: columnLabel(column) }))
    // The browser keeps pieces outside of the memory of the page.
    const pieces: Blob[] = []
    this.#stop = new AbortController()
    this.done.value = 0
    this.failure.value = undefined
    this.isRunning.value = true
    const done = await exportEntries({
      ...{ selection, size, text: new ExportText(kinds, type, labelled, format) },
      read: part => this.#read(part),
      write: piece => pieces.push(new Blob([piece])),
      isStopped: () => this.#stop.signal.aborted,
      onProgress: count => {
        this.done.value = count
      },
    })
    this.isRunning.value = false
    if (done !== undefined) save(new Blob(pieces, { type: kindsOfFiles[format] }), fileName(type.plural, format))
    return done
  }

  async #read({ place, size, ids }: Part) {
    const { requests, view, columns } = this.#list
    const url = requests.exported({ ...view.peek(), place }, columns.peek(), { size, ...(ids && { ids }) })
    const reply = await ask({ url, signal: this.#stop.signal })
    if (isDone(reply))
      return pageIn(reply.body, { from: place.from, size, hasCursors: requests.hasCursors(view.peek()) })
    if (reply.status === 400 && size > 1) return 'tooLarge'
    if (!this.#stop.signal.aborted)
      this.failure.value =
        reply.status >= 500 ? t('failed.number', { id: numberOf(reply) }) : (errorMessageOf(reply) ?? t('failed'))
    return undefined
  }
}

const fileName = (name: string, format: ExportFormat): string =>
  `${name}-${new Date().toISOString().slice(0, 10)}.${format}`
