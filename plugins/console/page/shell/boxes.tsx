import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import type { Choice } from '../../../pages/page/controls.js'

interface BoxProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
}

/** A choice of a few words, below its label. */
export function Choose({ label, value, choices, onChange }: BoxProps & { readonly choices: readonly Choice[] }) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        {choices.map(choice => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </select>
    </div>
  )
}

/** A text below its label, with what is to be said about it. */
export function Line({
  label,
  value,
  onChange,
  maxLength,
  children,
}: BoxProps & { readonly maxLength?: number; readonly children?: ComponentChildren }) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="text"
        autocomplete="off"
        maxLength={maxLength}
        value={value}
        aria-describedby={children === undefined ? undefined : `${id}-note`}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
      {children !== undefined && <span id={`${id}-note`}>{children}</span>}
    </div>
  )
}

/** Yes or no. */
export function Check({
  label,
  value,
  onChange,
}: {
  label: string
  value: boolean
  onChange: (isOn: boolean) => void
}) {
  return (
    <label class="check">
      <input type="checkbox" checked={value} onChange={({ currentTarget }) => onChange(currentTarget.checked)} />
      {label}
    </label>
  )
}
