import { batch, computed, signal } from '@preact/signals'
import { isDone, type PageRequest, type Reply } from '../../../../pages/page/request.js'
import type { Form } from '../../../model/form/form.js'
import type { Values } from '../../../model/form/plain.js'
import { type Purpose, problemsOf } from '../../../model/form/problems.js'
import { entryOf, type Head, plainOf } from '../../../model/form/read.js'
import { errorsOf, Sent } from '../../../model/form/sent.js'
import { settle } from '../../../model/merge/saved.js'
import { ask } from '../../api.js'
import { say } from '../../shell/messages.js'
import { t } from '../../text.js'
import { EntryMeeting } from '../meanwhile/meeting.js'
import { sharesChanges } from './both.js'
import type { WriteAction } from './failures.js'
import { refusalsOf, shownProblem } from './problems.js'
import { type RepeatedWork, storedBefore } from './stored-before.js'

interface Refused {
  readonly form: Form
  readonly sent: Sent
  readonly action: WriteAction
}

/** Times at which an entry is published, and at which that ends; null for none. */
export interface Plan {
  readonly publishAt?: string | null
  readonly unpublishAt?: string | null
}

const planNames = ['publishAt', 'unpublishAt'] as const

interface StateChange extends Pick<RepeatedWork, 'isMeant'> {
  readonly action: WriteAction
}

/** One entry in the page, and what is done with it. */
export class EntryStore extends EntryMeeting {
  /** The entry in another language, which stands beside the form. */
  readonly beside = signal<EntryStore | undefined>(undefined)
  /** The number of changes on both sides. */
  readonly unsaved = computed(() => this.changes.value + (this.beside.value?.changes.value ?? 0))
  readonly #givenUp = new AbortController()

