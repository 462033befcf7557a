import { batch, computed, type ReadonlySignal, signal } from '@preact/signals'
import { isDone } from '../../../../pages/page/request.js'
import { countsOf, type Question } from '../../../model/form/asked.js'
import { markEmptied } from '../../../model/form/copy.js'
import { Form } from '../../../model/form/form.js'
import type { Kinds } from '../../../model/form/kinds.js'
import { linkedDrafts } from '../../../model/form/linked-drafts.js'
import type { PlainItem, Values } from '../../../model/form/plain.js'
import { entryOf, type Head, headOf, plainOf } from '../../../model/form/read.js'
import { permissionsFor, wideType } from '../../../model/form/wide.js'
import type { Merged } from '../../../model/merge/merge.js'
import type { Meta, Permissions, TypeMeta } from '../../../model/meta.js'
import { ask } from '../../api.js'
import { base } from '../../shell/address.js'
import { kinds as currentKinds } from '../../shell/session.js'
import { t } from '../../text.js'
import { takePending } from '../actions/pending-copy.js'
import { previewedBy } from '../actions/previewing.js'
import type { Absence } from '../meanwhile/absence.js'
import { OpenItems } from '../open-items.js'
import { fieldId, isStanding, itemsOn, type ShownProblem } from './problems.js'
import { type EntryPlace, EntryRequests } from './requests.js'

/** Changes of others that were found when the form was saved, or when kept changes were restored. */
export interface ConflictState {
  /** Undefined where the entry is not found any more. */
  readonly theirs?: { readonly plain: PlainItem; readonly head: Head }
  readonly absence?: Absence
  /** The account that has saved it, as far as that is known. */
  readonly by?: Values
  /** It was met by publishing, which goes on once both are saved. */
  readonly isPublishing?: boolean
  readonly base: PlainItem
  readonly mine: PlainItem
  readonly merged: Merged
}

export const nothing: Permissions = { read: null, create: null, update: null, delete: null, publish: null }

/** Drafts that are named where there are many. */
const mostNamed = 5

/** An entry in the page: its form, and what the page knows of it. */
export class EntryState {
  readonly kinds: Kinds
  /** Tells its form apart from another one of the same type in the page. */
  name = ''
  readonly type: TypeMeta
  readonly account: Meta['account']
  readonly languages: Meta['languages']
  /** The browser may keep what is not saved. */
  readonly isKept: boolean
  readonly requests: EntryRequests
  readonly place = signal<EntryPlace>({})
  /** The id of the region that sums up problems. */
  problemsId = 'problems'
  readonly phase = signal<'loading' | 'missing' | 'failed' | 'ready'>('loading')
  readonly form = signal<Form | undefined>(undefined)
  readonly head = signal<Head | undefined>(undefined)
  readonly title = signal('')
  readonly open = new OpenItems()
  readonly isBusy = signal(false)
  /** The dialog with the times of publishing is open. */
  readonly isPlanning = signal(false)
  readonly problems = signal<readonly ShownProblem[]>([])
  /** Messages of the server that belong to no field. */
  readonly failures = signal<readonly string[]>([])
  readonly conflict = signal<ConflictState | undefined>(undefined)
  /** The fields of this entry that the account may write, where these are not those of all entries. */
  readonly #written = signal<readonly string[]>([])
  readonly changes = computed(() => this.form.value?.changes.value ?? 0)
  readonly locale = computed(() => this.head.value?.locale ?? this.place.value.locale ?? null)
  /** Work to be done before the form is saved: values that are made from others. */
  readonly beforeSave = new Set<() => Promise<void>>()
  /** Files on their way to fields of the form. */
  readonly arriving = signal<ReadonlySet<{ stop(): void }>>(new Set())
  /** Forgets what the browser has kept of the form. */
  discardKept: () => Promise<void> = () => Promise.resolve()
  /** Called when the entry was stored. */
  onStored: () => void = () => {}

