import { signal } from '@preact/signals'
import { type PageRequest, type Reply, send } from '../../pages/page/request.js'
import { say } from './shell/messages.js'
import { t } from './text.js'

/** The session has ended: the sign-in stands above the page, and requests wait for it. */
export const isEnded = signal(false)
/** The server cannot be reached: requests that may be sent twice are repeated until it can. */
export const isOffline = signal(false)
/** The number under which the log of the server has the last request that failed in it. */
export const failureNumber = signal<string | undefined>(undefined)
/** The number of requests that were refused for lack of a permission: each may mean that permissions have changed. */
export const refusals = signal(0)

const waiting = new Set<(isSignedIn: boolean) => void>()
/** Ends of the pauses between attempts. */
const pauses = new Set<() => void>()

/** Requests that wait for a session go on, or end with their 401. */
export function sessionIs(isSignedIn: boolean): void {
  isEnded.value = false
  for (const resolve of waiting) resolve(isSignedIn)
  waiting.clear()
}

export function retryNow(): void {
  for (const end of pauses) end()
}

/**
 * Sends a request as the editor. It is repeated where that may help: after signing in, and when the server is there again. `givenUp`
 * ends the waiting for that: what is in flight is not broken off.
 */
export async function ask(request: PageRequest, givenUp = request.signal): Promise<Reply> {
  for (let attempt = 0; ; attempt += 1) {
    const reply = await send(request)
    if (givenUp?.aborted || !(await mayRepeat(request, reply, attempt, givenUp)) || givenUp?.aborted) return reply
  }
}

async function mayRepeat(
  request: PageRequest,
  reply: Reply,
  attempt: number,
  givenUp: AbortSignal | undefined,
): Promise<boolean> {
  const { status } = reply
  const isUnreachable = [0, 502, 503, 504].includes(status)
  if (!isUnreachable) isOffline.value = false
  if (status === 403) refusals.value += 1
  if (status === 500) failureNumber.value = numberOf(reply)
  if (status === 401) return signedInAgain()
  const seconds = Number(reply.headers.get('retry-after'))
  // The server has refused these before it did anything, so that writes are repeated, too.
  if ((status === 503 || status === 429) && seconds > 0 && attempt < 3) {
    if (status === 429) say(t('wait.tooMany', { count: seconds }))
    await pause(seconds * 1000, givenUp)
    return true
  }
  if (!isUnreachable || !isRepeatable(request)) return false
  isOffline.value = true
  await pause(Math.min(1000 * 2 ** attempt, 30_000), givenUp)
  return true
}

/** The number of a request, which the log has as well. */
export const numberOf = ({ headers }: Pick<Reply, 'headers'>): string => headers.get('x-request-id') ?? '–'

/** A write is done once: by its key, or as it is refused with 412 where the state that it is based on is not there any more. */
const isRepeatable = ({ method = 'GET', headers }: PageRequest): boolean =>
  method === 'GET' || headers?.['Idempotency-Key'] !== undefined || headers?.['If-Match'] !== undefined

function signedInAgain(): Promise<boolean> {
  isEnded.value = true
  return new Promise(resolve => waiting.add(resolve))
}

/** Waits, and less if the browser or the editor says that the server is there, or that it does not matter any more. */
function pause(ms: number, givenUp: AbortSignal | undefined): Promise<void> {
  return new Promise(resolve => {
    const end = () => {
      clearTimeout(timer)
      pauses.delete(end)
      removeEventListener('online', end)
      givenUp?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    pauses.add(end)
    addEventListener('online', end)
    givenUp?.addEventListener('abort', end)
  })
}
