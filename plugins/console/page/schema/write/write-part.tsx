import { type Signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Dialog } from '../../../../pages/page/dialog.js'
import { errorMessageOf, isDone, type Reply } from '../../../../pages/page/request.js'
import type { LastWrite, Plan, WriteRefusal } from '../../../model/schema.js'
import { ask } from '../../api.js'
import { TextBox } from '../../settings/fields.js'
import { base } from '../../shell/address.js'
import { Check } from '../../shell/boxes.js'
import { meta } from '../../shell/session.js'
import { t } from '../../text.js'
import { type Answer, app, drafts, drawing, plan, removals, written } from '../store.js'
import { FilesToCopy } from './files.js'
import { waitFor } from './waiting.js'

/** The last step: the files of the plan that is seen are written, where the server does so. */
export function WritePart() {
  const now = plan.value
  const write = written.value
  const problem = useSignal('')
  useEffect(() => {
    problem.value = ''
  }, [drafts.value])
  useEffect(() => {
    if (write?.state === 'running') return waitFor(write.at)
  }, [write?.state === 'running', write?.at])
  if (write?.state === 'running')
    return (
      <p role="status" aria-busy="true">
        {t('schema.writing')}
      </p>
    )
  const isNothing = !now || (now.files.every(({ change }) => change === 'same') && !now.changes.some(one => one.isMade))
  return (
    <>
      {write && <Outcome write={write} />}
      {now &&
        !isNothing &&
        (app.value?.writable ? <Write key={now.seal} plan={now} problem={problem} /> : <FilesToCopy />)}
    </>
  )
}

/** The end of a write: what was drawn is kept where it failed. */
function Outcome({ write: { state, reason, files, backup } }: { write: LastWrite }) {
  if (state === 'failed')
    return (
      <p class="error" role="alert">
        {t('schema.failed', { reason: reason ?? '' })}
      </p>
    )
  return (
    <p role="status">
      {t('schema.written', { files: files.join(', ') })}
      {backup !== undefined && ` ${t('schema.backup', { file: backup })}`}
    </p>
  )
}

function Write({ plan: { seal, loses }, problem }: { plan: Plan; problem: Signal<string> }) {
  const isSending = useSignal(false)
  const isAccepted = useSignal(false)
  const isAsking = useSignal(false)
  const send = async () => {
    isAsking.value = false
    isSending.value = true
    problem.value = ''
    const body = {
      ...{ files: drafts.peek(), seal },
      ...(removals.peek() && { removals: true }),
      ...(loses > 0 && { loses }),
    }
    const reply = await ask({ method: 'POST', url: `${base}/schema/write`, body })
    isSending.value = false
    if (isDone(reply)) {
      plan.value = undefined
      written.value = (reply.body as Answer<LastWrite>).data
      return
    }
    const { reason, plan: other } = refusalOf(reply)
    problem.value =
      reason === 'seal' || reason === 'loses' ? t('schema.otherPlan') : (errorMessageOf(reply) ?? t('failed'))
    // The new plan is to be seen before it is written.
    if (other) plan.value = other
  }
  return (
    <div class="schema-write">
      {loses > 0 && (
        <Check
          label={t('schema.accept', { count: loses })}
          value={isAccepted.value}
          onChange={isOn => {
            isAccepted.value = isOn
          }}
        />
      )}
      {problem.value !== '' && (
        <p class="error" role="alert">
          {problem.value}
        </p>
      )}
      <button
        type="button"
        class={`button ${loses > 0 ? 'danger' : 'primary'}`}
        disabled={isSending.value || (loses > 0 && !isAccepted.value)}
        onClick={() => {
          if (loses > 0) isAsking.value = true
          else void send()
        }}
      >
        {t('schema.write')}
      </button>
      {isAsking.value && (
        <AskLoss
          loses={loses}
          onClose={() => {
            isAsking.value = false
          }}
          onDo={() => void send()}
        />
      )}
    </div>
  )
}

const refusalOf = (reply: Reply): Partial<WriteRefusal> =>
  (reply.body as { error?: { details?: Partial<WriteRefusal> } } | undefined)?.error?.details ?? {}

/** The name that is typed before values are lost: that of the type, or of the app where several are drawn. */
function nameToType(): string {
  const paths = Object.keys(drafts.peek())
  const [only] = drawing.peek()?.types.filter(({ path }) => paths.includes(path)) ?? []
  return (paths.length === 1 && only?.name) || (meta.peek()?.app.name ?? 'stele')
}

function AskLoss({ loses, onClose, onDo }: { loses: number; onClose: () => void; onDo: () => void }) {
  const typed = useSignal('')
  const name = nameToType()
  return (
    <Dialog title={t('schema.loss')} closeLabel={t('close')} onClose={onClose}>
      <form
        class="settings-form"
        onSubmit={event => {
          event.preventDefault()
          if (typed.value === name) onDo()
        }}
      >
        <p>{t('schema.loss.text', { count: loses })}</p>
        <TextBox label={t('schema.loss.name', { name })} value={typed} isRequired />
        <div class="row dialog-buttons">
          <button type="button" class="button" onClick={onClose}>
            {t('cancel')}
          </button>
          <button type="submit" class="button danger" disabled={typed.value !== name}>
            {t('schema.write')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
