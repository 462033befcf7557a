import { batch, computed, type ReadonlySignal, type Signal, signal } from '@preact/signals-core'

/** A change of the structure of a form: items and entries that were added, moved or removed. */
export interface Step {
  readonly what: StepName
  /** The label of the list, and the title of what was changed in it, as they were then. */
  readonly list: string
  readonly title: string
  /** Undone steps give the list its former content: the objects in it keep what was typed into them. */
  readonly signal: Signal<unknown>
  before: unknown
  after: unknown
}

export type StepName = 'added' | 'removed' | 'moved' | 'replaced'

/** Undo and redo of structure; texts have the browser's own. */
export class History {
  readonly #done = signal<readonly Step[]>([])
  readonly #undone = signal<readonly Step[]>([])
  /** The step that `undo` takes back. */
  readonly last: ReadonlySignal<Step | undefined> = computed(() => this.#done.value.at(-1))
  /** The step that `redo` does again. */
  readonly next: ReadonlySignal<Step | undefined> = computed(() => this.#undone.value.at(-1))

  change<T>(list: Signal<T>, after: T, about: Pick<Step, 'what' | 'list' | 'title'>): void {
    const step: Step = { ...about, signal: list as Signal<unknown>, before: list.peek(), after }
    batch(() => {
      list.value = after
      this.#done.value = [...this.#done.peek(), step]
      this.#undone.value = []
    })
  }

  undo(): Step | undefined {
    return move(this.#done, this.#undone, 'before')
  }

  redo(): Step | undefined {
    return move(this.#undone, this.#done, 'after')
  }

  /** Facts learned of a list are true of its former contents as well, such as entries that were loaded since. */
  rewrite<T>(list: Signal<T>, known: (content: T) => T): void {
    for (const step of [...this.#done.peek(), ...this.#undone.peek()])
      if (step.signal === list) {
        step.before = known(step.before as T)
        step.after = known(step.after as T)
      }
    list.value = known(list.peek())
  }

  /** All contents that a list had or may have again. */
  contents<T>(list: Signal<T>): readonly T[] {
    const steps = [...this.#done.peek(), ...this.#undone.peek()].filter(({ signal }) => signal === list)
    return steps.flatMap(({ before, after }) => [before as T, after as T])
  }

  /** Forgets the steps of a list whose content was replaced. */
  forget(list: Signal<unknown>): void {
    for (const steps of [this.#done, this.#undone]) steps.value = steps.peek().filter(step => step.signal !== list)
  }
}

function move(from: Signal<readonly Step[]>, to: Signal<readonly Step[]>, side: 'before' | 'after'): Step | undefined {
  const step = from.peek().at(-1)
  if (step)
    batch(() => {
      step.signal.value = step[side]
      from.value = from.peek().slice(0, -1)
      to.value = [...to.peek(), step]
    })
  return step
}
