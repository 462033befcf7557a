import { useLayoutEffect, useRef } from 'preact/hooks'

/** A checkbox that fills its cell. Where some of what it stands for is chosen, it is neither checked nor not. */
export function Box({
  label,
  state,
  note,
  isFixed,
  onChange,
}: {
  label: string
  state: 'all' | 'some' | 'none'
  /** Shown below it. */
  note?: string | undefined
  isFixed: boolean
  /** Gets the state that is wanted: some becomes all. */
  onChange: (isWanted: boolean) => void
}) {
  const box = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => {
    if (!box.current) return
    box.current.indeterminate = state === 'some'
    box.current.checked = state !== 'none'
  })
  return (
    <label class="grid-box">
      <input
        ref={box}
        type="checkbox"
        aria-label={note === undefined ? label : `${label}: ${note}`}
        disabled={isFixed}
        onChange={() => onChange(state !== 'all')}
      />
      {note !== undefined && <span aria-hidden="true">{note}</span>}
    </label>
  )
}
