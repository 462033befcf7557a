import knexPackage from 'knex'
import { RemoteVersions } from '../../cache/remote-versions.js'
import type { DatabaseConfig } from '../../config/types.js'
import { pacedReads } from '../../loop/paced-reads.js'
import { addReturning } from '../built.js'
import type { Engine, Layout, Session } from '../engine.js'
import { namesOf, tablesOf } from '../found.js'
import { languagesOf } from '../languages.js'
import type { OpenedConnection } from '../server/opened.js'
import { OwnCommits } from '../server/own-commits.js'
import { pooled } from '../server/pooled.js'
import { sharedSideConnection } from '../server/side-connection.js'
import { silentLog } from '../server/silent-log.js'
import type { WatchedConnection } from '../server/watchdog.js'
import { zoneOf } from '../server/zone.js'
import { classify } from './classify.js'
import { asked, type Connection, connectTo, leave, NamedStatements, probeOf } from './connection.js'
import { ddlOf } from './ddl.js'
import { facts } from './facts.js'
import { collationsOf, sortedBy } from './languages.js'
import { positions } from './positions.js'
import { search } from './search.js'
import { type PooledConnection, ServerSession } from './session.js'
import { statesOf } from './states.js'
import { valuesOf } from './values.js'
import { words } from './words.js'

export async function openPostgres(config: DatabaseConfig): Promise<Engine> {
  // A connection that is lost ends the trust in those that were opened before it.
  let turn = 0
  const distrust = (connection: OpenedConnection<Connection>) => {
    if (connection.turn === turn) turn += 1
  }
  const knex = knexPackage.knex({ client: 'pg', log: silentLog })
  const connect = () => connectTo(config)
  const sideConnection = sharedSideConnection(
    async () => asked(await connect()),
    ({ connection }) => leave(connection),
  )
  const open = async (): Promise<PooledConnection> => {
    const connection = await connect()
    const { stream } = connection.connection
    const watched: WatchedConnection = {
      stream,
      sideConnection: () => sideConnection(beside => probeOf(connection, beside)),
      cut() {
        leave(connection)
        distrust(opened)
      },
    }
    const opened = Object.assign(connection, { turn, watched, statements: new NamedStatements() })
    pacedReads.pace(stream)
    return opened
  }
  const own = new OwnCommits<number>()
  const { borrow, unhurried, ...shared } = pooled<PooledConnection>({
    open,
    close: leave,
    pool: config.pool,
    acquireTimeout: config.acquireTimeout,
    isUsable: connection => connection.turn === turn && !connection.isOver,
    session: (connection, timeout) => new ServerSession(connection, timeout, own),
    isPipelined: true,
    statementTimeout: config.statementTimeout,
    limit: timeout => `set statement_timeout = ${timeout}`,
    leave: distrust,
    // Writes of one entry take turns by its row lock: a write that waited goes on from the row as stored then, and need not start
    // again.
    begin: 'begin isolation level read committed',
    beginSnapshot: ['begin isolation level repeatable read read only'],
    classify,
  })

  const versions = new RemoteVersions(statesOf({ open: connect, close: leave, generation: () => turn, own }))
  return {
    name: 'postgres',
    facts,
    ddl: ddlOf(knex),
    ...languagesOf({ words, collationsOf, sortedBy, borrow }),
    search,
    knex,
    ...shared,
    positions: async () => positions,
    versions,
    ...valuesOf(zoneOf(config.timezone)),
    add: addReturning(knex),
    introspect: () => borrow(introspect),
    locked: work => unhurried(session => withLayoutLock(session, work)),
    classify,
    async close() {
      versions.close()
      await shared.close()
    },
  }
}

/** One process at a time changes the layout of a database. */
async function withLayoutLock<T>(session: Session, work: () => Promise<T>): Promise<T> {
  await session.all("select pg_advisory_lock(hashtext('stele'))", [])
  try {
    return await work()
  } finally {
    await session.all("select pg_advisory_unlock(hashtext('stele'))", [])
  }
}

async function introspect(session: Session): Promise<Layout> {
  const columns = await session.all(
    'select table_name, column_name, data_type from information_schema.columns where table_schema = current_schema()',
    [],
  )
  const indexes = await session.all('select indexname from pg_indexes where schemaname = current_schema()', [])
  return { tables: tablesOf(columns), indexes: namesOf(indexes) }
}
