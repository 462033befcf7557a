import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals-core'
import type { LinkInfo } from '../meta.js'
import { changeOf } from './connect.js'
import type { History, StepName } from './history.js'
import { type Links, loaded, noLinks, type PlainValue, type Related, refOf } from './plain.js'

/** A relation or a file field: the entries that are shown, and how they differ from those that were read. */
export class Relation {
  readonly kind = 'links'
  readonly attribute: LinkInfo
  readonly #canWrite: () => boolean
  readonly read: Signal<Links>
  readonly value: Signal<Links>
  /** The entries that are shown, in order. */
  readonly entries: ReadonlySignal<readonly Related[]>
  /** The number that the server has, where that was asked for; all of them where all are loaded. */
  readonly stored: Signal<number | undefined>
  readonly changes: ReadonlySignal<number>
  readonly mark = signal<'emptied' | undefined>(undefined)
  readonly refused = signal<string | undefined>(undefined)
  readonly #history: History

  constructor(attribute: LinkInfo, { canWrite, history }: RelationPlace, { read, value }: RelationContent) {
    this.attribute = attribute
    this.#canWrite = canWrite
    this.#history = history
    this.read = signal(read)
    this.value = signal(value)
    this.stored = signal(read.more ? undefined : read.head.length)
    this.entries = computed(() => loaded(this.value.value))
    this.changes = computed(() => (changeOf(attribute, this.read.value, this.value.value) === undefined ? 0 : 1))
  }

  get canWrite(): boolean {
    return this.#canWrite()
  }

  /** The entries that there will be; undefined until the number of stored ones is known. */
  get count(): number | undefined {
    const stored = this.stored.value
    return stored === undefined ? undefined : stored + this.entries.value.length - loaded(this.read.value).length
  }

  /** The same entry is not added twice; a relation to one entry is led to the new one. */
  add(entry: Related, title: string): void {
    const { head, tail, more } = this.value.peek()
    if (this.entries.peek().some(one => refOf(one) === refOf(entry))) return
    if (!this.attribute.many) this.#change({ ...noLinks, head: [entry] }, head.length > 0 ? 'replaced' : 'added', title)
    else if (more) this.#change({ head, tail: [...tail, entry], more }, 'added', title)
    else this.#change({ head: [...head, entry], tail, more }, 'added', title)
  }

  remove(entry: Related, title: string): void {
    const others = (list: readonly Related[]) => list.filter(one => refOf(one) !== refOf(entry))
    const { head, tail, more } = this.value.peek()
    this.#change({ head: others(head), tail: others(tail), more }, 'removed', title)
  }

  /** Gives an entry another place among those that are shown. */
  move(entry: Related, to: number, title: string): void {
    const { head, tail, more } = this.value.peek()
    const inHead = head.filter(one => refOf(one) !== refOf(entry))
    const inTail = tail.filter(one => refOf(one) !== refOf(entry))
    if (to <= inHead.length) inHead.splice(Math.max(to, 0), 0, entry)
    else inTail.splice(to - inHead.length, 0, entry)
    this.#change({ head: inHead, tail: inTail, more }, 'moved', title)
  }

  /** Files are replaced by others in their place, and lists of them taken over as they were chosen. */
  choose(entries: readonly Related[], title: string): void {
    this.#change({ ...noLinks, head: entries }, 'replaced', title)
  }

  /** Adds an entry at a place among those that are shown. */
  insert(entry: Related, at: number, title: string): void {
    const entries = this.entries.peek()
    if (entries.some(one => refOf(one) === refOf(entry))) return
    this.#change({ ...noLinks, head: entries.toSpliced(at, 0, entry) }, 'added', title)
  }

  /** Shows what was learned of an entry since it was read. */
  know(entry: Related): void {
    const learned = (list: readonly Related[]) => list.map(one => (refOf(one) === refOf(entry) ? entry : one))
    const inAll = (links: Links): Links => ({ ...links, head: learned(links.head), tail: learned(links.tail) })
    this.read.value = inAll(this.read.peek())
    this.#history.rewrite(this.value, inAll)
  }

  #change(links: Links, what: StepName, title: string): void {
    this.refused.value = undefined
    this.#history.change(this.value, links, { what, list: this.attribute.name, title })
  }

  /** Adds entries that were loaded behind those that are shown; `more` tells that there are still others. */
  load(entries: readonly Related[], more: boolean): void {
    const read = this.read.peek()
    const known = new Set(loaded(read).map(refOf))
    const fresh = entries.filter(entry => !known.has(refOf(entry)))
    const extend = (links: Links): Links => {
      const there = new Set(loaded(links).map(refOf))
      const head = [...links.head, ...fresh.filter(entry => !there.has(refOf(entry)))]
      return more ? { head, tail: links.tail, more } : { head: [...head, ...links.tail], tail: [], more }
    }
    this.read.value = extend(read)
    this.#history.rewrite(this.value, extend)
    if (!more) this.stored.value = loaded(this.read.peek()).length
  }

  /** Shows an entry as it is stored since: no change of the relation. */
  renew(entry: Related): void {
    const renewed = (list: readonly Related[]) => list.map(one => (refOf(one) === refOf(entry) ? entry : one))
    const inLinks = ({ head, tail, more }: Links): Links => ({ head: renewed(head), tail: renewed(tail), more })
    this.read.value = inLinks(this.read.peek())
    this.#history.rewrite(this.value, inLinks)
  }

  /** Takes over what the server has, and what is shown of it; the steps before cannot be undone. */
  replace(read: Links, value: Links): void {
    this.#history.forget(this.value)
    this.read.value = read
    this.value.value = value
  }

  /** An entry of which the response left out the type can be left connected, and not be connected again. */
  forgetUnnamed(): void {
    const former = this.#history.contents(this.value).flatMap(loaded)
    if (former.some(({ uid }) => uid === '')) this.#history.forget(this.value)
  }

  refuse(message: string): void {
    this.refused.value = message
  }

  accept(): void {
    this.refused.value = undefined
  }

  body(isNew: boolean): unknown {
    return changeOf(this.attribute, isNew ? noLinks : this.read.peek(), this.value.peek())
  }

  plain(): PlainValue {
    return { kind: 'links', links: this.value.peek() }
  }
}

export interface RelationPlace {
  readonly canWrite: () => boolean
  readonly history: History
}

interface RelationContent {
  readonly read: Links
  readonly value: Links
}
