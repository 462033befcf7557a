import { batch, computed, signal } from '@preact/signals'
import { isDone } from '../../../pages/page/request.js'
import { countsOf, type Question } from '../../model/form/asked.js'
import { markEmptied } from '../../model/form/copy.js'
import { Form } from '../../model/form/form.js'
import type { Kinds } from '../../model/form/kinds.js'
import type { PlainItem, Values } from '../../model/form/plain.js'
import { entryOf, type Head, headOf, plainOf } from '../../model/form/read.js'
import type { Merged } from '../../model/merge/merge.js'
import type { Meta, Permissions, TypeMeta } from '../../model/meta.js'
import { ask } from '../api.js'
import { t } from '../text.js'
import { OpenItems } from './open-items.js'
import { takePending } from './pending-copy.js'
import { fieldId, isStanding, itemsOn, type ShownProblem } from './problems.js'
import { type EntryPlace, EntryRequests } from './requests.js'

/** Changes of others that were found when the form was saved, or when kept changes were restored. */
export interface ConflictState {
  /** Undefined where the entry was deleted. */
  readonly theirs?: { readonly plain: PlainItem; readonly head: Head }
  readonly base: PlainItem
  readonly mine: PlainItem
  readonly merged: Merged
}

/** The id of the region that sums up problems. */
export const problemsId = 'problems'

/** An entry in the page: its form, and what the page knows of it. */
export class EntryState {
  readonly kinds: Kinds
  readonly type: TypeMeta
  readonly account: Meta['account']
  readonly languages: Meta['languages']
  readonly requests: EntryRequests
  readonly place = signal<EntryPlace>({})
  readonly phase = signal<'loading' | 'missing' | 'failed' | 'ready'>('loading')
  readonly form = signal<Form | undefined>(undefined)
  readonly head = signal<Head | undefined>(undefined)
  readonly title = signal('')
  readonly open = new OpenItems()
  readonly isBusy = signal(false)
  readonly problems = signal<readonly ShownProblem[]>([])
  /** What the server said that belongs to no field. */
  readonly failures = signal<readonly string[]>([])
  readonly conflict = signal<ConflictState | undefined>(undefined)
  readonly changes = computed(() => this.form.value?.changes.value ?? 0)
  readonly locale = computed(() => this.head.value?.locale ?? this.place.value.locale ?? null)
  /** What has to be done before the form is saved: values that are made from others. */
  readonly beforeSave = new Set<() => Promise<void>>()
  /** Called when the entry was stored. */
  onStored: () => void = () => {}

  constructor({ app, account, languages }: Meta, kinds: Kinds, type: TypeMeta, place: EntryPlace) {
    this.kinds = kinds
    this.type = type
    this.account = account
    this.languages = languages
    this.requests = new EntryRequests(app.api, kinds, type)
    this.place.value = place
  }

  get isSingle(): boolean {
    return this.type.kind === 'singleType'
  }

  /** The account may save the form. */
  readonly canSave = computed(() => {
    const form = this.form.value
    return form !== undefined && this.may(form.isNew.value ? 'create' : 'update')
  })

  /** True if the account may do something with entries in the language of this one. */
  may(action: keyof Permissions): boolean {
    const right = this.type.can[action]
    const locale = this.locale.value
    return right !== null && (locale === null || (right.locales?.includes(locale) ?? true))
  }

  readonly isPublished = computed(() => {
    const time = this.head.value?.publishedAt
    return time !== null && time !== undefined
  })

  async load(): Promise<void> {
    const place = this.place.peek()
    if (place.id === undefined && !this.isSingle) return this.#begin(place)
    const reply = await ask({ url: this.requests.entry(place) })
    const entry = isDone(reply) ? entryOf(reply.body) : undefined
    if (entry) return this.#take(entry)
    if (this.isSingle && reply.status === 404 && this.type.can.create) return this.#begin(place)
    this.phase.value = reply.status === 404 || reply.status === 403 ? 'missing' : 'failed'
  }

