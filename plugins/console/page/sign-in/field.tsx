import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { t } from '../text.js'

interface FieldProps {
  readonly label: string
  readonly value: string
  readonly onType: (value: string) => void
  readonly complete: string
  readonly type?: 'email' | 'text'
  readonly isFixed?: boolean
  readonly isRequired?: boolean
}

export function TextField({ label, value, onType, complete, type = 'text', isFixed, isRequired = true }: FieldProps) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        // The attributes of both kinds are the same here.
        type={type as 'text'}
        value={value}
        autocomplete={complete}
        required={isRequired}
        readOnly={isFixed}
        onInput={event => onType(event.currentTarget.value)}
      />
    </div>
  )
}

/** A password, which can be looked at while it is typed. */
export function PasswordField({ label, value, onType, complete, note }: Omit<FieldProps, 'type'> & { note?: string }) {
  const [id, noteId] = [useId(), useId()]
  const isShown = useSignal(false)
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <span class="password">
        <input
          id={id}
          type={(isShown.value ? 'text' : 'password') as 'text'}
          value={value}
          autocomplete={complete}
          required
          aria-describedby={note === undefined ? undefined : noteId}
          onInput={event => onType(event.currentTarget.value)}
        />
        <button
          type="button"
          class="text-button"
          aria-pressed={isShown.value}
          onClick={() => {
            isShown.value = !isShown.value
          }}
        >
          {t('signIn.show')}
        </button>
      </span>
      {note !== undefined && (
        <span class="note" id={noteId}>
          {note}
        </span>
      )}
    </div>
  )
}