  /** The state of the entry that a write is based on. */
  get #expected(): Readonly<Record<string, string>> {
    const updatedAt = this.head.peek()?.updatedAt
    return updatedAt === undefined ? {} : { 'If-Match': `"${updatedAt}"` }
  }

  async save(): Promise<boolean> {
    return this.#once(async before => {
      if (this.isOutdated) {
        if (!(await this.renew())) return false
        if (this.changes.peek() === 0) return true
      }
      const form = this.form.peek() ?? before
      return this.#isFit(form, this.#purpose) && this.#save(form)
    })
  }

  /** Saves what was changed, and publishes. */
  async publish(): Promise<boolean> {
    const isDone = await this.#once(async form => {
      if (!this.#isFit(form, 'publish')) return false
      return (await this.#save(form)) && this.#act(form, 'publish')
    })
    const met = this.conflict.peek()
    if (!isDone && met) this.conflict.value = { ...met, isPublishing: true }
    return isDone
  }

  unpublish(): Promise<boolean> {
    return this.#once(form => this.#act(form, 'unpublish'))
  }

  /** Sets when the entry is published and when that ends. What is published in time is saved before, as by `publish`. */
  plan(plan: Plan): Promise<boolean> {
    return this.#once(async form => {
      if (!plan.publishAt) return this.#plan(form, plan)
      return this.#isFit(form, 'publish') && (await this.#save(form)) && this.#plan(form, plan)
    })
  }

  /** Drops requests that wait for the server: the form is left without its changes. */
  giveUp(): void {
    this.#givenUp.abort()
  }

  async remove(): Promise<boolean> {
    this.isBusy.value = true
    const reply = await ask({ method: 'DELETE', url: this.requests.remove(this.stored) })
    this.isBusy.value = false
    if (!isDone(reply)) this.fail(reply, 'delete')
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
    const isShared = sharesChanges(this)
    const mine = form.root.plain()
    const reply = await this.#send(sent, isNew)
    const entry = isDone(reply)
      ? await this.#written(reply, isNew)
      : await this.#storedBefore(reply, { mine, isMeant: () => true })
    if (!entry && isDone(reply)) return false
    if (!entry) return this.#refused(reply, { form, sent, action: isNew ? 'create' : 'update' })
    if (isNew) await this.askRights(Number(entry.id))
    this.#settle(form, sent, entry)
    const other = this.beside.peek()
    if (other && isShared) other.isOutdated = true
    this.onStored()
    say(t('entry.saved', { title: this.title.peek() }))
    return true
  }

  #send(sent: Sent, isNew: boolean): Promise<Reply> {
    const { locale, of } = this.place.peek()
    if (!isNew || (this.isSingle && of === undefined)) {
      const url = this.requests.entry(this.stored)
      return this.#write({ method: 'PUT', url, headers: this.#expected, body: this.#wrapped(sent.data) })
    }
    const data = { ...sent.data, ...(locale && { locale }) }
    const headers = { 'Idempotency-Key': crypto.randomUUID() }
    if (of === undefined)
      return this.#write({ method: 'POST', url: this.requests.create(), headers, body: this.#wrapped(data) })
    const body = this.kinds.dialect.bareLocalizations ? data : { data }
    return this.#write({ method: 'POST', url: this.requests.localization({ of }), headers, body })
  }

  #write(request: PageRequest): Promise<Reply> {
    return ask(request, this.#givenUp.signal)
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
      this.takeHead(plain, this.headOf(entry))
      this.problems.value = []
      this.failures.value = []
    })
  }

  async #act(form: Form, name: 'publish' | 'unpublish'): Promise<boolean> {
    const url = this.requests.action(name, this.stored)
    const isMeant = ({ publishedAt }: Head) => (publishedAt ? 'publish' : 'unpublish') === name
    if (!(await this.#change(form, { method: 'POST', url }, { action: name, isMeant }))) return false
    const done = t(name === 'publish' ? 'entry.isPublished' : 'entry.isUnpublished', { title: this.title.peek() })
    const missing = name === 'publish' ? this.missing.peek() : undefined
    say(missing === undefined ? done : `${done} ${missing}`)
    return true
  }

  async #plan(form: Form, plan: Plan): Promise<boolean> {
    const request = { method: 'PUT', url: this.requests.entry(this.stored), body: this.#wrapped({ ...plan }) }
    const isMeant = (head: Head) => planNames.every(name => plan[name] === undefined || plan[name] === head[name])
    if (!(await this.#change(form, request, { action: 'publish', isMeant }))) return false
    const { publishAt, unpublishAt } = this.head.peek() ?? {}
    say(t(publishAt || unpublishAt ? 'schedule.done' : 'schedule.cancelled', { title: this.title.peek() }))
    return true
  }

  /** Changes the state of the entry, and not what is in the form. */
  async #change(form: Form, request: PageRequest, { action, isMeant }: StateChange): Promise<boolean> {
    const sent = new Sent(form)
    const reply = await this.#write({ ...request, headers: this.#expected })
    const entry = isDone(reply) ? entryOf(reply.body) : await this.#storedBefore(reply, { mine: form.base(), isMeant })
    if (!entry && !isDone(reply)) return this.#refused(reply, { form, sent, action })
    if (entry) {
      const plain = plainOf(this.kinds, this.type.uid, entry)
      batch(() => {
        // Unsaved values stay changes: only the server's values are taken over.
        if (form.changes.peek() === 0) settle(form, sent, plain)
        this.takeHead(plain, this.headOf(entry))
      })
    }
    return true
  }

  #storedBefore({ status }: Reply, work: RepeatedWork): Promise<Values | undefined> {
    return status === 412 ? storedBefore(this, this.requests.entry(this.stored), work) : Promise.resolve(undefined)
  }

  async #refused(reply: Reply, { form, sent, action }: Refused): Promise<false> {
    if (action !== 'create' && (reply.status === 412 || reply.status === 404)) {
      await this.compare(form)
      return false
    }
    if (reply.status !== 400) {
      this.fail(reply, action)
      return false
    }
    const rest = sent.place(errorsOf(reply.body))
    this.report(
      refusalsOf(form),
      rest.map(({ message }) => message),
    )
    return false
  }
}
