import { createHash } from 'node:crypto'
import knexPackage, { type Knex } from 'knex'
import { RemoteVersions } from '../../cache/remote-versions.js'
import type { HostAddress } from '../../config/hosts.js'
import type { DatabaseConfig } from '../../config/types.js'
import { onceFor } from '../built.js'
import type { Engine, Layout, RawRow, Session } from '../engine.js'
import { namesOf, tablesOf } from '../found.js'
import { languagesOf } from '../languages.js'
import { Hosts } from '../server/hosts.js'
import type { OpenedConnection } from '../server/opened.js'
import { pooled } from '../server/pooled.js'
import { type SideConnectionMaker, sharedSideConnection } from '../server/side-connection.js'
import { silentLog } from '../server/silent-log.js'
import type { WatchedConnection } from '../server/watchdog.js'
import { zoneOf } from '../server/zone.js'
import { classify } from './classify.js'
import { CommitCount } from './commits.js'
import { type Connection, connectTo, probeOf, timeLimit } from './connection.js'
import { ddlOf } from './ddl.js'
import { facts } from './facts.js'
import { assertHealthy, isCluster } from './galera.js'
import { collationsOf, sortedBy } from './languages.js'
import { OwnGtids } from './own-gtids.js'
import { logOf } from './positions.js'
import { search } from './search.js'
import { ServerSession } from './session.js'
import { statesOf } from './states.js'
import { valuesOf } from './values.js'
import { words } from './words.js'

/** The members that are the same for every database. */
const known = { name: 'mysql', facts, search } as const

export async function openMysql(config: DatabaseConfig): Promise<Engine> {
  const places = placesOf(config)
  const hosts = new Hosts(places)
  // A share of the time that a request waits for a connection: a dead server leaves enough of it to try the next ones.
  const maxWait = config.acquireTimeout / places.length
  // Otherwise it asks for the version of its server, which it never meets.
  const knex = knexPackage.knex({ client: 'mysql2', version: 'latest', log: silentLog })
  const commits = config.soleWriter ? new CommitCount() : undefined
  const gtids = new OwnGtids()
  const { borrow, unhurried, ...shared } = pooled<OpenedConnection<Connection>>({
    open: openerOf(config, hosts, maxWait),
    close: connection => connection.end(),
    pool: config.pool,
    acquireTimeout: config.acquireTimeout,
    isUsable: connection => hosts.trusts(connection) && !connection.isOver && !connection.stream.destroyed,
    session: (connection, statementTimeout) =>
      new ServerSession(connection, { statementTimeout, watched: connection.watched, own: commits?.own ?? gtids }),
    isPipelined: true,
    statementTimeout: config.statementTimeout,
    limit: timeout => `set ${timeLimit(timeout)}`,
    leave: connection => hosts.leave(connection.turn),
    begin: 'start transaction',
    ...(commits && { beforeCommit: (session, { threadId }) => commits.count(session, threadId) }),
    beginSnapshot: [
      'set transaction isolation level repeatable read',
      'start transaction with consistent snapshot, read only',
    ],
    classify,
  })

  const versions = new RemoteVersions(
    statesOf({
      // Of several servers one is used at a time: the next connection may be to another one.
      open: () => hosts.open(place => connectTo(place, config, maxWait, { multipleStatements: true })),
      generation: () => hosts.turn,
      commits,
      gtids,
    }),
  )
  const engine: Engine = {
    ...known,
    ddl: ddlOf(knex),
    ...languagesOf({ words, collationsOf, sortedBy, borrow }),
    knex,
    ...shared,
    ping: () =>
      borrow(async session => {
        const ask = async (sql: string) => session.all(sql, [])
        if (await isCluster(ask)) await assertHealthy(ask)
      }),
    positions: () => logOf(shared.reader),
    versions,
    ...valuesOf(zoneOf(config.timezone)),
    equalsOf,
    add: addTo(knex),
    introspect: () => borrow(introspect),
    locked: work => unhurried(session => withLayoutLock(session, work)),
    altering: work =>
      unhurried(async session => {
        try {
          return await work(session)
        } finally {
          await session.run('unlock tables', [])
        }
      }),
    classify,
    async close() {
      versions.close()
      await shared.close()
    },
  }
  return commits ? commits.counting(engine) : engine
}

