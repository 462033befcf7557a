import { computed, type ReadonlySignal } from '@preact/signals-core'

interface Counted {
  readonly changes: ReadonlySignal<number>
}

/** The number of changes of all parts; it is added up again where the number of one of them is another. */
export const sumOf = (parts: () => Iterable<Counted>): ReadonlySignal<number> =>
  computed(() => {
    let sum = 0
    for (const { changes } of parts()) sum += changes.value
    return sum
  })
