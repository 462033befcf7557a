import { NamelessState, type StateNames } from '../../cache/remote-versions.js'
import { type CommitCount, sumsOfCommits } from './commits.js'
import type { Connection } from './connection.js'
import type { OwnGtids } from './own-gtids.js'
import type { Mark } from './own-writes.js'

/**
 * `gtid_binlog_pos` changes before a write is acknowledged, and also before it is visible: alone it would give the name of the
 * newer state to rows that are read between the two. `Binlog_commits` is counted together with becoming visible, under one lock,
 * so the two of them name states. Only a prepared transaction (XA) is counted earlier: while there is one, no state has a name.
 */
const logged = `select @@global.gtid_binlog_pos, @@global.gtid_slave_pos, @@global.gtid_strict_mode;
show status like 'binlog_commits'; xa recover`

const facts = 'select version(), @@global.log_bin, connection_id()'

/** Several results of one round trip, each with its rows. */
type Results = readonly (readonly (readonly unknown[])[])[]

/**
 * A query for triggers, views and other engines, which make a statement read or write tables that it does not name, or write in
 * spite of a rollback; search indexes are only read together with their tables.
 */
const hidden = `select exists (select 1 from information_schema.triggers
    where trigger_schema = database() and trigger_name not like 'stele\\_search\\_%')
  or exists (select 1 from information_schema.tables
    where table_schema = database() and (table_type <> 'BASE TABLE' or engine <> 'InnoDB'))`
/** Milliseconds between two of them: with 200 tables one takes 8, and every write of another program asks for one. */
const restOfLooks = 1000

/** The members of both kinds of states. */
type SharedMembers = Pick<StateNames<Connection>, 'open' | 'close' | 'generation' | 'isPlain'>

interface StateOptions extends Pick<SharedMembers, 'open' | 'generation'> {
  /** The count of commits, if only this program writes to the database. */
  readonly commits?: CommitCount | undefined
  readonly gtids: OwnGtids
}

/** `open` makes connections that take several statements at once. */
export function statesOf({ commits, gtids, ...opening }: StateOptions): StateNames<Connection> {
  let looksAgain = 0
  const shared: SharedMembers = {
    ...opening,
    close: connection => connection.destroy(),
    async isPlain(connection) {
      if (performance.now() < looksAgain) return undefined
      looksAgain = performance.now() + restOfLooks
      const [[found] = []] = await ask<Results[number]>(connection, hidden)
      return Number(found) === 0
    },
  }
  return commits ? countedStates(shared, commits) : loggedStates(shared, gtids)
}

/** The state that was named last and the one before it, each with the commits of ours that were known when it was asked for. */
class NamedStates<Known> {
  #last: { readonly name: string; readonly known: Known } | undefined
  #before: { readonly name: string; readonly known: Known } | undefined

  add(name: string, known: Known): string {
    if (name !== this.#last?.name) this.#before = this.#last
    this.#last = { name, known }
    return name
  }

  before(name: string): Known | undefined {
    return this.#before?.name === name ? this.#before.known : undefined
  }
}

function loggedStates(shared: SharedMembers, own: OwnGtids): StateNames<Connection> {
  const servers = new WeakMap<Connection, string>()
  const named = new NamedStates<OwnGtids['last']>()
  let isStrict = true
  return {
    ...shared,
    get by() {
      const names = 'gtid_binlog_pos and Binlog_commits'
      return isStrict ? names : `${names}; every write invalidates all of them, without gtid_strict_mode`
    },
    async inspect(connection) {
      servers.set(connection, await serverOf(connection))
      own.forget()
    },
    async name(connection) {
      const visible = own.last
      const [positions, commits, prepared] = await ask<Results>(connection, logged)
      if (prepared?.length) throw new NamelessState('the database server has prepared transactions (XA)')
      isStrict = String(positions?.[0]?.[2]) === '1'
      return named.add([positions?.[0], commits?.[0], servers.get(connection)].flat().join(' '), visible)
    },
    async changes(from, to) {
      const [position = '', ...first] = from.split(' ')
      const [later = '', ...second] = to.split(' ')
      // The count of commits is the only part that may be another one; without the mode numbers may have come twice.
      const [replicated, mode, , , server] = first
      const isSame = second[0] === replicated && second[1] === mode && second[4] === server
      return mode === '1' && isSame ? own.between(position, later, named.before(from)) : undefined
    },
  }
}

/** A transaction makes its rows visible and the count of its commit, as one. */
function countedStates(shared: SharedMembers, { own, process }: CommitCount): StateNames<Connection> {
  const named = new NamedStates<Mark>()
  return {
    ...shared,
    by: 'the commits that stele counts (soleWriter)',
    async inspect(connection) {
      if (connection.isCluster) throw new NamelessState(inCluster)
    },
    async name(connection) {
      const mark = own.mark()
      try {
        const [[all, ours] = []] = await execute(connection, sumsOfCommits, [process, process])
        return named.add(`${all} ${ours}`, mark)
      } catch (error) {
        if ((error as { errno?: number }).errno !== noSuchTable) throw error
        throw new NamelessState('nothing was written since soleWriter was set')
      }
    },
    async changes(from, to) {
      const ofOthers = (name: string) => {
        const [all, ours] = name.split(' ').map(Number)
        return (all as number) - (ours as number)
      }
      const mark = named.before(from)
      return mark && ofOthers(from) === ofOthers(to) ? own.since(mark) : undefined
    },
  }
}

const otherwise = 'database.soleWriter: true is for databases to which only stele writes'
const noSuchTable = 1146
const inCluster = 'the database server is a node of a cluster'

/** The id of a server, if its states have names. */
async function serverOf(connection: Connection): Promise<string> {
  if (connection.isCluster) throw new NamelessState(inCluster)
  const [[version, isLogged, id] = []] = await ask<Results[number]>(connection, facts)
  if (!/mariadb/i.test(String(version)))
    throw new NamelessState(`MySQL does not say which state is visible; ${otherwise}`)
  if (Number(isLogged) !== 1) throw new NamelessState(`the database server has no binary log (log_bin); ${otherwise}`)
  return String(id)
}

const execute = (connection: Connection, sql: string, values: readonly unknown[]): Promise<Results[number]> =>
  new Promise((resolve, reject) => {
    connection.execute(sql, values, (error, rows) => (error ? reject(error) : resolve(rows as Results[number])))
  })

const ask = <T>(connection: Connection, sql: string): Promise<T> =>
  new Promise((resolve, reject) => {
    connection.query(sql, (error, result) => (error ? reject(error) : resolve(result as T)))
  })
