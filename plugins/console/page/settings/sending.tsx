import { useSignal } from '@preact/signals'
import { errorMessageOf, isDone, type PageRequest, type Reply } from '../../../pages/page/request.js'
import { isRecord } from '../../../pages/values/records.js'
import { ask } from '../api.js'
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
      isSending.value = true
      problems.value = []
      const reply = await ask(request)
      isSending.value = false
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

/** Problems in the words of a form: the names of values are those of its labels. */
export function Problems({ of, labels = {} }: { of: Sending; labels?: Readonly<Record<string, string>> }) {
  if (of.problems.length === 0) return null
  return (
    <ul role="alert" class="error">
      {of.problems.map(({ at, text }) => (
        <li key={`${at} ${text}`}>
          {labels[at] !== undefined && text.startsWith(`${at} `) ? `${labels[at]}${text.slice(at.length)}` : text}
        </li>
      ))}
    </ul>
  )
}
