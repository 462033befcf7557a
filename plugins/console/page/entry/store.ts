import { batch } from '@preact/signals'
import { isDone, type Reply } from '../../../pages/page/request.js'
import { type KeptDraft, type Restored, restored } from '../../model/drafts.js'
import type { Form } from '../../model/form/form.js'
import type { PlainItem, Values } from '../../model/form/plain.js'
import { type Purpose, problemsOf } from '../../model/form/problems.js'
import { entryOf, type Head, headOf, plainOf } from '../../model/form/read.js'
import { errorsOf, Sent } from '../../model/form/sent.js'
import { type Merged, merge } from '../../model/merge/merge.js'
import { settle } from '../../model/merge/saved.js'
import { ask } from '../api.js'
import { say } from '../shell/messages.js'
import { t } from '../text.js'
import { failureText } from './failures.js'
import { refusalsOf, shownProblem } from './problems.js'

import { EntryState } from './state.js'

/** One entry in the page, and what is done with it. */
export class EntryStore extends EntryState {
  /** The state of the entry that a write is based on. */
  get #expected(): Readonly<Record<string, string>> {
    const updatedAt = this.head.peek()?.updatedAt
    return updatedAt === undefined ? {} : { 'If-Match': `"${updatedAt}"` }
  }

  save(): Promise<boolean> {
    return this.#once(async form => {
      if (!this.#isFit(form, this.#purpose)) return false
      return this.#save(form)
    })
  }

  /** Saves what was changed, and publishes. */
  publish(): Promise<boolean> {
    return this.#once(async form => {
      if (!this.#isFit(form, 'publish')) return false
      return (await this.#save(form)) && this.#act(form, 'publish')
    })
  }

  unpublish(): Promise<boolean> {
    return this.#once(form => this.#act(form, 'unpublish'))
  }

  async remove(): Promise<boolean> {
    this.isBusy.value = true
    const reply = await ask({ method: 'DELETE', url: this.requests.remove(this.stored) })
    this.isBusy.value = false
    if (!isDone(reply)) this.#fail(reply)
    return isDone(reply)
  }

  /** One thing at a time is done with the entry. */
  async #once(work: (form: Form) => Promise<boolean>): Promise<boolean> {
    const form = this.form.peek()
    if (!form || this.isBusy.peek()) return false
    this.isBusy.value = true
    try {
      await Promise.all([...this.beforeSave].map(settle => settle()))
      return await work(form)
    } finally {
      this.isBusy.value = false
    }
  }

  get #purpose(): Purpose {
    return this.type.options.drafts && !this.isPublished.peek() ? 'draft' : 'finished'
  }

  #isFit(form: Form, purpose: Purpose): boolean {
    const found = problemsOf(form, purpose).map(shownProblem)
    this.report(found, [])
    return found.length === 0
  }

  async #save(form: Form): Promise<boolean> {
    const isNew = form.isNew.peek()
    if (!isNew && form.changes.peek() === 0) return true
    const sent = new Sent(form)
    const reply = await this.#send(sent, isNew)
    if (!isDone(reply)) return this.#refused(reply, { form, sent, isNew })
    const entry = await this.#written(reply, isNew)
    if (!entry) return false
    this.#settle(form, sent, entry)
    this.onStored()
    say(t('entry.saved', { title: this.title.peek() }))
    return true
  }

  #send(sent: Sent, isNew: boolean): Promise<Reply> {
    const { locale, of } = this.place.peek()
    if (!isNew || (this.isSingle && of === undefined)) {
      const url = this.requests.entry(this.stored)
      return ask({ method: 'PUT', url, headers: this.#expected, body: this.#wrapped(sent.data) })
    }
    const data = { ...sent.data, ...(locale && { locale }) }
    const headers = { 'Idempotency-Key': crypto.randomUUID() }
    if (of === undefined)
      return ask({ method: 'POST', url: this.requests.create(), headers, body: this.#wrapped(data) })
    const body = this.kinds.dialect.bareLocalizations ? data : { data }
    return ask({ method: 'POST', url: this.requests.localization({ of }), body })
  }

  /** Accounts of the site are sent without `data` around them. */
  #wrapped(data: Readonly<Record<string, unknown>>): unknown {
    return this.type.isBare ? data : { data }
  }

  /** The entry as it was stored: a new language is returned in a form of its own, and read again. */
  async #written(reply: Reply, isNew: boolean): Promise<Values | undefined> {
    const entry = entryOf(reply.body)
    if (!isNew || this.place.peek().of === undefined || !entry) return entry
    const again = await ask({ url: this.requests.entry({ id: Number(entry.id), locale: this.locale.peek() }) })
    return entryOf(again.body)
  }

  #settle(form: Form, sent: Sent, entry: Values): void {
    const plain = plainOf(this.kinds, this.type.uid, entry)
    batch(() => {
      settle(form, sent, plain)
      this.takeHead(plain, headOf(entry))
      this.problems.value = []
      this.failures.value = []
    })
  }

  async #act(form: Form, name: 'publish' | 'unpublish'): Promise<boolean> {
    const sent = new Sent(form)
    const url = this.requests.action(name, this.stored)
    const reply = await ask({ method: 'POST', url, headers: this.#expected })
    if (!isDone(reply)) return this.#refused(reply, { form, sent, isNew: false })
    const entry = entryOf(reply.body)
    if (entry) {
      const plain = plainOf(this.kinds, this.type.uid, entry)
      batch(() => {
        // What is typed and not saved stays a change: only what the server has is taken over.
        if (form.changes.peek() === 0) settle(form, sent, plain)
        this.takeHead(plain, { ...headOf(entry) })
      })
    }
    say(t(name === 'publish' ? 'entry.isPublished' : 'entry.isUnpublished', { title: this.title.peek() }))
    return true
  }

  async #refused(reply: Reply, { form, sent, isNew }: { form: Form; sent: Sent; isNew: boolean }): Promise<false> {
    if (!isNew && (reply.status === 412 || reply.status === 404)) {
      await this.compare(form)
      return false
    }
    if (reply.status !== 400) {
      this.#fail(reply)
      return false
    }
    const rest = sent.place(errorsOf(reply.body))
    this.report(
      refusalsOf(form),
      rest.map(({ message }) => message),
    )
    return false
  }

  #fail(reply: Reply): void {
    this.report([], [failureText(reply, this.type)])
  }

  /** Reads the entry again, and compares what others have changed with what is in the form. */
  async compare(form: Form): Promise<void> {
    const reply = await ask({ url: this.requests.entry(this.stored) })
    const entry = isDone(reply) ? entryOf(reply.body) : undefined
    const base = form.base()
    if (!base || (!entry && reply.status !== 404)) return this.#fail(reply)
    const mine = form.root.plain()
    if (!entry) {
      this.conflict.value = { base, mine, merged: { read: base, plain: mine, conflicts: [], changes: [] } }
      return
    }
    const plain = plainOf(this.kinds, this.type.uid, entry)
    const merged = merge(this.kinds, { base, theirs: plain, mine })
    this.conflict.value = { theirs: { plain, head: headOf(entry) }, base, mine, merged }
  }

  /** Shows an entry as others have stored it, with the changes of the editor on top. */
  takeMerged({ read, plain }: Pick<Merged, 'read' | 'plain'>, head: Head): void {
    batch(() => {
      this.takeHead(read, head)
      this.form.value = this.formWith(read, plain)
      this.problems.value = []
      this.failures.value = []
      this.conflict.value = undefined
    })
  }

  /** The entry was deleted by others: what is in the form becomes a new one. */
  takeAsNew(mine: PlainItem): void {
    batch(() => {
      this.place.value = { locale: this.locale.peek() }
      this.head.value = undefined
      this.conflict.value = undefined
      this.form.value = this.formWith(undefined, mine)
    })
  }

  /** Shows changes that were kept by the browser. */
  restore(draft: KeptDraft): void {
    const form = this.form.peek()
    const head = this.head.peek()
    const theirs = form?.base()
    const found: Restored = restored(this.kinds, draft, theirs)
    if (!head || !theirs || !found.read || !draft.base) {
      this.form.value = this.formWith(undefined, found.plain)
      return
    }
    const merged = { ...found, read: found.read }
    if (found.conflicts.length === 0) this.takeMerged(merged, head)
    else this.conflict.value = { theirs: { plain: theirs, head }, base: draft.base, mine: draft.mine, merged }
  }
}
