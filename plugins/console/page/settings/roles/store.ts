import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals'
import { changesOf, type Draft, type Drafts, draftsOf, givenFor, newDraft } from '../../../model/roles/drafts.js'
import { type About, keyOf, type Role } from '../../../model/roles/types.js'

/** A role as it stands in the form. */
export class RoleStore {
  readonly role: Role
  /** The account may change nothing of it. */
  readonly isFixed: boolean
  readonly name: Signal<string>
  readonly description: Signal<string>
  readonly drafts: Signal<Drafts>
  readonly changes: ReadonlySignal<ReturnType<typeof changesOf>>
  readonly isSaving = signal(false)
  readonly #before: Drafts

  constructor(role: Role, isFixed: boolean) {
    this.role = role
    this.isFixed = isFixed
    this.#before = draftsOf(role)
    this.name = signal(role.name)
    this.description = signal(role.description ?? '')
    this.drafts = signal(this.#before)
    this.changes = computed(() => changesOf(this.#before, this.drafts.value, role.types))
  }

  get isChanged(): boolean {
    const { name, description } = this.role
    return this.changes.value.length > 0 || this.name.value !== name || this.description.value !== (description ?? '')
  }

  of(about: About): Draft | undefined {
    return this.drafts.value.get(keyOf(about))
  }

  /** True if the account may give and take the permission. */
  isOpen(about: About): boolean {
    return !this.isFixed && givenFor(this.role, about) !== undefined
  }

  change(about: About, change: Partial<Draft> | undefined): void {
    const next = new Map(this.drafts.peek())
    const key = keyOf(about)
    const draft = next.get(key)
    if (!change) next.delete(key)
    else if (draft) next.set(key, { ...draft, ...change })
    this.drafts.value = next
  }

  /** Gives a permission as widely as the account may; of one that is there, its attributes. */
  give(about: About): void {
    const made = newDraft(this.role, about, this.drafts.peek())
    if (!made) return
    const draft = this.of(about)
    this.drafts.value = new Map(this.drafts.peek()).set(keyOf(about), draft ? { ...draft, fields: made.fields } : made)
  }

  body() {
    const { stamp } = this.role
    const about = { name: this.name.value, description: this.description.value.trim() || null }
    return { stamp, ...about, permissions: this.changes.value }
  }
}
