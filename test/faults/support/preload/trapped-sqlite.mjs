import { appendFileSync, readFileSync } from 'node:fs'
import { sqliteDriver } from '../../../../dist/core/engines/sqlite/driver.js'

const { DatabaseSync: Driver } = await import(sqliteDriver())

/**
 * Ends its process at a statement: the n-th since the file of STELE_TRAP holds "before n" or "after n". The file beside it
 * grows by a byte with each of them: others may look at it at any time, and what is written anew is empty for a moment.
 */
const trap = process.env.STELE_TRAP
let count = 0

function trapped(run) {
  const [when, turn] = readFileSync(trap, 'utf8').split(' ')
  if (turn === undefined) return run()
  count += 1
  appendFileSync(`${trap}.count`, '.')
  const isMeant = count === Number(turn)
  if (isMeant && when === 'before') process.kill(process.pid, 'SIGKILL')
  const result = run()
  if (isMeant && when === 'after') process.kill(process.pid, 'SIGKILL')
  return result
}

export class DatabaseSync extends Driver {
  exec(sql) {
    return trapped(() => super.exec(sql))
  }

  prepare(sql) {
    const statement = super.prepare(sql)
    for (const name of ['run', 'all']) {
      const own = statement[name]
      Object.defineProperty(statement, name, { value: (...values) => trapped(() => own.apply(statement, values)) })
    }
    return statement
  }
}
