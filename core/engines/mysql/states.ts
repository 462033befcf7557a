import { Nameless, type StateNames } from '../server/state-check.js'
import { sumOfCommits } from './commits.js'
import type { Connection } from './connection.js'
import type { OwnGtids } from './own-gtids.js'

/**
 * `gtid_binlog_pos` changes before a write is acknowledged, and also before it is visible: alone it would name what is read
 * between the two after the newer state. `Binlog_commits` is counted together with becoming visible, under one lock, so
 * the two of them name states. Only a prepared transaction (XA) is counted earlier: while there is one, no state has a name.
 */
const logged = `select @@global.gtid_binlog_pos, @@global.gtid_slave_pos, @@global.gtid_strict_mode;
show status where variable_name = 'binlog_commits'; xa recover`

const facts = 'select version(), @@global.log_bin, connection_id()'

/** Several results of one round trip, each with its rows. */
type Results = readonly (readonly (readonly unknown[])[])[]

/**
 * What makes a statement read or write other tables than it names, or write in spite of a rollback; search indexes are only
 * read together with their tables.
 */
const hidden = `select exists (select 1 from information_schema.triggers
    where trigger_schema = database() and trigger_name not like 'stele\\_search\\_%')
  or exists (select 1 from information_schema.tables
    where table_schema = database() and (table_type <> 'BASE TABLE' or engine <> 'InnoDB'))`
/** Milliseconds between two of them: with 200 tables one takes 8, and every write of another program asks for one. */
const restOfLooks = 1000

interface Opening extends Pick<StateNames<Connection>, 'open' | 'generation'> {
  readonly own: OwnGtids
  /** Only this program writes to the database, and counts its commits there. */
  readonly soleWriter?: boolean
}

/** `open` makes connections that take several statements at once. */
export const statesOf = (opening: Opening): StateNames<Connection> =>
  opening.soleWriter ? countedStates(opening) : loggedStates(opening)

function loggedStates({ open, generation, own }: Opening): StateNames<Connection> {
  const servers = new WeakMap<Connection, string>()
  /** The state that was named last, the one before it, and the transaction of ours that was seen then. */
  let last: { readonly name: string; readonly seen: OwnGtids['last'] } | undefined
  let before: typeof last
  let looksAgain = 0
  return {
    generation,
    by: 'gtid_binlog_pos and Binlog_commits',
    close: connection => connection.destroy(),
    open,
    async inspect(connection) {
      servers.set(connection, await serverOf(connection))
      own.forget()
    },
    async name(connection) {
      const seen = own.last
      const [positions, commits, prepared] = await ask<Results>(connection, logged)
      if (prepared?.length) throw new Nameless('the database server has prepared transactions (XA)')
      const name = [positions?.[0], commits?.[0], servers.get(connection)].flat().join(' ')
      if (name !== last?.name) before = last
      last = { name, seen }
      return name
    },
    async changes(from, to) {
      const [position = '', ...rest] = from.split(' ')
      const [later = '', ...others] = to.split(' ')
      const [replicated, isStrict, , , server] = rest
      // Otherwise a program may give its transactions any numbers, also those that have been given.
      const isSame =
        isStrict === '1' && [replicated, isStrict, server].join() === [others[0], others[1], others[4]].join()
      return isSame && before?.name === from ? own.between(position, later, before.seen) : undefined
    },
    async isPlain(connection) {
      if (performance.now() < looksAgain) return undefined
      looksAgain = performance.now() + restOfLooks
      const [[found] = []] = await ask<Results[number]>(connection, hidden)
      return Number(found) === 0
    },
  }
}

/** A transaction makes its rows visible and the count of its commit, as one. */
const countedStates = ({ open, generation }: Opening): StateNames<Connection> => ({
  generation,
  by: 'the commits that stele counts (soleWriter)',
  open,
  close: connection => connection.destroy(),
  async inspect(connection) {
    if (connection.isCluster) throw new Nameless(inCluster)
  },
  name: connection =>
    ask<Results[number]>(connection, sumOfCommits).then(
      rows => String(rows[0]?.[0]),
      error => {
        if (error.errno === noSuchTable) throw new Nameless('nothing was written since soleWriter was set')
        throw error
      },
    ),
})

const otherwise = 'database.soleWriter: true is for databases to which only stele writes'
const noSuchTable = 1146
const inCluster = 'the database server is a node of a cluster'

/** What the server is, if its states have names. */
async function serverOf(connection: Connection): Promise<string> {
  if (connection.isCluster) throw new Nameless(inCluster)
  const [[version, isLogged, id] = []] = await ask<Results[number]>(connection, facts)
  if (!/mariadb/i.test(String(version))) throw new Nameless(`MySQL does not say which state is visible; ${otherwise}`)
  if (Number(isLogged) !== 1) throw new Nameless(`the database server has no binary log (log_bin); ${otherwise}`)
  return String(id)
}

const ask = <T>(connection: Connection, sql: string): Promise<T> =>
  new Promise((resolve, reject) => {
    connection.query(sql, (error, result) => (error ? reject(error) : resolve(result as T)))
  })
