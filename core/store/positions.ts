import type { Engine, Session } from './engine.js'

/** How far the log of a database server has come, in its own words, and whether a copy of it has come as far. */
export interface Positions {
  of(primary: Session): Promise<string>
  isReached(position: string, replica: Session): Promise<boolean>
}

/** They are compared, not subtracted: clocks of servers differ, and a primary where nothing happens has no delay to show. */
export async function positionsOf({ name, reader }: Pick<Engine, 'name' | 'reader'>): Promise<Positions> {
  if (name === 'postgres') return postgres
  return /mariadb/i.test(await one(reader, 'select version()')) ? mariadb : mysql
}

const postgres: Positions = {
  of: primary => one(primary, 'select pg_current_wal_flush_lsn()'),
  // A server that was made a primary itself replays nothing: it is no copy any more.
  isReached: async (position, replica) =>
    (await one(replica, 'select (pg_is_in_recovery() and pg_last_wal_replay_lsn() >= ?::pg_lsn)::text', [position])) ===
    'true',
}

const mariadb: Positions = {
  of: async primary => {
    const [[isLogged, position] = []] = await primary.all('select @@global.log_bin, @@global.gtid_binlog_pos', [])
    if (Number(isLogged) !== 1) throw new Error('the database has no binary log, so nothing can follow it')
    return String(position)
  },
  isReached: async (position, replica) => {
    const reached = domainsOf(await one(replica, 'select @@global.gtid_slave_pos'))
    return [...domainsOf(position)].every(([domain, number]) => (reached.get(domain) ?? -1n) >= number)
  },
}

const mysql: Positions = {
  of: async primary => {
    const position = await one(primary, 'select @@global.gtid_executed')
    if (position === '') throw new Error('the database numbers no transactions; gtid_mode has to be ON')
    return position
  },
  isReached: async (position, replica) =>
    (await one(replica, 'select gtid_subset(?, @@global.gtid_executed)', [position])) === '1',
}

/** `0-1-270,1-2-5`: the last number of each domain; which server gave it does not matter. */
function domainsOf(position: string): Map<string, bigint> {
  const parts = position.split(',').filter(Boolean)
  return new Map(
    parts.map(part => {
      const [domain = '', , number = '0'] = part.trim().split('-')
      return [domain, BigInt(number)]
    }),
  )
}

async function one(session: Session, sql: string, values: readonly unknown[] = []): Promise<string> {
  return String((await session.all(sql, values))[0]?.[0] ?? '')
}
