import type { ComponentChildren } from 'preact'
import { useId, useRef } from 'preact/hooks'

/** A part of the builder under a heading, which can be folded. */
export function Section({
  title,
  note,
  children,
  open = true,
}: {
  title: string
  note?: string
  children: ComponentChildren
  open?: boolean
}) {
  return (
    <details class="section" open={open}>
      <summary>
        <h2>{title}</h2>
        {note && <span class="note">{note}</span>}
      </summary>
      <div class="section-body">{children}</div>
    </details>
  )
}

export interface Choice {
  readonly value: string
  readonly label: string
  readonly disabled?: boolean
}

/** A choice of a few, as tabs: arrow keys move, as in every list of tabs. */
export function Tabs({
  label,
  choices,
  value,
  onChange,
  panel,
  kind = 'tabs',
}: {
  label: string
  choices: readonly Choice[]
  value: string
  onChange: (value: string) => void
  panel: string
  kind?: string
}) {
  const list = useRef<HTMLDivElement>(null)
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const at = choices.findIndex(choice => choice.value === value)
    const next = choices[(at + step + choices.length) % choices.length]
    if (!next) return
    onChange(next.value)
    list.current?.querySelector<HTMLElement>(`[data-value="${next.value}"]`)?.focus()
  }
  return (
    <div class={kind} role="tablist" aria-label={label} ref={list} onKeyDown={move}>
      {choices.map(choice => (
        <button
          type="button"
          role="tab"
          key={choice.value}
          data-value={choice.value}
          aria-selected={choice.value === value}
          aria-controls={panel}
          tabIndex={choice.value === value ? 0 : -1}
          onClick={() => onChange(choice.value)}
        >
          {choice.label}
        </button>
      ))}
    </div>
  )
}

export function Select({
  label,
  value,
  choices,
  onChange,
  placeholder,
  class: kind = '',
}: {
  label: string
  value: string
  choices: readonly Choice[]
  onChange: (value: string) => void
  placeholder?: string
  class?: string
}) {
  return (
    <select class={kind} aria-label={label} value={value} onChange={event => onChange(event.currentTarget.value)}>
      {placeholder !== undefined && <option value="">{placeholder}</option>}
      {choices.map(choice => (
        <option key={choice.value} value={choice.value} disabled={choice.disabled === true}>
          {choice.label}
        </option>
      ))}
    </select>
  )
}

/** A labelled control in a row of the builder. */
export function Labelled({ label, children }: { label: string; children: (id: string) => ComponentChildren }) {
  const id = useId()
  return (
    <span class="labelled">
      <label for={id}>{label}</label>
      {children(id)}
    </span>
  )
}

/** A toggle among others of its kind. */
export function Chip({
  label,
  pressed,
  onToggle,
  title,
}: {
  label: string
  pressed: boolean
  onToggle: () => void
  title?: string
}) {
  return (
    <button type="button" class="chip" aria-pressed={pressed} onClick={onToggle} title={title}>
      {label}
    </button>
  )
}

/** A button with a sign only: its label is for people who cannot see the sign, or do not know it. */
export function Icon({
  label,
  sign,
  onClick,
  disabled = false,
  class: kind = '',
}: {
  label: string
  sign: string
  onClick: () => void
  disabled?: boolean
  class?: string
}) {
  return (
    <button type="button" class={`icon ${kind}`} aria-label={label} title={label} onClick={onClick} disabled={disabled}>
      <span aria-hidden="true">{sign}</span>
    </button>
  )
}

/** An input of a kind that is only known when it is shown. */
export function Input({
  kind,
  onType,
  invalid,
  ...given
}: {
  kind: string
  value: string
  onType: (value: string) => void
  invalid: boolean
  id?: string
  class?: string
  title?: string | undefined
  placeholder?: string
  'aria-label'?: string
  'aria-describedby'?: string | undefined
}) {
  return (
    <input
      {...given}
      // The attributes of all kinds that are used here are the same.
      type={kind as 'text'}
      aria-invalid={invalid}
      step="any"
      autocomplete="off"
      onInput={event => onType(event.currentTarget.value)}
    />
  )
}
