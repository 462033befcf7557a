import type { Signal } from '@preact/signals'
import { useId } from 'preact/hooks'

interface BoxProps {
  readonly label: string
  readonly value: Signal<string>
  readonly note?: string
  readonly isRequired?: boolean
  readonly isFixed?: boolean
  readonly kind?: 'text' | 'url' | 'email' | 'date' | 'number'
}

/** A text of a form, with what is to be said about it. */
export function TextBox({ label, value, note, isRequired = false, isFixed = false, kind = 'text' }: BoxProps) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        // The attributes of these kinds are the same.
        type={kind as 'text'}
        value={value.value}
        required={isRequired}
        readOnly={isFixed}
        autocomplete="off"
        aria-describedby={note === undefined ? undefined : `${id}-note`}
        onInput={event => {
          value.value = event.currentTarget.value
        }}
      />
      {note !== undefined && (
        <span class="note" id={`${id}-note`}>
          {note}
        </span>
      )}
    </div>
  )
}

/** A choice of one of a few words. */
export function ChoiceBox({
  label,
  value,
  choices,
  note,
  isRequired = false,
  isFixed = false,
}: Omit<BoxProps, 'kind'> & { choices: readonly { readonly value: string; readonly label: string }[] }) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        value={value.value}
        required={isRequired}
        disabled={isFixed}
        aria-describedby={note === undefined ? undefined : `${id}-note`}
        onChange={event => {
          value.value = event.currentTarget.value
        }}
      >
        {choices.map(choice => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </select>
      {note !== undefined && (
        <span class="note" id={`${id}-note`}>
          {note}
        </span>
      )}
    </div>
  )
}

/** Several of a few words. */
export function CheckBoxes({
  label,
  values,
  choices,
  isFixed = false,
}: {
  label: string
  values: Signal<readonly string[]>
  choices: readonly { readonly value: string; readonly label: string }[]
  isFixed?: boolean
}) {
  return (
    <fieldset class="check-boxes" disabled={isFixed}>
      <legend>{label}</legend>
      {choices.map(choice => (
        <label key={choice.value} class="check">
          <input
            type="checkbox"
            checked={values.value.includes(choice.value)}
            onChange={({ currentTarget: { checked } }) => {
              const others = values.peek().filter(one => one !== choice.value)
              values.value = checked ? [...others, choice.value] : others
            }}
          />
          {choice.label}
        </label>
      ))}
    </fieldset>
  )
}
