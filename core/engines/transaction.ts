import { UnavailableError } from '../errors.js'
import { within } from '../loop/clock.js'
import type { Engine, Heard, Session } from './engine.js'

/** Longer than any write takes, and not so long that one that waits for itself keeps all others from writing. */
const longest = 30_000

const stuck =
  'a transaction was open for too long and was undone; a hook that reads or writes entries inside one has to hand its ' +
  'session on: entries(uid, call.session)'

/** Runs work in one transaction; the steps that it leaves for afterwards run once nothing can undo it any more. */
export async function transact<T>(
  engine: Pick<Engine, 'transaction'>,
  work: (session: Session) => Promise<T>,
  deadline = longest,
): Promise<T> {
  let left: (() => Promise<void>)[] = []
  const late = () => Object.assign(new UnavailableError(), { cause: new Error(stuck) })
  const value = await engine.transaction(async session => {
    // The database may ask for the work again: what a lost attempt left does not count.
    left = []
    const own = new LentSession(session, left)
    try {
      return await within(deadline, work(own), late)
    } finally {
      own.end()
    }
  })
  for (const step of left) await step()
  return value
}

/** The work's own session: once its transaction has ended, nothing that still runs can reach the connection through it. */
class LentSession implements Session {
  #session: Session | undefined
  readonly afterCommit: Required<Session>['afterCommit']
  readonly settled?: Required<Session>['settled']

  constructor(session: Session, left: (() => Promise<void>)[]) {
    this.#session = session
    this.afterCommit = step => left.push(step)
    if (session.settled) this.settled = async () => this.#open().settled?.()
  }

  all(sql: string, values: readonly unknown[]): ReturnType<Session['all']> {
    return this.#open().all(sql, values)
  }

  run(sql: string, values: readonly unknown[], heard?: Heard): ReturnType<Session['run']> {
    return this.#open().run(sql, values, heard)
  }

  end(): void {
    this.#session = undefined
  }

  #open(): Session {
    if (this.#session) return this.#session
    throw new Error('the transaction of this session has ended')
  }
}
