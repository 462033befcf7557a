import { type Positions, textOf } from '../server/positions.js'

export const positions: Positions = {
  of: primary => textOf(primary, 'select pg_current_wal_flush_lsn()'),
  // A server that was made a primary itself replays nothing: it is no copy any more.
  isReached: async (position, replica) =>
    (await textOf(replica, 'select (pg_is_in_recovery() and pg_last_wal_replay_lsn() >= ?::pg_lsn)::text', [
      position,
    ])) === 'true',
}
