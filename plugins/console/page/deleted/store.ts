import { signal } from '@preact/signals'
import { isDone } from '../../../pages/page/request.js'
import { withQuery } from '../../../pages/values/query-text.js'
import type { Kinds } from '../../model/form/kinds.js'
import { entryOf } from '../../model/form/read.js'
import type { Meta, TypeMeta } from '../../model/meta.js'
import { compared, type Difference } from '../../model/versions/compare.js'
import { stateOf } from '../../model/versions/state.js'
import { ask } from '../api.js'
import { failureText } from '../entry/store/failures.js'
import { EntryRequests } from '../entry/store/requests.js'
import { t } from '../text.js'
import { type Unrestored, unrestoredIn, type Version } from '../versions/store.js'
import { learnNames } from '../versions/who.js'
import { withTitles } from '../versions/with-titles.js'
import { deletedSingle } from './single.js'

/** An entry that was deleted, with the fields of its last version that the list shows. */
export interface DeletedEntry extends Version {
  /** 0 for the one of a single type, which has no id in requests. */
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
  /** The language of a single type. */
  readonly locale: string | null
  readonly #list: string
  readonly #requests: EntryRequests

  constructor({ app }: Meta, kinds: Kinds, type: TypeMeta, locale: string | null) {
    this.type = type
    this.locale = locale
    // Attributes that no form shows are made anew as well.
    this.kinds = kinds.whole()
    this.#list = `${app.api}${type.path}/versions/deleted`
    this.#requests = new EntryRequests(app.api, this.kinds, type)
  }

  load(): Promise<void> {
    return this.type.kind === 'singleType' ? this.#loadSingle() : this.#loadPage(1)
  }

  async #loadSingle(): Promise<void> {
    const { entry, failed } = await deletedSingle(this.#requests, this.type, this.locale)
    this.problem.value = failed ? failureText(failed, this.type) : ''
    if (failed) return
    if (entry) await learnNames([entry.by])
    this.rows.value = entry ? [entry] : []
    this.total.value = this.rows.value.length
  }

  async #loadPage(page: number): Promise<void> {
    const { settings } = this.type.layout
    const fields = [settings.mainField, ...(this.type.options.localized ? ['locale'] : [])].filter(
      name => name !== 'id',
    )
    const query = { page, pageSize: atOnce, ...(fields.length > 0 && { fields }) }
    const reply = await this.#read(withQuery(this.#list, query))
    if (!reply) return
    const { data, meta } = reply as DeletedPage
    await learnNames(data.map(({ by }) => by))
    // An entry that was deleted meanwhile has moved others to this page.
    const before = page === 1 ? [] : (this.rows.peek() ?? [])
    this.rows.value = [...before, ...data.filter(({ id }) => !before.some(one => one.id === id))]
    this.total.value = meta.pagination.total
  }

  loadMore(): Promise<void> {
    return this.#loadPage(Math.floor((this.rows.peek()?.length ?? 0) / atOnce) + 1)
  }

  titleOf({ id, attributes }: DeletedEntry): string {
    const title = attributes[this.type.layout.settings.mainField]
    if (typeof title === 'string' && title.trim() !== '') return title
    return this.type.kind === 'singleType' ? this.type.name : `#${id}`
  }

  async show(entry: DeletedEntry): Promise<void> {
    this.shown.value = entry
    this.versions.value = []
    await this.choose(entry.number)
    if (this.problem.peek() !== '') return
    const reply = await this.#read(this.#versionsOf(entry), () => this.shown.peek() === entry)
    if (reply) this.versions.value = (reply as { readonly data: readonly Version[] }).data
  }

  /** Reads a version of the entry that is looked at. */
  async choose(number: number): Promise<void> {
    const entry = this.shown.peek()
    this.number.value = number
    this.values.value = undefined
    const isMeant = () => this.shown.peek() === entry && this.number.peek() === number
    const reply = entry && (await this.#read(this.#versionsOf(entry, `/${number}`), isMeant))
    if (!reply) return
    const { uid } = this.type
    const state = stateOf(this.kinds, uid, (reply as { readonly data: DeletedEntry }).data.attributes)
    const found = await withTitles(this.kinds, compared(this.kinds, state, { uid, values: {} }))
    if (isMeant()) this.values.value = found
  }

  close(): void {
    this.shown.value = undefined
    this.problem.value = ''
  }

  /** Makes the entry anew as the chosen version has it: gives its id and what it lacks, undefined where it was refused. */
  async make(): Promise<(Partial<Unrestored> & { readonly id: number }) | undefined> {
    const entry = this.shown.peek()
    if (!entry) return undefined
    this.isBusy.value = true
    const url = this.#versionsOf(entry, `/${this.number.peek()}/actions/restore`)
    // The request of a single type would change an entry that is there by now.
    const reply = await ask({ method: 'POST', url, headers: { 'If-None-Match': '*' } })
    this.isBusy.value = false
    const made = isDone(reply) ? entryOf(reply.body) : undefined
    if (made) return { id: Number(made.id), ...unrestoredIn(reply.body) }
    const isGone = reply.status === 404 || reply.status === 412
    this.problem.value = isGone ? t('deleted.gone') : failureText(reply, this.type, 'create')
    return undefined
  }

  #versionsOf({ id }: DeletedEntry, end = ''): string {
    return this.#requests.versions({ id, locale: this.locale }, end)
  }

  /** The body of a response; undefined, with the problem, where it was refused, and where it is not meant any more. */
  async #read(url: string, isMeant = () => true): Promise<unknown> {
    const reply = await ask({ url })
    if (!isMeant()) return undefined
    this.problem.value = isDone(reply) ? '' : failureText(reply, this.type)
    return isDone(reply) ? reply.body : undefined
  }
}

interface DeletedPage {
  readonly data: readonly DeletedEntry[]
  readonly meta: { readonly pagination: { readonly total: number } }
}
