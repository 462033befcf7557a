import { signal } from '@preact/signals'
import { isDone } from '../../../pages/page/request.js'
import { type Query, withQuery } from '../../../pages/values/query-text.js'
import type { Kinds } from '../../model/form/kinds.js'
import { entryOf } from '../../model/form/read.js'
import type { Meta, TypeMeta } from '../../model/meta.js'
import { compared, type Difference } from '../../model/versions/compare.js'
import { stateOf } from '../../model/versions/state.js'
import { ask } from '../api.js'
import { failureText } from '../entry/store/failures.js'
import { type Unrestored, unrestoredIn, type Version } from '../versions/store.js'
import { learnNames } from '../versions/who.js'
import { withTitles } from '../versions/with-titles.js'

/** An entry that was deleted, with the fields of its last version that the list shows. */
export interface DeletedEntry extends Version {
  readonly id: number
  readonly attributes: Readonly<Record<string, unknown>>
}

/** Entries in one request. */
const atOnce = 25

/** The deleted entries of a type, which are looked at and made anew. */
export class DeletedStore {
  readonly type: TypeMeta
  readonly kinds: Kinds
  readonly rows = signal<readonly DeletedEntry[] | undefined>(undefined)
  readonly total = signal(0)
  readonly problem = signal('')
  /** The entry that is looked at, its versions, and the number and the values of one of them. */
  readonly shown = signal<DeletedEntry | undefined>(undefined)
  readonly versions = signal<readonly Version[]>([])
  readonly number = signal(0)
  readonly values = signal<readonly Difference[] | undefined>(undefined)
  readonly isBusy = signal(false)
  readonly #api: string

  constructor({ app }: Meta, kinds: Kinds, type: TypeMeta) {
    this.type = type
    // Attributes that no form shows are made anew as well.
    this.kinds = kinds.whole()
    this.#api = `${app.api}${type.path}`
  }

  /** Reads the first page, or the next one. */
  async load(page = 1): Promise<void> {
    const { settings } = this.type.layout
    const fields = [settings.mainField, ...(this.type.options.localized ? ['locale'] : [])].filter(
      name => name !== 'id',
    )
    const reply = await this.#ask('/versions/deleted', { page, pageSize: atOnce, ...(fields.length > 0 && { fields }) })
    if (!reply) return
    const { data, meta } = reply as DeletedPage
    await learnNames(data.map(({ by }) => by))
    // An entry that was deleted meanwhile has moved others to this page.
    const before = page === 1 ? [] : (this.rows.peek() ?? [])
    this.rows.value = [...before, ...data.filter(({ id }) => !before.some(one => one.id === id))]
    this.total.value = meta.pagination.total
  }

  loadMore(): Promise<void> {
    return this.load(Math.floor((this.rows.peek()?.length ?? 0) / atOnce) + 1)
  }

  titleOf({ id, attributes }: DeletedEntry): string {
    const title = attributes[this.type.layout.settings.mainField]
    return typeof title === 'string' && title.trim() !== '' ? title : `#${id}`
  }

  async show(entry: DeletedEntry): Promise<void> {
    this.shown.value = entry
    this.versions.value = []
    await this.choose(entry.number)
    const reply = await this.#ask(`/${entry.id}/versions`)
    if (reply && this.shown.peek() === entry)
      this.versions.value = (reply as { readonly data: readonly Version[] }).data
  }

  /** Reads a version of the entry that is looked at. */
  async choose(number: number): Promise<void> {
    const entry = this.shown.peek()
    this.number.value = number
    this.values.value = undefined
    const reply = await this.#ask(`/${entry?.id}/versions/${number}`)
    if (!reply) return
    const { uid } = this.type
    const state = stateOf(this.kinds, uid, (reply as { readonly data: DeletedEntry }).data.attributes)
    const found = await withTitles(this.kinds, compared(this.kinds, state, { uid, values: {} }))
    if (this.shown.peek() === entry && this.number.peek() === number) this.values.value = found
  }

  close(): void {
    this.shown.value = undefined
    this.problem.value = ''
  }

  /** Makes the entry anew as the chosen version has it: gives its id and what it lacks, undefined where it was refused. */
  async make(): Promise<(Partial<Unrestored> & { readonly id: number }) | undefined> {
    this.isBusy.value = true
    const url = `/${this.shown.peek()?.id}/versions/${this.number.peek()}/actions/restore`
    const body = await this.#ask(url, {}, 'POST')
    this.isBusy.value = false
    const made = entryOf(body)
    return made && { id: Number(made.id), ...unrestoredIn(body) }
  }

  /** The body of a response; undefined, with the problem, where it was refused. */
  async #ask(end: string, query: Query = {}, method: 'GET' | 'POST' = 'GET'): Promise<unknown> {
    const reply = await ask({ method, url: withQuery(this.#api + end, query) })
    this.problem.value = isDone(reply) ? '' : failureText(reply, this.type, method === 'POST' ? 'create' : undefined)
    return isDone(reply) ? reply.body : undefined
  }
}

interface DeletedPage {
  readonly data: readonly DeletedEntry[]
  readonly meta: { readonly pagination: { readonly total: number } }
}
