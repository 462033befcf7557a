import { isDone, send } from '../../../../pages/page/request.js'
import { base } from '../../shell/address.js'
import { say } from '../../shell/messages.js'
import { refresh } from '../../shell/session.js'
import { t } from '../../text.js'
import { type SchemaAnswer, taken, written } from '../store.js'

/** Milliseconds between two looks: the server is away while it starts again. */
const pause = 500

/** Waits until a write has an end, which another server tells than the one that began it; the result ends the waiting. */
export function waitFor(at: string): () => void {
  const stop = new AbortController()
  let waiting: ReturnType<typeof setTimeout> | undefined
  const look = async () => {
    const reply = await send({ url: `${base}/schema.json`, signal: stop.signal })
    if (stop.signal.aborted) return
    const { data } = (isDone(reply) ? reply.body : {}) as Partial<SchemaAnswer>
    const last = data?.lastWrite
    if (!data || !last || (last.at === at && last.state === 'running')) {
      waiting = setTimeout(() => void look(), pause)
      return
    }
    written.value = last
    taken(data)
    await refresh()
    say(last.state === 'failed' ? t('schema.failed', { reason: last.reason ?? '' }) : t('schema.isWritten'))
  }
  void look()
  return () => {
    stop.abort()
    clearTimeout(waiting)
  }
}
