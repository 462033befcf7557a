import { effect, type Signal, signal } from '@preact/signals'

/** Something that is chosen in this browser, and stays so. */
export function choiceOf(name: string, usual: boolean): Signal<boolean> {
  const place = `stele-console-${name}`
  const stored = localStorage.getItem(place)
  const choice = signal(stored === null ? usual : stored === 'true')
  effect(() => {
    if (choice.value === usual) localStorage.removeItem(place)
    else localStorage.setItem(place, String(choice.value))
  })
  return choice
}
