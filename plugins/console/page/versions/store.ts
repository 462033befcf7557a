import { computed, signal } from '@preact/signals'
import { isDone } from '../../../pages/page/request.js'
import { isRecord } from '../../../pages/values/records.js'
import { entryOf } from '../../model/form/read.js'
import { compared, type Difference } from '../../model/versions/compare.js'
import { stateOf } from '../../model/versions/state.js'
import { ask } from '../api.js'
import { failureText } from '../entry/store/failures.js'
import type { EntryStore } from '../entry/store/store.js'
import { t } from '../text.js'
import { learnNames } from './who.js'
import { withTitles } from './with-titles.js'

/** A state of an entry that a write has replaced. */
export interface Version {
  readonly number: number
  readonly at: string
  readonly by: string
  readonly action: string
  /** The attributes that changed then, as far as they were compared. */
  readonly changed?: readonly string[]
}

/** The attributes that a restored version could not give back, by their paths. */
export interface Unrestored {
  readonly lost: readonly string[]
  readonly left: readonly string[]
}

/** The versions of an entry, and what is done with them. */
export class VersionsStore {
  readonly entry: EntryStore
  readonly list = signal<readonly Version[] | undefined>(undefined)
  readonly problem = signal('')
  /** The number of the version that is looked at. */
  readonly shown = signal<number | undefined>(undefined)
  /** The number of the one that it is compared with; undefined for the entry as it is. */
  readonly other = signal<number | undefined>(undefined)
  readonly differences = signal<readonly Difference[] | undefined>(undefined)
  readonly isBusy = signal(false)
  readonly unrestored = signal<Unrestored | undefined>(undefined)
  readonly canRestore = computed(() => this.entry.may('update'))
  /** Attributes that no form shows are compared as well. */
  readonly #kinds: EntryStore['kinds']

  constructor(entry: EntryStore) {
    this.entry = entry
    this.#kinds = entry.kinds.whole()
  }

  get kinds(): EntryStore['kinds'] {
    return this.#kinds
  }

  async load(): Promise<void> {
    const reply = await ask({ url: this.entry.requests.versions(this.entry.stored, '', { changes: true }) })
    if (!isDone(reply)) {
      this.problem.value = failureText(reply, this.entry.type)
      return
    }
    const { data } = reply.body as { readonly data: readonly Version[] }
    await learnNames(data.map(({ by }) => by))
    this.problem.value = ''
    this.list.value = data
  }

  show(number: number): void {
    this.shown.value = number
    this.other.value = undefined
    this.unrestored.value = undefined
    void this.compare()
  }

  close(): void {
    this.shown.value = undefined
    this.differences.value = undefined
    this.problem.value = ''
  }

  /** Compares the version with another one, or with the entry as it is. */
  async compare(): Promise<void> {
    const [number, other] = [this.shown.peek(), this.other.peek()]
    const query = other === undefined ? {} : { to: other }
    this.differences.value = undefined
    const reply = await ask({ url: this.entry.requests.versions(this.entry.stored, `/${number}/changes`, query) })
    if (this.shown.peek() !== number || this.other.peek() !== other) return
    if (!isDone(reply)) {
      this.problem.value = failureText(reply, this.entry.type)
      return
    }
    const { data } = reply.body as { readonly data: readonly { attribute: string; from: unknown; to: unknown }[] }
    const state = (side: 'from' | 'to') =>
      stateOf(
        this.#kinds,
        this.entry.type.uid,
        Object.fromEntries(data.map(({ attribute, ...sides }) => [attribute, sides[side]])),
      )
    const found = await withTitles(this.#kinds, compared(this.#kinds, state('from'), state('to')))
    if (this.shown.peek() === number && this.other.peek() === other) this.differences.value = found
  }

  /** Restores the version that is looked at, if the entry is as it was read; true if it is restored. */
  async restore(): Promise<boolean> {
    const { requests, stored, head } = this.entry
    const updatedAt = head.peek()?.updatedAt
    this.isBusy.value = true
    const reply = await ask({
      method: 'POST',
      url: requests.restore(stored, this.shown.peek() ?? 0),
      headers: updatedAt === undefined ? {} : { 'If-Match': `"${updatedAt}"` },
    })
    const isRestored = isDone(reply) && entryOf(reply.body) !== undefined
    if (isRestored) this.unrestored.value = unrestoredIn(reply.body)
    if (isRestored || reply.status === 412) await Promise.all([this.entry.load(), this.load()])
    if (reply.status === 412) await this.compare()
    this.isBusy.value = false
    if (!isRestored)
      this.problem.value =
        reply.status === 412 ? t('versions.meanwhile') : failureText(reply, this.entry.type, 'update')
    return isRestored
  }
}

export function unrestoredIn(body: unknown): Unrestored | undefined {
  const meta = isRecord(body) && isRecord(body.meta) ? body.meta : {}
  const names = (value: unknown) => (Array.isArray(value) ? value.map(String) : [])
  const [lost, left] = [names(meta.lost), names(meta.left)]
  return lost.length + left.length > 0 ? { lost, left } : undefined
}