  constructor({ app, account, languages }: Meta, kinds: Kinds, type: TypeMeta, place: EntryPlace) {
    this.kinds = kinds.wide()
    this.type = wideType(type)
    this.account = account
    this.languages = languages
    this.isKept = app.keepDrafts
    this.requests = new EntryRequests(app.api, this.kinds, this.type)
    this.place.value = place
  }

  get isSingle(): boolean {
    return this.type.kind === 'singleType'
  }

  /** The permissions of the account for the type, as they were read last. */
  readonly can: ReadonlySignal<Permissions> = computed(() => this.permissions)

  /** The account may save the form. */
  readonly canSave = computed(() => {
    const form = this.form.value
    return form !== undefined && this.may(form.isNew.value ? 'create' : 'update')
  })

  protected get permissions(): Permissions {
    const can = currentKinds.value?.type(this.type.uid)?.can ?? nothing
    return permissionsFor(can, { locale: this.locale.value, update: this.#written.value })
  }

  /** True if the account may do something with entries in the language of this one, as permissions were read last. */
  may(action: keyof Permissions): boolean {
    const right = this.can.value[action]
    const locale = this.locale.value
    return right !== null && (locale === null || (right.locales?.includes(locale) ?? true))
  }

  /** The sentence about drafts that a published entry shows as missing; undefined where there is none. */
  readonly missing = computed(() => {
    const form = this.form.value
    const drafts = form && this.type.options.drafts ? linkedDrafts(this.kinds, form) : []
    if (drafts.length === 0) return undefined
    const titles = drafts.length > mostNamed ? [...drafts.slice(0, mostNamed), '…'] : drafts
    return t('entry.missingDrafts', { count: drafts.length, titles: titles.join(', ') })
  })

  readonly isPublished = computed(() => {
    const time = this.head.value?.publishedAt
    return time !== null && time !== undefined
  })

  async load(): Promise<void> {
    const place = this.place.peek()
    if (place.id === undefined && !this.isSingle) return this.#begin(place)
    const [reply] = await Promise.all([ask({ url: this.requests.entry(place) }), this.askRights(place.id)])
    const entry = isDone(reply) ? entryOf(reply.body) : undefined
    if (entry && place.id === undefined) await this.askRights(Number(entry.id))
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

  /** Asks which further fields of a stored entry the account may write, where these differ from one to the next. */
  protected async askRights(id: number | undefined): Promise<void> {
    if (id === undefined || !this.permissions.update?.more) return
    const reply = await ask({ url: `${base}/rights/${this.type.uid}/${id}` })
    const { update } = isDone(reply) ? (reply.body as { readonly update?: readonly string[] }) : {}
    this.#written.value = update ?? []
  }

  async #sourceOf({ of }: EntryPlace): Promise<PlainItem | undefined> {
    if (of === undefined) return undefined
    const reply = await ask({ url: this.requests.entry({ id: of }) })
    const entry = isDone(reply) ? entryOf(reply.body) : undefined
    return entry && plainOf(this.kinds, this.type.uid, entry)
  }

  /** The part of an entry that the page shows beside its form. */
  headOf(entry: Values): Head {
    return headOf(entry, previewedBy(this.type))
  }

  #take(entry: Values): void {
    const plain = plainOf(this.kinds, this.type.uid, entry)
    batch(() => {
      this.takeHead(plain, this.headOf(entry))
      this.form.value = this.formWith(plain)
      this.problems.value = []
      this.failures.value = []
      this.phase.value = 'ready'
    })
    void this.askMore(countsOf)
  }

  protected formWith(read?: PlainItem, plain?: PlainItem, kinds = this.kinds): Form {
    const type = kinds.type(this.type.uid) ?? this.type
    const { can, name } = this
    return new Form(kinds, type, read, { ...(plain && { plain }), locale: this.locale.peek(), name, can })
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

  get stored(): EntryPlace {
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
    if (problems.length + failures.length > 0) setTimeout(() => document.getElementById(this.problemsId)?.focus())
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
