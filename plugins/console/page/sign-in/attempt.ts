import { type Signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { errorMessageOf, isDone, type Reply, send } from '../../../pages/page/request.js'
import { t } from '../text.js'

/** A form that is sent without a session: what is wrong, and whether it may be sent. */
export interface Attempt {
  readonly isSending: boolean
  readonly problem: string
  /** Seconds until the next attempt counts. */
  readonly wait: number
  /** Sends a body; undefined where it was refused, which the form then shows. */
  post(url: string, body: unknown): Promise<Reply | undefined>
  fail(problem: string): void
}

/** `refused` replaces what the server says to wrong values. */
export function useAttempt(refused?: string): Attempt {
  const isSending = useSignal(false)
  const problem = useSignal('')
  const wait = useCountdown()
  return {
    isSending: isSending.value,
    problem: problem.value,
    wait: wait.value,
    async post(url, body) {
      isSending.value = true
      problem.value = ''
      const reply = await send({ method: 'POST', url, body })
      isSending.value = false
      if (isDone(reply)) return reply
      if (reply.status === 429) wait.value = Math.max(1, Number(reply.headers.get('retry-after')) || 60)
      else if (reply.status === 0) problem.value = t('signIn.unreachable')
      else problem.value = (reply.status === 400 && refused) || (errorMessageOf(reply) ?? t('failed'))
      return undefined
    },
    fail(text) {
      problem.value = text
    },
  }
}

/** Seconds that become fewer. */
function useCountdown(): Signal<number> {
  const left = useSignal(0)
  const isRunning = left.value > 0
  useEffect(() => {
    if (!isRunning) return undefined
    const end = Date.now() + left.peek() * 1000
    const timer = setInterval(() => {
      left.value = Math.max(0, Math.ceil((end - Date.now()) / 1000))
    }, 250)
    return () => clearInterval(timer)
  }, [isRunning, left])
  return left
}
