import { type Positions, textOf } from '../server/positions.js'
import type { Session } from '../session.js'

/** MariaDB and MySQL number their transactions in different ways. */
export async function logOf(reader: Session): Promise<Positions> {
  return /mariadb/i.test(await textOf(reader, 'select version()')) ? mariadb : mysql
}

const mariadb: Positions = {
  of: async primary => {
    const [[isLogged, position] = []] = await primary.all('select @@global.log_bin, @@global.gtid_binlog_pos', [])
    if (Number(isLogged) !== 1) throw new Error('the database has no binary log, so nothing can follow it')
    return String(position)
  },
  isReached: async (position, replica) => {
    const reached = domainsOf(await textOf(replica, 'select @@global.gtid_slave_pos'))
    return [...domainsOf(position)].every(([domain, number]) => (reached.get(domain) ?? -1n) >= number)
  },
}

const mysql: Positions = {
  of: async primary => {
    const position = await textOf(primary, 'select @@global.gtid_executed')
    if (position === '') throw new Error('the database numbers no transactions; gtid_mode has to be ON')
    return position
  },
  isReached: async (position, replica) =>
    (await textOf(replica, 'select gtid_subset(?, @@global.gtid_executed)', [position])) === '1',
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
