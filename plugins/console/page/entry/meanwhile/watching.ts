import { computed, effect, signal } from '@preact/signals'
import { isDone, type Reply } from '../../../../pages/page/request.js'
import { entryOf, type Head, headOf } from '../../../model/form/read.js'
import { ask, isEnded } from '../../api.js'
import { becomes } from '../becomes.js'
import type { EntryStore } from '../store.js'
import { listen } from './feed.js'

/** Milliseconds between two looks at the entry. */
const pause = 30_000

interface Found {
  /** What the form was based on when it was found. */
  readonly base: Head
  /** Undefined where the entry was deleted. */
  readonly theirs?: Head
}

/** Notices what others do with an entry while its form is open. */
export class Watching {
  readonly store: EntryStore
  readonly #found = signal<Found | undefined>(undefined)
  /** What others have done that the form is not based on. */
  readonly news = computed(() => {
    const found = this.#found.value
    return found && isSame(found.base, this.store.head.value) ? found : undefined
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
      if (signal.aborted || look < this.#last) return
      if (store.isBusy.peek() || !isSame(base, store.head.peek())) continue
      this.#last = look
      this.#found.value = foundIn(reply, base)
      return
    }
  }
}

function foundIn(reply: Reply, base: Head): Found | undefined {
  if (reply.status === 404) return { base }
  const entry = isDone(reply) ? entryOf(reply.body) : undefined
  const theirs = entry && headOf(entry)
  return theirs && theirs.updatedAt !== base.updatedAt ? { base, theirs } : undefined
}

const isSame = (one: Head, other: Head | undefined): boolean =>
  one.id === other?.id && one.updatedAt === other.updatedAt
