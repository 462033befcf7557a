import { effect, signal } from '@preact/signals'
import { type DraftPlace, draftOf, isOf, type KeptDraft } from '../../../model/drafts.js'
import { allKept, forget, forgetAll, keep } from '../../kept/kept.js'
import { becomes } from '../becomes.js'
import type { EntryStore } from '../store/store.js'

/** Milliseconds after a change at which it is stored by the browser. */
const pause = 2000

/** Stores what was not saved in the browser, and offers what was stored before. */
export class Keeping {
  readonly store: EntryStore
  /** Changes of former times and of other tabs, the latest first, until the editor has decided about them. */
  readonly offered = signal<readonly KeptDraft[]>([])
  /**
   * The part of the key that this form has for itself. It is not that of the tab: a tab that was duplicated has the storage of the
   * other one, and after a reload what is typed must not replace what is offered.
   */
  readonly #part = `${Date.now()} ${Math.random()}`
  /** The name under which changes of this form were stored. */
  #own: string | undefined
  #waiting: ReturnType<typeof setInterval> | undefined

  constructor(store: EntryStore) {
    this.store = store
  }

  start(): () => void {
    void this.#look()
    this.store.discardKept = () => this.discard()
    const onHide = () => document.visibilityState === 'hidden' && void this.#keep()
    document.addEventListener('visibilitychange', onHide)
    const stop = effect(() => this.#watch())
    return () => {
      stop()
      clearInterval(this.#waiting)
      document.removeEventListener('visibilitychange', onHide)
    }
  }

  /** Shows kept changes. They are offered until they are in the form, and kept as its own from then on. */
  async restore(draft: KeptDraft): Promise<void> {
    const { form, conflict } = this.store
    const former = form.peek()
    this.store.restore(draft)
    await becomes(() => conflict.value === undefined)
    // The comparison was closed without a choice.
    if (form.peek() === former) return
    await this.#keep()
    await this.decline(draft)
  }

  /** Forgets kept changes. */
  async decline({ key }: KeptDraft): Promise<void> {
    this.offered.value = this.offered.peek().filter(draft => draft.key !== key)
    await forget(key)
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
    const place = this.#place
    // The setting may have been another one before.
    if (!this.store.isKept) return forgetAll(place.account)
    const all = await allKept(place.account, Date.now())
    this.offered.value = all.filter(draft => isOf(draft, place) && draft.key !== this.#own)
  }

  async #keep(): Promise<void> {
    if (!this.store.isKept) return
    const form = this.store.form.peek()
    const basedOn = this.store.head.peek()?.updatedAt ?? null
    const draft = form && draftOf(form, { place: this.#place, part: this.#part, basedOn, now: Date.now() })
    if (!draft) return
    const former = this.#own
    this.#own = draft.key
    await keep(draft)
    // An entry that was new has an id by now.
    if (former !== undefined && former !== draft.key) await forget(former)
  }

  get #place(): DraftPlace {
    const { account, type, head, locale } = this.store
    const id = head.peek()?.id
    return { account: account.id, uid: type.uid, ...(id !== undefined && { id }), locale: locale.peek() }
  }
}
