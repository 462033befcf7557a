import { useSignal } from '@preact/signals'
import { inThisVisit, leaveFor } from '../shell/address.js'
import { say } from '../shell/messages.js'
import { addressOfSection } from '../shell/routes.js'
import { t } from '../text.js'
import { Confirm } from './confirm.js'
import { useSending } from './sending.js'

interface DeleteButtonProps {
  readonly url: string
  /** The question of the dialog, and what follows from it. */
  readonly title: string
  readonly text: string
  /** The message once it is deleted. */
  readonly done: string
  /** The section whose list is shown then. */
  readonly section: string
  readonly onRefused?: () => void
}

/** A button that deletes what a view of the settings shows, after a question. */
export function DeleteButton({ url, title, text, done, section, onRefused }: DeleteButtonProps) {
  const isAsking = useSignal(false)
  const sending = useSending()
  const remove = async () => {
    const isHere = inThisVisit()
    if (!(await sending.send({ method: 'DELETE', url }))) return onRefused?.()
    say(done)
    // Changes in the form are deleted with what they are changes of.
    if (isHere()) leaveFor(addressOfSection(section))
  }
  return (
    <>
      <button
        type="button"
        class="button danger"
        onClick={() => {
          isAsking.value = true
        }}
      >
        {t('do.delete')}
      </button>
      {isAsking.value && (
        <Confirm
          title={title}
          label={t('do.delete')}
          sending={sending}
          onDo={() => void remove()}
          onClose={() => {
            isAsking.value = false
          }}
        >
          <p>{text}</p>
        </Confirm>
      )}
    </>
  )
}
