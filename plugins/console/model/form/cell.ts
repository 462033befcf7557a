import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals-core'
import type { FieldInfo } from '../meta.js'
import type { PlainValue, Typed } from './plain.js'
import { isEmpty, isSameTyped, type Parsed, parse, type ValueProblem } from './typed.js'

/** One field of a form: a key that is typed into it computes this cell again, and no other. */
export class Cell {
  readonly kind = 'cell'
  readonly attribute: FieldInfo
  readonly #canWrite: () => boolean
  /** The value that the server has. */
  readonly read: Signal<Typed>
  /** The content of the control. */
  readonly value: Signal<Typed>
  readonly parsed: ReadonlySignal<Parsed>
  readonly changes: ReadonlySignal<number>
  readonly problem: ReadonlySignal<ValueProblem | undefined>
  /** Why the value could not be taken over as it was, for example into a copy. */
  readonly mark = signal<'emptied' | undefined>(undefined)
  /** The server refused this value. */
  readonly #refused = signal<{ readonly typed: Typed; readonly message: string } | undefined>(undefined)

  constructor(
    attribute: FieldInfo,
    canWrite: () => boolean,
    { read, typed }: { readonly read: Typed; readonly typed: Typed },
  ) {
    this.attribute = attribute
    this.#canWrite = canWrite
    this.read = signal(read)
    this.value = signal(typed)
    this.parsed = computed(() => parse(attribute, this.value.value))
    this.changes = computed(() => (isSameTyped(attribute, this.read.value, this.value.value) ? 0 : 1))
    this.problem = computed(() => this.#problem())
  }

  get canWrite(): boolean {
    return this.#canWrite()
  }

  #problem(): ValueProblem | undefined {
    const refused = this.#refused.value
    if (refused && refused.typed === this.value.value) return { code: 'refused', params: { message: refused.message } }
    return this.changes.value > 0 ? this.parsed.value.problem : undefined
  }

  /** Shows a message of the server until something else is typed. */
  refuse(message: string): void {
    this.#refused.value = { typed: this.value.peek(), message }
  }

  /** The server has taken it over, or is asked again. */
  accept(): void {
    this.#refused.value = undefined
  }

  /** The value to send, undefined for nothing; a new item sends everything but what is empty anyway. */
  body(isNew: boolean): unknown {
    const typed = this.value.peek()
    const { value } = this.parsed.peek()
    // A value that cannot be read is sent as it is, so that it is refused and not lost.
    const sent = value === undefined ? typed : value
    if (this.attribute.type === 'password') return isEmpty(typed) ? undefined : sent
    if (!isNew) return this.changes.peek() > 0 ? sent : undefined
    return isEmpty(typed) && this.attribute.default === undefined ? undefined : sent
  }

  plain(): PlainValue {
    return { kind: 'typed', typed: this.value.peek() }
  }
}
