import { computed, signal } from '@preact/signals'
import { errorMessageOf, isDone, type Reply } from '../../../pages/page/request.js'
import { layoutChange } from '../../model/layout/change.js'
import type { AttributeInfo, ComponentMeta, FieldLayout, Layout, LayoutSettings, TypeMeta } from '../../model/meta.js'
import { ask } from '../api.js'
import { base } from '../shell/address.js'
import { returningFocus } from '../shell/focus.js'
import { say } from '../shell/messages.js'
import { refresh } from '../shell/session.js'
import { t } from '../text.js'

export type Kind = TypeMeta | ComponentMeta

/** The layout of a type while it is changed: the whole one, with fields that the account may not read as well. */
export class LayoutStore {
  readonly kind: Kind
  readonly stored = signal<Layout | undefined>(undefined)
  readonly layout = signal<Layout | undefined>(undefined)
  readonly failure = signal('')
  readonly isBusy = signal(false)
  /** The field whose settings are shown. */
  readonly chosen = signal<string | undefined>(undefined)
  readonly change = computed(() => {
    const [before, now] = [this.stored.value, this.layout.value]
    return before && now && layoutChange(before, now)
  })

  constructor(kind: Kind) {
    this.kind = kind
  }

  get isType(): boolean {
    return 'can' in this.kind
  }

  attribute(name: string): AttributeInfo | undefined {
    return this.kind.attributes.find(one => one.name === name)
  }

  labelOf(name: string): string {
    return this.layout.value?.fields[name]?.label ?? name
  }

  /** Fields that have no place in the form, and may have one. */
  get left(): readonly string[] {
    const layout = this.layout.value
    const placed = new Set(layout?.edit.flat().map(({ name }) => name))
    return this.kind.attributes.filter(({ name, added }) => !added && !placed.has(name)).map(({ name }) => name)
  }

  set(part: Partial<Layout>): void {
    const layout = this.layout.peek()
    if (layout && !layout.isDeclared) this.layout.value = { ...layout, ...part }
  }

  setSettings(part: Partial<LayoutSettings>): void {
    const settings = this.layout.peek()?.settings
    if (settings) this.set({ settings: { ...settings, ...part } })
  }

  setField(name: string, part: Partial<FieldLayout>): void {
    const fields = this.layout.peek()?.fields
    const field = fields?.[name]
    if (fields && field) this.set({ fields: { ...fields, [name]: { ...field, ...part } } })
  }

  async load(): Promise<void> {
    this.#take(await ask({ url: this.#url }))
  }

  async save(): Promise<boolean> {
    const change = this.change.peek()
    const sent = this.layout.peek()
    if (!change) return true
    return this.#write({ method: 'PUT', url: this.#url, body: change }, t('layout.saved'), sent)
  }

  reset(): Promise<boolean> {
    return this.#write({ method: 'DELETE', url: this.#url }, t('layout.isReset'))
  }

  get #url(): string {
    return `${base}/layouts/${this.kind.uid}`
  }

  async #write(request: Parameters<typeof ask>[0], done: string, sent?: Layout): Promise<boolean> {
    const reply = await returningFocus(async () => {
      this.isBusy.value = true
      const arrived = await ask(request)
      this.isBusy.value = false
      return arrived
    })
    this.#take(reply, sent)
    if (!isDone(reply)) return false
    say(done)
    await refresh()
    return true
  }

  /** Takes the stored layout; what was changed since another one was `sent` stays. */
  #take(reply: Reply, sent = this.layout.peek()): void {
    this.failure.value = isDone(reply) ? '' : (errorMessageOf(reply) ?? t('failed'))
    if (!isDone(reply)) return
    this.stored.value = reply.body as Layout
    if (this.layout.peek() === sent) this.layout.value = reply.body as Layout
  }
}
