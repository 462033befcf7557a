import { randomBytes } from 'node:crypto'
import type { Engine, Session } from '../engine.js'
import { ownTable, uniqueName } from '../own-table.js'
import { CountedWrites } from './own-writes.js'

/** One row for each connection that writes, so that no writer waits for another. */
const table = 'stele_commits'
/** Rows of all connections that were last used so many milliseconds ago become one. */
const oldAge = 3_600_000
/** After how many new rows that is due. */
const foldedAfter = 50

const whole = 'whole'

/**
 * The names of the states of a database to which only this program writes, in any number of processes: all commits, and those of
 * the process whose name is given.
 */
export const sumsOfCommits = `select sum(commits), sum(if(left(name, char_length(?)) = ?, commits, 0)) from ${table}`

/**
 * Counts the commits of all processes in the transactions themselves: the sum of visible rows is another one after each. Rows may
 * become fewer, their sum never changes by that.
 */
export class CommitCount {
  /** As the rows of this process begin. */
  readonly process = `${randomBytes(9).toString('base64url')}-`
  readonly own = new CountedWrites()
  #isThere: Promise<void> | undefined
  #rows = 0
  #isFoldDue = false

  /** The same engine, with every write in a transaction that is counted. */
  counting(engine: Engine): Engine {
    const transaction: Engine['transaction'] = async work => {
      await this.#prepare(engine)
      const done = await engine.transaction(work)
      if (this.#isFoldDue) {
        this.#isFoldDue = false
        // Another process may do so at the same time: then the rows stay for the next time.
        engine.transaction(session => this.fold(session)).catch(() => undefined)
      }
      return done
    }
    const after = async <T>(work: Promise<T>): Promise<T> => {
      const done = await work
      // The statement names no table, so the transaction counts as a change of any.
      await transaction(session => Promise.resolve(session.run('do 0', [])))
      return done
    }
    return {
      ...engine,
      transaction,
      reader: { ...engine.reader, run: (sql, values) => transaction(async session => session.run(sql, values)) },
      // A change of the layout ends transactions: it is counted when it is done, before it is acknowledged.
      alter: statements => after(engine.alter(statements)),
      altering: work => after(engine.altering(work)),
    }
  }

  /** Makes the table, once: without the lock of the layout, which the process may hold, and not in a transaction. */
  #prepare(engine: Engine): Promise<void> {
    if (this.#isThere) return this.#isThere
    const statements = ownTable(engine, table, builder => {
      uniqueName(builder, 'name', 60)
      builder.bigInteger('commits').notNullable()
      builder.bigInteger('time').notNullable()
    })
    this.#isThere = engine
      .alter(statements.map(sql => sql.replace('create table', 'create table if not exists')))
      .catch(error => {
        this.#isThere = undefined
        throw error
      })
    return this.#isThere
  }

  /** The last statements of a transaction. */
  async count(session: Session, connection: number): Promise<void> {
    const name = `${this.process}${connection}`
    const add = `update ${table} set commits = commits + 1, time = ? where name = ?`
    const { changes } = await session.run(add, [Date.now(), name])
    if (changes > 0) return
    await session.run(`insert into ${table} (name, commits, time) values (?, 1, ?)`, [name, Date.now()])
    this.#rows += 1
    if (this.#rows % foldedAfter === 0) this.#isFoldDue = true
  }

  /** Makes one row of those that are not used any more; a connection that comes back gets a new one. */
  async fold(session: Session): Promise<void> {
    const old = await session.all(`select id from ${table} where time < ? and name <> ?`, [Date.now() - oldAge, whole])
    if (old.length === 0) return
    const places = old.map(() => '?').join(', ')
    const ids = old.map(([id]) => id)
    const rows = await session.all(`select commits from ${table} where id in (${places}) for update`, ids)
    const sum = rows.reduce((all, [commits]) => all + Number(commits), 0)
    await session.run(`delete from ${table} where id in (${places})`, ids)
    const { changes } = await session.run(`update ${table} set commits = commits + ? where name = ?`, [sum, whole])
    if (changes > 0) return
    await session.run(`insert into ${table} (name, commits, time) values (?, ?, 0)`, [whole, sum])
  }
}
