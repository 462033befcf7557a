import { effect, signal } from '@preact/signals'
import { type DraftPlace, draftKey, draftOf, type KeptDraft } from '../../model/drafts.js'
import { forget, keep, kept } from '../kept/kept.js'
import type { EntryStore } from './store.js'

/** Milliseconds after a change at which it is stored by the browser. */
const pause = 2000

/** Stores what was not saved in the browser, and offers what was stored before. */
export class Keeping {
  readonly store: EntryStore
  /** Changes of a former time, until the editor has decided about them. */
  readonly offered = signal<KeptDraft | undefined>(undefined)
  #key: string | undefined
  #waiting: ReturnType<typeof setTimeout> | undefined

  constructor(store: EntryStore) {
    this.store = store
  }

  start(): () => void {
    void this.#look()
    const onHide = () => document.visibilityState === 'hidden' && void this.#keep()
    document.addEventListener('visibilitychange', onHide)
    const stop = effect(() => this.#watch())
    return () => {
      stop()
      clearTimeout(this.#waiting)
      document.removeEventListener('visibilitychange', onHide)
    }
  }

  restore(): void {
    const draft = this.offered.peek()
    this.offered.value = undefined
    if (draft) this.store.restore(draft)
  }

  /** Forgets what is kept of the entry. */
  async discard(): Promise<void> {
    this.offered.value = undefined
    clearTimeout(this.#waiting)
    if (this.#key !== undefined) await forget(this.#key)
  }

  /** Each change of the form starts the time anew; when everything is saved, nothing is kept. */
  #watch(): void {
    const form = this.store.form.value
    const changes = form?.changes.value ?? 0
    if (!form) return
    // A text that goes on changing is one change all the time: the time runs from the last one that was stored.
    clearTimeout(this.#waiting)
    if (changes > 0) this.#waiting = setInterval(() => void this.#keep(), pause)
    else if (this.offered.peek() === undefined && this.#key !== undefined) void this.discard()
  }

  async #look(): Promise<void> {
    const place = this.#place
    const key = draftKey(place)
    this.#key = key
    this.offered.value = await kept(key, Date.now())
  }

  async #keep(): Promise<void> {
    const form = this.store.form.peek()
    if (!form || this.offered.peek()) return
    const basedOn = this.store.head.peek()?.updatedAt ?? null
    const draft = draftOf(form, { place: this.#place, basedOn, now: Date.now() })
    if (!draft) return
    if (this.#key !== undefined && this.#key !== draft.key) await forget(this.#key)
    this.#key = draft.key
    await keep(draft)
  }

  get #place(): DraftPlace {
    const { account, type, head, locale } = this.store
    const id = head.peek()?.id
    return { account: account.id, uid: type.uid, ...(id !== undefined && { id }), locale: locale.peek() }
  }
}
