import { useId } from 'preact/hooks'
import type { Choice } from '../../../pages/page/controls.js'

interface ChooseProps {
  readonly label: string
  readonly value: string
  readonly choices: readonly Choice[]
  readonly onChange: (value: string) => void
}

/** A choice of a few, below its label. */
export function Choose({ label, value, choices, onChange }: ChooseProps) {
  const id = useId()
  return (
    <div class="layout-choice">
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

/** A text below its label. */
export function Line({ label, value, onChange }: Omit<ChooseProps, 'choices'>) {
  const id = useId()
  return (
    <div class="layout-choice">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="text"
        maxLength={1000}
        autocomplete="off"
        value={value}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
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
