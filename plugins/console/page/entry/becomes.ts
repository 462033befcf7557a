import { effect } from '@preact/signals'

/** Resolves as soon as a condition on signals is true. */
export async function becomes(isTrue: () => boolean): Promise<void> {
  let stop = () => {}
  await new Promise<void>(resolve => {
    stop = effect(() => {
      if (isTrue()) resolve()
    })
  })
  stop()
}
