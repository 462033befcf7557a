import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'

export interface Action {
  readonly label: string
  readonly onDo: () => void
  readonly isDanger?: boolean
}

interface MenuProps {
  /** The accessible name of the button. */
  readonly label: string
  readonly sign: ComponentChildren
  readonly actions: readonly Action[]
  readonly class?: string
  /** Its entries are buttons with names of their own, which may be asked for by them. */
  readonly hasButtons?: boolean
}

const steps: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowDown: (at, count) => (at + 1) % count,
  ArrowUp: (at, count) => (at - 1 + count) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
}

/** A button that opens a list of actions: arrows move, Escape closes and gives the focus back. */
export function Menu({ label, sign, actions, class: kind = 'button', hasButtons = false }: MenuProps) {
  const isOpen = useSignal(false)
  const place = useRef<HTMLDivElement>(null)
  const id = useId()
  const entries = () => [...(place.current?.querySelectorAll<HTMLElement>('.menu-entry') ?? [])]
  const close = () => {
    isOpen.value = false
  }
  const back = () => place.current?.querySelector('button')?.focus()
  useEffect(() => {
    if (!isOpen.value) return
    entries()[0]?.focus()
    const onPress = ({ target }: Event) => {
      if (target instanceof Node && !place.current?.contains(target)) close()
    }
    document.addEventListener('pointerdown', onPress)
    return () => document.removeEventListener('pointerdown', onPress)
  }, [isOpen.value])
  const onKey = (event: KeyboardEvent) => {
    if (!isOpen.value) return
    const all = entries()
    const step = event.altKey ? undefined : steps[event.key]
    if (event.key !== 'Escape' && !step) return
    event.preventDefault()
    event.stopPropagation()
    if (step) all[step(all.indexOf(document.activeElement as HTMLElement), all.length)]?.focus()
    else {
      close()
      back()
    }
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it hears keys of the controls in it
    <div
      class="popup at-end"
      ref={place}
      onKeyDown={onKey}
      onFocusOut={({ relatedTarget }) => {
        if (relatedTarget instanceof Node && !place.current?.contains(relatedTarget)) close()
      }}
    >
      <button
        type="button"
        class={kind}
        aria-label={label}
        title={label}
        aria-haspopup={hasButtons ? undefined : 'menu'}
        aria-expanded={isOpen.value}
        aria-controls={isOpen.value ? id : undefined}
        onClick={() => {
          isOpen.value = !isOpen.value
        }}
      >
        <span aria-hidden="true">{sign}</span>
      </button>
      {isOpen.value && (
        // biome-ignore lint/a11y/useAriaPropsSupportedByRole: both roles take a name
        <div class="panel menu-list" id={id} role={hasButtons ? 'group' : 'menu'} aria-label={label}>
          {actions.map(({ label, onDo, isDanger = false }) => (
            <button
              key={label}
              type="button"
              class={isDanger ? 'menu-entry danger' : 'menu-entry'}
              role={hasButtons ? undefined : 'menuitem'}
              onClick={() => {
                close()
                back()
                onDo()
              }}
            >
              {label}
            </button>
          ))}
        </div>
      )}
    </div>
  )
}
