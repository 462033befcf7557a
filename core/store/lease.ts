import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { BootError } from '../errors.js'
import type { Engine, Session } from './engine.js'
import { prepareState, stateTable } from './state.js'

/** Milliseconds for which a lease holds unless it is renewed: whoever dies keeps others away no longer. */
const term = 20_000
const name = 'lease'

/** Makes sure, while it changes the layout, that nobody else does. */
export interface Lease {
  /** Throws where it was lost: the process stood still for too long, and another may have begun. */
  check(): void
}

/** How long to wait for another process, in milliseconds, and what to do when that begins. */
export interface Waiting {
  readonly patience: number
  readonly onWait?: () => void
}

/**
 * Works while no other process changes the layout. It is a row, not a lock of the database: those of a cluster are
 * known to one node only.
 */
export async function withLease<T>(
  engine: Engine,
  { patience, onWait = () => undefined }: Waiting,
  work: (lease: Lease) => Promise<T>,
): Promise<T> {
  await prepareState(engine)
  const holder = `${process.pid} ${randomUUID()}`
  await acquire(engine, holder, { patience, onWait })
  let isLost = false
  // The one writer of SQLite has its own lock, which a renewal would wait for.
  const renewal =
    engine.name === 'sqlite'
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
        if (isLost) throw new BootError('another process has begun to change the layout of the database meanwhile')
      },
    })
  } finally {
    clearInterval(renewal)
    await engine.transaction(session => release(engine, session, holder))
  }
}

async function acquire(engine: Engine, holder: string, { patience, onWait }: Required<Waiting>): Promise<void> {
  const deadline = performance.now() + patience
  let isTold = false
  while (!(await tryHold(engine, holder))) {
    if (performance.now() >= deadline)
      throw new BootError('another process changes the layout of the database right now; try again when it has ended')
    if (!isTold) onWait()
    isTold = true
    await wait(50 + Math.random() * 100)
  }
}

/** A row that another process inserts at the same moment ends the transaction of this one, which has to end as it is. */
async function tryHold(engine: Engine, holder: string): Promise<boolean> {
  try {
    return await engine.transaction(session => hold(engine, session, holder))
  } catch (error) {
    if (engine.classify(error)?.kind === 'unique') return false
    throw error
  }
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
    .toSQL()
    .toNative()
  if ((await session.run(take.sql, take.bindings)).changes > 0) return true
  const look = knex(stateTable).select('id').where({ name }).toSQL().toNative()
  if ((await session.all(look.sql, look.bindings)).length > 0) return false
  const { sql, bindings } = knex(stateTable)
    .insert({ name, ...row })
    .toSQL()
    .toNative()
  await session.run(sql, bindings)
  return true
}

async function release({ knex }: Engine, session: Session, holder: string): Promise<void> {
  const { sql, bindings } = knex(stateTable).where({ name, value: holder }).update({ time: 0 }).toSQL().toNative()
  await session.run(sql, bindings)
}
