import { computed, effect, signal } from '@preact/signals'
import { isDone, type Reply } from '../../../../pages/page/request.js'
import { entryOf, type Head, headOf, plainOf } from '../../../model/form/read.js'
import { ask, isEnded } from '../../api.js'
import { becomes } from '../becomes.js'
import type { EntryStore } from '../store/store.js'
import { type Absence, absenceOf } from './absence.js'
import { changedFields } from './changed-fields.js'
import { listen } from './feed.js'

/** Milliseconds between two looks at the entry. */
const pause = 30_000

interface Found {
  /** The state that the form was based on when it was found. */
  readonly base: Head
  readonly news: { readonly theirs: Head; readonly fields: string } | { readonly absence: Absence }
}

/** Notices what others do with an entry while its form is open. */
export class Watching {
  readonly store: EntryStore
  readonly #found = signal<Found | undefined>(undefined)
  /** The change by others that the form is not based on. */
  readonly news = computed(() => {
    const found = this.#found.value
    return found && isSame(found.base, this.store.head.value) ? found.news : undefined
  })
  #looks = 0
  /** The last look that has told something: replies to earlier ones are older. */
  #last = 0

  constructor(store: EntryStore) {
    this.store = store
  }

  /** Watches while the page is visible and has a session: a browser opens few connections to a server, for all tabs. */
  start(): () => void {
    const isVisible = signal(document.visibilityState === 'visible')
    const onVisibility = () => {
      isVisible.value = document.visibilityState === 'visible'
    }
    document.addEventListener('visibilitychange', onVisibility)
    const { head } = this.store
    const id = computed(() => (head.value?.updatedAt === undefined ? undefined : head.value.id))
    let isLater = false
    const stop = effect(() => {
      if (!isVisible.value || isEnded.value || id.value === undefined) return
      const end = this.#follow(id.value, isLater)
      isLater = true
      return end
    })
    return () => {
      stop()
      document.removeEventListener('visibilitychange', onVisibility)
    }
  }

  /** The feed tells at once, but not of deleted entries where row rules decide what the account may see: both are needed. */
  #follow(id: number, isLater: boolean): () => void {
    const ending = new AbortController()
    const look = () => void this.#look(ending.signal)
    const timer = setInterval(look, pause)
    const { type, requests } = this.store
    const leave = type.options.events ? listen(requests.feed(), id, look) : undefined
    if (isLater && !leave) look()
    return () => {
      ending.abort()
      clearInterval(timer)
      leave?.()
    }
  }

  /** Looks whether the entry is as the form has read it. What the form itself saves meanwhile is no change by others. */
  async #look(signal: AbortSignal): Promise<void> {
    const { store } = this
    this.#looks += 1
    const look = this.#looks
    for (;;) {
      await becomes(() => !store.isBusy.value)
      const base = store.head.peek()
      if (!base || signal.aborted) return
      const reply = await ask({ url: store.requests.state(base), signal })
      const found = signal.aborted || look < this.#last ? undefined : await this.#foundIn(reply, base, signal)
      if (signal.aborted || look < this.#last) return
      if (store.isBusy.peek() || !isSame(base, store.head.peek())) continue
      this.#last = look
      this.#found.value = found
      return
    }
  }

  /** A difference that is new is looked at once: which fields differ is part of the sentence. */
  async #foundIn(reply: Reply, base: Head, signal: AbortSignal): Promise<Found | undefined> {
    const { type, requests, kinds, form, locale } = this.store
    if (isGone(reply)) return { base, news: { absence: await absenceOf(type, locale.peek()) } }
    const state = headIn(reply)
    if (!state || state.updatedAt === base.updatedAt) return undefined
    const known = this.#found.peek()
    if (known && isSame(known.base, base) && 'theirs' in known.news && isSame(known.news.theirs, state)) return known
    const whole = await ask({ url: requests.entry(base), signal })
    const entry = isDone(whole) ? entryOf(whole.body) : undefined
    const read = form.peek()?.base()
    const fields = entry && read ? changedFields(kinds, read, plainOf(kinds, type.uid, entry)) : ''
    return { base, news: { theirs: entry ? this.store.headOf(entry) : state, fields } }
  }
}

/** The entry, or the permission to read entries of its type, is not there any more. */
const isGone = ({ status }: Reply): boolean => status === 404 || status === 403

function headIn(reply: Reply): Head | undefined {
  const entry = isDone(reply) ? entryOf(reply.body) : undefined
  return entry && headOf(entry)
}

const isSame = (one: Head, other: Head | undefined): boolean =>
  one.id === other?.id && one.updatedAt === other.updatedAt