  /** Shows a new entry: empty, with the shared values of its other languages, or with what was copied. */
  async #begin(place: EntryPlace): Promise<void> {
    const source = await this.#sourceOf(place)
    const copy = takePending(this.type.uid)
    const plain = source ? sharedOf(this.kinds, this.type, source) : copy?.plain
    const kinds = copy && !source ? this.kinds.whole() : this.kinds
    const form = this.formWith(undefined, plain, kinds)
    if (copy && !source) markEmptied(form.root, copy)
    batch(() => {
      this.title.value = t('entry.new', { type: this.type.name })
      this.form.value = form
      this.phase.value = 'ready'
    })
  }

  async #sourceOf({ of }: EntryPlace): Promise<PlainItem | undefined> {
    if (of === undefined) return undefined
    const reply = await ask({ url: this.requests.entry({ id: of }) })
    const entry = isDone(reply) ? entryOf(reply.body) : undefined
    return entry && plainOf(this.kinds, this.type.uid, entry)
  }

  #take(entry: Values): void {
    const plain = plainOf(this.kinds, this.type.uid, entry)
    batch(() => {
      this.takeHead(plain, headOf(entry))
      this.form.value = this.formWith(plain)
      this.problems.value = []
      this.failures.value = []
      this.phase.value = 'ready'
    })
    void this.askMore(countsOf)
  }

  protected formWith(read?: PlainItem, plain?: PlainItem, kinds = this.kinds): Form {
    const type = kinds.type(this.type.uid) ?? this.type
    return new Form(kinds, type, read, { ...(plain && { plain }), locale: this.locale.peek() })
  }

  /** Shows other values than those of the server, as changes. */
  show(plain: PlainItem): void {
    this.form.value = this.formWith(this.form.peek()?.base(), plain)
  }

  protected takeHead({ values }: PlainItem, head: Head): void {
    this.head.value = head
    const main = values[this.type.layout.settings.mainField]
    const title = main?.kind === 'typed' ? String(main.typed ?? '') : ''
    this.title.value = title === '' ? t('entry.untitled', { type: this.type.name, id: String(head.id) }) : title
  }

  /** Asks a further question about the relations of the form. */
  protected async askMore(make: (form: Form) => Question | undefined): Promise<void> {
    const form = this.form.peek()
    const question = form && make(form)
    if (question) await this.answer(question)
  }

  async answer({ query, take }: Question): Promise<boolean> {
    const reply = await ask({ url: this.requests.entry(this.stored, query) })
    if (isDone(reply) && this.form.peek()) take(reply.body)
    return isDone(reply)
  }

  protected get stored(): EntryPlace {
    const id = this.head.peek()?.id ?? this.place.peek().id
    return { ...(id !== undefined && { id }), locale: this.locale.peek() }
  }

  protected report(problems: readonly ShownProblem[], failures: readonly string[]): void {
    const form = this.form.peek()
    batch(() => {
      for (const { path } of problems) if (form) for (const item of itemsOn(form, path)) this.open.open(item)
      this.problems.value = problems
      this.failures.value = failures
    })
    if (problems.length + failures.length > 0) setTimeout(() => document.getElementById(problemsId)?.focus())
  }

  /** The problems that stand: what they are about has not been changed since. */
  readonly standing = computed(() => this.problems.value.filter(isStanding))

  /** Goes to the field of a problem; the components that it stands in are opened. */
  goTo(path: readonly string[]): void {
    const form = this.form.peek()
    if (!form) return
    const items = itemsOn(form, path)
    for (const item of items) this.open.open(item)
    const id = fieldId(items.at(-1) ?? form.root, path.at(-1) ?? '')
    const focus = () => {
      const control = document.getElementById(id)
      control?.scrollIntoView({ block: 'center' })
      control?.focus({ preventScroll: true })
    }
    // Items that were closed are in the page in a moment.
    if (document.getElementById(id)) focus()
    else setTimeout(focus)
  }
}

/** The values of another language that are the same in all of them. */
function sharedOf(kinds: Kinds, type: TypeMeta, source: PlainItem): PlainItem {
  const shared = kinds.shown(type.uid).filter(({ localized, type }) => localized !== true && type !== 'uid')
  const values = shared.flatMap(({ name }) => (source.values[name] ? [[name, source.values[name]] as const] : []))
  return { uid: source.uid, values: Object.fromEntries(values) }
}
