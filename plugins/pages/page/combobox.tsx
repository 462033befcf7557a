import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'

interface ComboboxProps<Item> {
  readonly label: string
  readonly placeholder: string
  /** The name of the list of results. */
  readonly listLabel: string
  /** The sentence in place of results. */
  readonly nothing: string
  /** Finds items by a text, which is empty at first. */
  readonly search: (text: string) => Promise<readonly Item[]>
  readonly keyOf: (item: Item) => string | number
  readonly show: (item: Item) => ComponentChildren
  readonly onPick: (item: Item) => void
  /** An item has to be chosen. */
  readonly isRequired?: boolean
}

/** Chooses one of many items: typing searches, arrows and Enter choose. */
export function Combobox<Item>({
  label,
  placeholder,
  listLabel,
  nothing,
  keyOf,
  show,
  isRequired,
  ...asked
}: ComboboxProps<Item>) {
  const list = useId()
  const box = useSearch(asked)
  const { text, found, at, isOpen } = box
  return (
    <span class="combobox">
      <input
        role="combobox"
        aria-label={label}
        aria-required={isRequired ? 'true' : undefined}
        aria-expanded={isOpen}
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={isOpen && at >= 0 ? `${list}-${at}` : undefined}
        placeholder={placeholder}
        autocomplete="off"
        value={text}
        onFocus={box.open}
        onBlur={box.close}
        onKeyDown={box.onKey}
        onInput={event => box.type(event.currentTarget.value)}
      />
      <div class="options" role="listbox" id={list} aria-label={listLabel} hidden={!isOpen}>
        {found?.map((one, index) => (
          <Option key={keyOf(one)} id={`${list}-${index}`} isActive={index === at} onPick={() => box.pick(one)}>
            {show(one)}
          </Option>
        ))}
      </div>
      {isOpen && found?.length === 0 && (
        <div class="options quiet" role="status">
          {nothing}
        </div>
      )}
    </span>
  )
}

function Option({
  id,
  isActive,
  onPick,
  children,
}: {
  id: string
  isActive: boolean
  onPick: () => void
  children: ComponentChildren
}) {
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the input keeps the focus and names the active option
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the input
    <div role="option" id={id} aria-selected={isActive} onMouseDown={event => event.preventDefault()} onClick={onPick}>
      {children}
    </div>
  )
}

/** The behaviour of a search box: it searches for the typed text, and the arrow keys move through the results. */
function useSearch<Item>({ search, onPick }: Pick<ComboboxProps<Item>, 'search' | 'onPick'>) {
  const text = useSignal('')
  const found = useSignal<readonly Item[] | undefined>(undefined)
  const at = useSignal(-1)
  const isOpen = useSignal(false)
  const asked = useRef(0)
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(waiting.current), [])
  const look = async () => {
    asked.current += 1
    const mine = asked.current
    const results = await search(text.value.trim())
    if (mine !== asked.current) return
    found.value = results
    at.value = results.length > 0 ? 0 : -1
  }
  const open = () => {
    isOpen.value = true
    void look()
  }
  const close = () => {
    isOpen.value = false
  }
  const pick = (one: Item | undefined) => {
    if (!one) return
    text.value = ''
    close()
    clearTimeout(waiting.current)
    asked.current += 1
    onPick(one)
  }
  const move = (step: number) => {
    const count = found.value?.length ?? 0
    if (!isOpen.value) open()
    else if (count > 0) at.value = (at.value + step + count) % count
  }
  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    ...(isOpen.value && { Enter: () => pick(found.value?.[at.value]), Escape: close }),
  }
  const onKey = (event: KeyboardEvent) => {
    const does = event.ctrlKey || event.metaKey ? undefined : keys[event.key]
    if (!does) return
    event.preventDefault()
    event.stopPropagation()
    does()
  }
  const typed = (next: string) => {
    text.value = next
    isOpen.value = true
    // The results shown belong to another text: Enter must not choose one.
    at.value = -1
    asked.current += 1
    clearTimeout(waiting.current)
    waiting.current = setTimeout(look, 150)
  }
  return {
    ...{ text: text.value, found: found.value, at: at.value, isOpen: isOpen.value },
    ...{ open, close, pick, onKey, type: typed },
  }
}
