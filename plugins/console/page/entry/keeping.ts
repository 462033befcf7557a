import { effect, signal } from '@preact/signals'
import { type DraftPlace, draftKey, draftOf, type KeptDraft } from '../../model/drafts.js'
import { forget, keep, kept } from '../kept/kept.js'
import type { EntryStore } from './store.js'

/** Milliseconds after a change at which it is stored by the browser. */
const pause = 2000

/** What is typed while kept changes wait for a decision is kept beside them. */
const beside = (key: string): string => `${key} later`

/** Stores what was not saved in the browser, and offers what was stored before. */
export class Keeping {
  readonly store: EntryStore
  /** Changes of a former time, until the editor has decided about them. */
  readonly offered = signal<KeptDraft | undefined>(undefined)
  /** The name under which changes of this form were stored. */
  #own: string | undefined
  #waiting: ReturnType<typeof setInterval> | undefined

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
      clearInterval(this.#waiting)
      document.removeEventListener('visibilitychange', onHide)
    }
  }

  /** Shows the kept changes; they stay kept, as they are not saved yet. */
  async restore(): Promise<void> {
    const draft = this.offered.peek()
    if (!draft) return
    this.#own = draft.key
    this.store.restore(draft)
    this.offered.value = await kept(beside(this.#key), Date.now())
  }

  /** Forgets the kept changes. */
  async decline(): Promise<void> {
    const draft = this.offered.peek()
    if (!draft) return
    await forget(draft.key)
    this.offered.value = draft.key === this.#key ? await kept(beside(this.#key), Date.now()) : undefined
  }

  /** Forgets what was typed into this form. */
  async discard(): Promise<void> {
    clearInterval(this.#waiting)
    const own = this.#own
    this.#own = undefined
    if (own !== undefined) await forget(own)
  }

  /** While something is not saved, it is stored again and again; when all is saved, nothing is kept. */
  #watch(): void {
    const changes = this.store.form.value?.changes.value ?? 0
    clearInterval(this.#waiting)
    if (changes > 0) this.#waiting = setInterval(() => void this.#keep(), pause)
    else void this.discard()
  }

  async #look(): Promise<void> {
    const now = Date.now()
    this.offered.value = (await kept(this.#key, now)) ?? (await kept(beside(this.#key), now))
  }

  async #keep(): Promise<void> {
    const form = this.store.form.peek()
    const basedOn = this.store.head.peek()?.updatedAt ?? null
    const draft = form && draftOf(form, { place: this.#place, basedOn, now: Date.now() })
    if (!draft) return
    const key = this.offered.peek() ? beside(draft.key) : draft.key
    const former = this.#own
    this.#own = key
    await keep({ ...draft, key })
    if (former !== undefined && former !== key) await forget(former)
  }

  get #key(): string {
    return draftKey(this.#place)
  }

  get #place(): DraftPlace {
    const { account, type, head, locale } = this.store
    const id = head.peek()?.id
    return { account: account.id, uid: type.uid, ...(id !== undefined && { id }), locale: locale.peek() }
  }
}