/** Opens connections to the server that is used. */
function openerOf(config: DatabaseConfig, hosts: Hosts, maxWait: number): () => Promise<OpenedConnection<Connection>> {
  const sideConnectionAt = sideConnections(place => connectTo(place, config, maxWait))
  return async () => {
    const connect = async (place: HostAddress) => [await connectTo(place, config, maxWait), place] as const
    const [connection, place] = await hosts.open(connect)
    const { turn } = hosts
    const watched: WatchedConnection = {
      stream: connection.stream,
      sideConnection: () => sideConnectionAt(place)(beside => probeOf(connection, beside)),
      cut(isServerWell) {
        connection.destroy()
        connection.isOver = true
        if (isServerWell) hosts.renew(turn)
      },
    }
    return Object.assign(connection, { turn, watched })
  }
}

/** One side connection for each server, opened when it is first asked for. */
function sideConnections(connect: (place: HostAddress) => Promise<Connection>) {
  const made = new Map<HostAddress, SideConnectionMaker<Connection>>()
  return (place: HostAddress): SideConnectionMaker<Connection> => {
    const known =
      made.get(place) ??
      sharedSideConnection(
        () => connect(place),
        connection => connection.destroy(),
      )
    made.set(place, known)
    return known
  }
}

const placesOf = ({ host = '127.0.0.1', port = 3306, fallbacks = [] }: DatabaseConfig): readonly HostAddress[] => [
  { host, port },
  ...fallbacks,
]

/**
 * Beside its column a text is compared as the column is: its weight is the same for texts that are equal. It is hashed here,
 * because servers do not agree on the functions that hash: `sha1` is not in MySQL 9.7.
 */
async function equalsOf(session: Session, table: string, column: string, text: string): Promise<string> {
  const none = `select ${words.quote(column)} from ${words.quote(table)} where 1 = 0`
  const [[weight = null] = []] = await session.all(`select weight_string(rtrim(coalesce((${none}), ?)))`, [text])
  return weight === null
    ? 'null'
    : createHash('sha1')
        .update(weight as Buffer)
        .digest('hex')
}

/** An insert returns no columns on MySQL, but the id that it says it has given may be any number. */
function addTo(knex: Knex): Engine['add'] {
  const added = onceFor((table, row) =>
    knex(table)
      .insert(row)
      .onConflict('name')
      .merge({ count: knex.raw('last_insert_id(?? + ?)', ['count', row.count as string]) }),
  )
  return async (session, table, row) => {
    const { sql, values } = added(table, row)
    const { changes, id } = await session.run(sql, values)
    return changes === 1 ? Number(row.count) : id
  }
}

/** One process at a time changes the layout of a database. */
async function withLayoutLock<T>(session: Session, work: () => Promise<T>): Promise<T> {
  const [[held]] = (await session.all("select get_lock(concat('stele:', database()), 60)", [])) as [RawRow]
  if (Number(held) !== 1) throw new Error('another process has held the layout of the database for a minute')
  try {
    return await work()
  } finally {
    await session.all("select release_lock(concat('stele:', database()))", [])
  }
}

async function introspect(session: Session): Promise<Layout> {
  const columns = await session.all(
    'select table_name, column_name, column_type from information_schema.columns where table_schema = database()',
    [],
  )
  const indexes = await session.all(
    'select distinct index_name, table_name from information_schema.statistics where table_schema = database()',
    [],
  )
  const loose = await session.all(
    "select table_name from information_schema.tables where table_schema = database() and engine <> 'InnoDB'",
    [],
  )
  return {
    tables: tablesOf(columns),
    indexes: namesOf(indexes),
    loose: loose.map(([name]) => String(name)),
  }
}
