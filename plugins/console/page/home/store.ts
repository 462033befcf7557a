import { signal } from '@preact/signals'
import { isDone } from '../../../pages/page/request.js'
import type { Kinds } from '../../model/form/kinds.js'
import {
  countUrl,
  firstEntries,
  type HomeEntry,
  type HomeList,
  type HomeRequest,
  homeLists,
  homeRequests,
  mostShown,
  mostTypes,
  numberIn,
} from '../../model/home.js'
import { several } from '../../model/list/batch.js'
import { type PageOfRows, pageIn } from '../../model/list/page.js'
import type { Meta, TypeMeta } from '../../model/meta.js'
import { ask } from '../api.js'

/** One list of the start page, once it is read. */
export interface ReadList {
  readonly name: HomeList
  readonly entries: readonly HomeEntry[]
  /** The types that have entries of the list, each with the address of all of them. */
  readonly all: readonly HomeRequest[]
}

/** Requests at once: the start page leaves the server to others. */
const atOnce = 4

/** The start page while it is shown. */
export class HomeStore {
  readonly lists = signal<readonly ReadList[] | undefined>(undefined)
  readonly counts = signal<ReadonlyMap<string, number>>(new Map())
  readonly #meta: Meta
  readonly #kinds: Kinds
  readonly #types: readonly TypeMeta[]
  readonly #stopped = new AbortController()

  constructor(meta: Meta, kinds: Kinds, types: readonly TypeMeta[]) {
    this.#meta = meta
    this.#kinds = kinds
    this.#types = types
  }

  /** Reads the lists, then the numbers; gives what ends that. */
  start(): () => void {
    void this.#read()
    return () => this.#stopped.abort()
  }

  async #read(): Promise<void> {
    const requests = homeRequests(this.#meta, this.#kinds, this.#types)
    const pages = await several(requests, atOnce, request => this.#page(request))
    if (this.#stopped.signal.aborted) return
    this.lists.value = homeLists.map(name => {
      const own = requests.flatMap((request, index) => {
        const page = pages[index]
        return request.list === name && page && page.rows.length > 0 ? [{ request, type: request.type, page }] : []
      })
      return { name, entries: firstEntries(name, own), all: own.map(({ request }) => request) }
    })
    const counted = this.#types.filter(({ kind }) => kind === 'collectionType').slice(0, mostTypes)
    await several(counted, atOnce, type => this.#count(type))
  }

  async #page({ url }: HomeRequest): Promise<PageOfRows | undefined> {
    if (this.#stopped.signal.aborted) return undefined
    const reply = await ask({ url, signal: this.#stopped.signal })
    return isDone(reply) ? pageIn(reply.body, { from: 0, size: mostShown, hasCursors: false }) : undefined
  }

  async #count(type: TypeMeta): Promise<void> {
    if (this.#stopped.signal.aborted) return
    const reply = await ask({ url: countUrl(this.#meta, type), signal: this.#stopped.signal })
    const count = numberIn(reply.body)
    if (isDone(reply) && count !== undefined) this.counts.value = new Map([...this.counts.peek(), [type.uid, count]])
  }
}
