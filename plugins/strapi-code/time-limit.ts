import { UnavailableError } from '../../core/index.js'
import type { Runtime } from './types.js'

/** The time that code has for a request, and what it is told by. */
export interface TimeLimit {
  /** Milliseconds; 0 is no limit. */
  readonly milliseconds: number
  readonly log: Pick<Runtime['log'], 'error'>
}

/** Code that runs within the limit. */
interface LimitedWork<T> {
  /** For the log. */
  readonly whose: string
  /** The code has taken the response in its own hands, for as long as it likes. */
  readonly isAnswering: () => boolean
  /** Work that `pause` is around does not count. */
  readonly run: (pause: <U>(inner: () => Promise<U>) => Promise<U>) => Promise<T>
}

/**
 * Runs code that has to come to an end. Past the limit the request is refused, and the code goes on without anyone waiting for it:
 * what it throws then is logged.
 */
export function limited<T>({ milliseconds, log }: TimeLimit, { whose, isAnswering, run }: LimitedWork<T>): Promise<T> {
  if (milliseconds === 0) return run(inner => inner())
  return new Promise<T>((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined
    let isLate = false
    const expire = () => {
      if (isAnswering()) return
      isLate = true
      const cause = new Error(`${whose} has not answered within ${milliseconds} ms`)
      cause.stack = cause.message
      reject(Object.assign(new UnavailableError('The request took too long'), { cause }))
    }
    const begin = () => {
      if (!isLate) timer = setTimeout(expire, milliseconds)
    }
    begin()
    run(async inner => {
      clearTimeout(timer)
      try {
        return await inner()
      } finally {
        begin()
      }
    }).then(
      value => {
        clearTimeout(timer)
        resolve(value)
      },
      error => {
        clearTimeout(timer)
        if (isLate) log.error({ err: error }, `${whose} has failed after its request got a 503`)
        reject(error)
      },
    )
  })
}
