import { useSignal } from '@preact/signals'
import type { ComponentChildren, RefObject } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import type { ModuleMeta } from '../../model/extensions.js'
import { language } from '../text.js'
import { type LoadedModule, loaded, reasonOf } from './loading.js'

/** The methods that `mount` of a module may return. */
interface Mounted<State> {
  readonly update?: (next: State) => void
  readonly focus?: () => void
  readonly remove?: () => void
}

interface MountProps<State> {
  readonly extension: ModuleMeta
  /** The argument of the module; `update` is called with it whenever it is another one. */
  readonly state: State
  /** The rest of its first argument. */
  readonly given: (module: LoadedModule) => object
  readonly class: string
  /** The id that a control of the module should have, so that its label leads there. */
  readonly id?: string
  /** In its place once it has failed. */
  readonly otherwise: (reason: string) => ComponentChildren
}

/** A place in the page for a module. Whatever it throws, while it loads and later, is shown in its place. */
export function Mount<State extends object>({ extension, state, given, id, otherwise, ...rest }: MountProps<State>) {
  const place = useRef<HTMLDivElement>(null)
  const failure = useSignal<string | undefined>(undefined)
  const isLoading = useSignal(true)
  const mounted = useMounted({ extension, state, given, id, place, failure, isLoading })
  // In the same step as the render: a key that is pressed meanwhile would be undone by a state from before it.
  useLayoutEffect(() => {
    if (mounted.current) attempt(() => mounted.current?.update?.(state), failure)
  }, Object.values(state))
  if (failure.value !== undefined) return <>{otherwise(failure.value)}</>
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it hears the focus that its label gives
    <div class={rest.class} ref={place} aria-busy={isLoading.value} onFocus={() => focused(mounted, place)} />
  )
}

interface Mounting<State> extends Pick<MountProps<State>, 'extension' | 'state' | 'given'> {
  readonly id: string | undefined
  readonly place: RefObject<HTMLDivElement | null>
  readonly failure: { value: string | undefined }
  readonly isLoading: { value: boolean }
}

function useMounted<State extends object>({ extension, id, place, failure, isLoading, ...latest }: Mounting<State>) {
  const mounted = useRef<Mounted<State> | undefined>(undefined)
  const known = useRef(latest)
  useLayoutEffect(() => {
    known.current = latest
  })
  useEffect(() => {
    let isGone = false
    const start = (module: LoadedModule) => {
      const element = place.current
      if (isGone || !element) return
      isLoading.value = false
      const { state, given } = known.current
      attempt(() => {
        const made = module.run(element, { ...state, ...given(module) }) as Mounted<State> | undefined
        mounted.current = made ?? {}
        // Without a control that has the id, the label and the sum of problems lead to the place itself.
        if (id !== undefined && !element.querySelector(`[id="${CSS.escape(id)}"]`)) {
          element.id = id
          element.tabIndex = -1
        }
      }, failure)
    }
    loaded(extension, 'mount').then(start, error => {
      if (!isGone) failure.value = reasonOf(error)
    })
    return () => {
      isGone = true
      const { current } = mounted
      mounted.current = undefined
      try {
        current?.remove?.()
      } catch (error) {
        console.error(error)
      }
    }
  }, [extension.module, language()])
  return mounted
}

function attempt(work: () => void, failure: { value: string | undefined }): void {
  try {
    work()
  } catch (error) {
    failure.value = reasonOf(error)
  }
}

type Focusable = Pick<Mounted<never>, 'focus'>

/** The place itself has the focus only where the module has a control of another name. */
function focused(mounted: RefObject<Focusable | undefined>, place: RefObject<HTMLElement | null>): void {
  if (document.activeElement === place.current) mounted.current?.focus?.()
}
