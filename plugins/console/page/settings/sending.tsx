import { useSignal } from '@preact/signals'
import { errorMessageOf, isDone, type PageRequest, type Reply } from '../../../pages/page/request.js'
import { isRecord } from '../../../pages/values/records.js'
import { ask } from '../api.js'
import { returningFocus } from '../shell/focus.js'
import { t } from '../text.js'

/** A change that is sent, and what stands against it. */
export interface Sending {
  readonly isSending: boolean
  readonly problems: readonly Problem[]
  /** Sends a change; undefined where it was refused. */
  send(request: PageRequest): Promise<Reply | undefined>
}

export interface Problem {
  /** The name of the value that is wrong; empty where it is none of them. */
  readonly at: string
  readonly text: string
}

export function useSending(): Sending {
  const isSending = useSignal(false)
  const problems = useSignal<readonly Problem[]>([])
  return {
    isSending: isSending.value,
    problems: problems.value,
    async send(request) {
      problems.value = []
      const reply = await returningFocus(async () => {
        isSending.value = true
        const arrived = await ask(request)
        isSending.value = false
        return arrived
      })
      if (isDone(reply)) return reply
      problems.value = problemsOf(reply)
      return undefined
    },
  }
}

function problemsOf(reply: Reply): readonly Problem[] {
  const error = isRecord(reply.body) && isRecord(reply.body.error) ? reply.body.error : {}
  const issues = isRecord(error.details) && Array.isArray(error.details.errors) ? error.details.errors : []
  const found = issues.filter(isRecord).map(({ path, message }) => ({
    at: Array.isArray(path) ? path.join('.') : '',
    text: String(message),
  }))
  return found.length > 0 ? found : [{ at: '', text: errorMessageOf(reply) ?? t('failed') }]
}

/** A problem in the words of a form: the names of values are those of its labels. */
function worded({ at, text }: Problem, labels: Readonly<Record<string, string>>): string {
  const label = labels[at]
  if (label === undefined) return text
  return text.startsWith(`${at} `) ? `${label}${text.slice(at.length)}` : `${label}: ${text}`
}

/** The problems of a form, each with the label of the value that is wrong. */
export function Problems({ of, labels = {} }: { of: Sending; labels?: Readonly<Record<string, string>> }) {
  if (of.problems.length === 0) return null
  return (
    <ul role="alert" class="error">
      {of.problems.map(problem => (
        <li key={`${problem.at} ${problem.text}`}>{worded(problem, labels)}</li>
      ))}
    </ul>
  )
}
