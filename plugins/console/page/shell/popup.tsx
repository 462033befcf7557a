import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'

/** A button that opens a small panel below it: Escape and a click beside it close the panel. */
export function Popup({
  label,
  children,
  class: kind = '',
}: {
  label: ComponentChildren
  children: () => ComponentChildren
  class?: string
}) {
  const isOpen = useSignal(false)
  const place = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const id = useId()
  const close = () => {
    isOpen.value = false
  }
  useEffect(() => {
    const onPress = ({ target }: Event) => {
      if (target instanceof Node && !place.current?.contains(target)) close()
    }
    document.addEventListener('pointerdown', onPress)
    return () => document.removeEventListener('pointerdown', onPress)
  }, [])
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !isOpen.value) return
    event.stopPropagation()
    close()
    button.current?.focus()
  }
  const onLeave = ({ relatedTarget }: FocusEvent) => {
    if (relatedTarget instanceof Node && !place.current?.contains(relatedTarget)) close()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it hears keys of the controls in it
    <div class={`popup ${kind}`} ref={place} onKeyDown={onKey} onFocusOut={onLeave}>
      <button
        type="button"
        class="button"
        ref={button}
        aria-expanded={isOpen.value}
        aria-controls={id}
        onClick={() => {
          isOpen.value = !isOpen.value
        }}
      >
        {label}
      </button>
      {isOpen.value && (
        <div class="panel" id={id}>
          {children()}
        </div>
      )}
    </div>
  )
}
