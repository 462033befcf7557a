import { signal } from '@preact/signals'
import { type PageRequest, type Reply, send } from '../../pages/page/request.js'
import { say } from './shell/messages.js'
import { t } from './text.js'

/** The session has ended: the sign-in stands above the page, and requests wait for it. */
export const isEnded = signal(false)
/** The server cannot be reached: requests that only read are repeated until it can. */
export const isOffline = signal(false)
/** The number of requests that were refused for lack of a permission: each may mean that permissions have changed. */
export const refusals = signal(0)

const waiting = new Set<(isSignedIn: boolean) => void>()
let retry: (() => void) | undefined

/** Requests that wait for a session go on, or end with their 401. */
export function sessionIs(isSignedIn: boolean): void {
  isEnded.value = false
  for (const resolve of waiting) resolve(isSignedIn)
  waiting.clear()
}

export const retryNow = (): void => retry?.()

/** Sends a request as the editor. It is repeated where that may help: after signing in, and when the server is there again. */
export async function ask(request: PageRequest): Promise<Reply> {
  for (let attempt = 0; ; attempt += 1) {
    const reply = await send(request)
    if (request.signal?.aborted || !(await mayRepeat(request, reply, attempt))) return reply
  }
}

async function mayRepeat(request: PageRequest, reply: Reply, attempt: number): Promise<boolean> {
  const { status } = reply
  const isUnreachable = [0, 502, 503, 504].includes(status)
  if (!isUnreachable) isOffline.value = false
  if (status === 403) refusals.value += 1
  if (status === 401) return signedInAgain()
  const seconds = Number(reply.headers.get('retry-after'))
  // The server has refused these before it did anything, so that writes are repeated, too.
  if ((status === 503 || status === 429) && seconds > 0 && attempt < 3) {
    if (status === 429) say(t('wait.tooMany', { count: seconds }))
    await pause(seconds * 1000)
    return true
  }
  if (!isUnreachable || !isRepeatable(request)) return false
  isOffline.value = true
  await pause(Math.min(1000 * 2 ** attempt, 30_000))
  return request.signal?.aborted !== true
}

const isRepeatable = ({ method = 'GET', headers }: PageRequest): boolean =>
  method === 'GET' || headers?.['Idempotency-Key'] !== undefined

function signedInAgain(): Promise<boolean> {
  isEnded.value = true
  return new Promise(resolve => waiting.add(resolve))
}

/** Waits, and less if the browser or the editor says that the server is there. */
function pause(ms: number): Promise<void> {
  return new Promise(resolve => {
    const done = () => {
      clearTimeout(timer)
      removeEventListener('online', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    addEventListener('online', done)
    retry = done
  })
}
