import type { ComponentChildren } from 'preact'
import { Ask } from '../shell/ask.js'
import { Problems, type Sending } from './sending.js'

/** Asks before a request that cannot be undone, and shows why it was refused. */
export function Confirm({
  title,
  label,
  sending,
  onDo,
  onClose,
  children,
}: {
  title: string
  /** The button that does it. */
  label: string
  sending: Sending
  onDo: () => void
  onClose: () => void
  children: ComponentChildren
}) {
  return (
    <Ask {...{ title, label, onDo, onClose }} isDisabled={sending.isSending}>
      {children}
      <Problems of={sending} />
    </Ask>
  )
}
