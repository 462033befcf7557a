import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { change, rowsOf } from '../engines/built.js'
import type { Engine, Session } from '../engines/engine.js'
import { prepareState, stateTable } from '../engines/server/state.js'
import { BootError } from '../errors.js'
import { unlessTaken } from './marks.js'

/** Milliseconds for which a lease holds unless it is renewed: a crashed process does not block others for longer. */
const term = 20_000
const name = 'lease'

/** Makes sure, while it changes the layout, that no other process does. */
export interface Lease {
  /** Throws if it was lost: the process stood still for too long, and another may have begun. */
  check(): void
}

/** The time to wait for another process, in milliseconds, and a function that is called when the wait begins. */
export interface WaitOptions {
  readonly maxWait: number
  readonly onWait?: () => void
}

/**
 * Works while no other process changes the layout. It is a row, not a lock of the database: those of a cluster are
 * known to one node only.
 */
export async function withLease<T>(
  engine: Engine,
  { maxWait, onWait = () => undefined }: WaitOptions,
  work: (lease: Lease) => Promise<T>,
): Promise<T> {
  await prepareState(engine)
  const holder = `${process.pid} ${randomUUID()}`
  await acquire(engine, holder, { maxWait, onWait })
  let isLost = false
  // One writer has a lock of its own, which a renewal would wait for.
  const renewal = engine.facts.oneWriter
    ? undefined
    : setInterval(() => {
        engine
          .transaction(session => hold(engine, session, holder))
          .then(held => (isLost ||= !held))
          // The next one may succeed, and until then the term runs.
          .catch(() => undefined)
      }, term / 4)
  try {
    return await work({
      check() {
        if (isLost)
          throw new BootError('another process has begun to change the layout of the database meanwhile', {
            kind: 'busy',
          })
      },
    })
  } finally {
    clearInterval(renewal)
    await engine.transaction(session => release(engine, session, holder))
  }
}

async function acquire(engine: Engine, holder: string, { maxWait, onWait }: Required<WaitOptions>): Promise<void> {
  const deadline = performance.now() + maxWait
  let isTold = false
  while (!(await tryHold(engine, holder))) {
    if (performance.now() >= deadline)
      throw new BootError('another process changes the layout of the database right now; try again when it has ended', {
        kind: 'busy',
      })
    if (!isTold) onWait()
    isTold = true
    await wait(50 + Math.random() * 100)
  }
}

/** A row that another process inserts at the same moment ends the transaction of this one, which has to end as it is. */
async function tryHold(engine: Engine, holder: string): Promise<boolean> {
  return (await unlessTaken(engine, () => engine.transaction(session => hold(engine, session, holder)))) ?? false
}

/** Takes it where it is free, and keeps it where it is one's own. One that would hold for longer was made by another clock. */
async function hold({ knex }: Engine, session: Session, holder: string): Promise<boolean> {
  const now = Date.now()
  const row = { value: holder, time: now + term }
  const take = knex(stateTable)
    .where({ name })
    .where(free =>
      free
        .where('time', '<', now)
        .orWhere('time', '>', now + 2 * term)
        .orWhere({ value: holder }),
    )
    .update(row)
  if ((await change(session, take)).changes > 0) return true
  if ((await rowsOf(session, knex(stateTable).select('id').where({ name }))).length > 0) return false
  await change(session, knex(stateTable).insert({ name, ...row }))
  return true
}

async function release({ knex }: Engine, session: Session, holder: string): Promise<void> {
  await change(session, knex(stateTable).where({ name, value: holder }).update({ time: 0 }))
}
