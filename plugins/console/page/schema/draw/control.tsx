import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { attributesOf } from '../../../model/schema/drawing.js'
import type { Control } from '../../../model/schema/options.js'
import type { Json } from '../../../model/schema/text.js'
import { Check } from '../../shell/boxes.js'
import { t } from '../../text.js'
import { drawing } from '../store.js'

interface ControlProps {
  readonly label: string
  readonly control: Control
  /** The type that has the attribute. */
  readonly uid: string
  readonly value: Json | undefined
  /** The value before anything was changed: one that was said stays said. */
  readonly before: Json | undefined
  readonly onChange: (value: Json | undefined) => void
  /** Tells of a text that is no value, and when it is one again. */
  readonly onWrong: (isWrong: boolean) => void
}

/** An option of an attribute or a type, in the control that fits its values. */
export function OptionControl(props: ControlProps) {
  const { label, control, value, before, onChange } = props
  if (control.is === 'switch')
    return (
      <Check
        label={label}
        value={control.usual ? value !== false : value === true}
        onChange={isOn => onChange(isOn === control.usual && before !== isOn ? undefined : isOn)}
      />
    )
  if (control.is === 'several' || control.is === 'components') return <Several {...props} />
  if (control.is === 'choice' || control.is === 'component' || control.is === 'source') return <OneOf {...props} />
  return <Written {...props} />
}

function choicesOf({ control, uid }: ControlProps): readonly { readonly value: Json; readonly label: string }[] {
  const now = drawing.value
  if (control.is === 'choice' || control.is === 'several')
    return control.values.map(value => ({ value, label: String(value) }))
  if (control.is === 'source')
    return attributesOf(now?.type(uid)?.schema).flatMap(([name, { type }]) =>
      type === 'string' || type === 'text' ? [{ value: name, label: name }] : [],
    )
  return (now?.types ?? [])
    .filter(type => type.kind === 'component' && type.uid !== uid)
    .map(type => ({ value: type.uid, label: `${type.name} (${type.uid})` }))
}

function OneOf(props: ControlProps) {
  const id = useId()
  const { label, value, onChange } = props
  const known = choicesOf(props)
  const isOther = value !== undefined && !known.some(one => one.value === value)
  const choices = isOther ? [...known, { value, label: String(value) }] : known
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        value={value === undefined ? '' : JSON.stringify(value)}
        onChange={({ currentTarget: { value: text } }) =>
          onChange(text === '' ? undefined : (JSON.parse(text) as Json))
        }
      >
        <option value="">{t('schema.unsaid')}</option>
        {choices.map(choice => (
          <option key={JSON.stringify(choice.value)} value={JSON.stringify(choice.value)}>
            {choice.label}
          </option>
        ))}
      </select>
    </div>
  )
}

function Several(props: ControlProps) {
  const { label, value, onChange } = props
  const chosen = Array.isArray(value) ? value : []
  return (
    <fieldset class="check-boxes">
      <legend>{label}</legend>
      {choicesOf(props).map(choice => (
        <Check
          key={String(choice.value)}
          label={choice.label}
          value={chosen.includes(choice.value)}
          onChange={isOn => {
            const next = isOn ? [...chosen, choice.value] : chosen.filter(one => one !== choice.value)
            onChange(next.length === 0 ? undefined : next)
          }}
        />
      ))}
    </fieldset>
  )
}

/** A value that is typed: what is typed stays in the control while it is no value. */
function Written({ label, control, value, onChange, onWrong }: ControlProps) {
  const id = useId()
  const text = useSignal(textOf(control, value))
  const wrong = useSignal(false)
  const isLong = control.is === 'lines' || control.is === 'json'
  const type = (typed: string) => {
    text.value = typed
    const read = readValue(control, typed)
    wrong.value = read === wrongText
    onWrong(wrong.value)
    if (read !== wrongText) onChange(read)
  }
  const given = {
    id,
    value: text.value,
    autocomplete: 'off',
    spellcheck: false,
    'aria-invalid': wrong.value,
    'aria-describedby': wrong.value || control.is === 'lines' ? `${id}-note` : undefined,
  } as const
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {isLong ? (
        <textarea {...given} class="code" rows={3} dir="ltr" onInput={event => type(event.currentTarget.value)} />
      ) : (
        <input
          {...given}
          // The attributes of both kinds are the same.
          type={(control.is === 'number' ? 'number' : 'text') as 'text'}
          step="any"
          onInput={event => type(event.currentTarget.value)}
        />
      )}
      {(wrong.value || control.is === 'lines') && (
        <span class={wrong.value ? 'problem' : 'note'} id={`${id}-note`}>
          {wrong.value ? t('schema.problem.json') : t('schema.lines')}
        </span>
      )}
    </div>
  )
}

const wrongText = Symbol('no value')

function textOf({ is }: Control, value: Json | undefined): string {
  if (value === undefined) return ''
  if (is === 'lines') return Array.isArray(value) ? value.join('\n') : ''
  return is === 'json' ? JSON.stringify(value, undefined, 2) : String(value)
}

function readValue({ is }: Control, text: string): Json | undefined | typeof wrongText {
  if (text.trim() === '') return undefined
  if (is === 'number') return Number.isFinite(Number(text)) ? Number(text) : wrongText
  if (is === 'lines')
    return text
      .split('\n')
      .map(line => line.trim())
      .filter(line => line !== '')
  if (is !== 'json') return text
  try {
    return JSON.parse(text) as Json
  } catch {
    return wrongText
  }
}
