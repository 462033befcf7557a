import { NamelessState, type StateNames } from '../../cache/remote-versions.js'
import type { OwnCommits } from '../server/own-commits.js'
import type { Connection } from './connection.js'
import { endedBetween } from './snapshots.js'

/**
 * A snapshot lists the transactions that it does not see, so equal snapshots see equal rows. It changes when a transaction
 * that has an id ends, before that is acknowledged; transactions without an id have changed nothing. The process and the
 * start of the server are part of the name, as after a crash ids that were not flushed are given again.
 */
const text = `select pg_current_snapshot()::text, pg_is_in_recovery()::text,
  concat_ws(' ', pg_backend_pid(), pg_postmaster_start_time())`

/**
 * A query for triggers, policies and the like, which make a statement read or write tables that it does not name; search indexes
 * are only read together with their tables.
 */
const hidden = `select (exists (select from pg_trigger where not tgisinternal and tgname not like 'stele\\_search\\_%') or exists (select from pg_policy)
  or exists (select from pg_inherits join pg_class on oid = inhrelid where relkind in ('r', 'p'))
  or exists (select from pg_class join pg_namespace n on n.oid = relnamespace
    where relkind in ('v', 'm', 'f') and nspname not in ('pg_catalog', 'information_schema')))::text`

interface StateOptions extends Pick<StateNames<Connection>, 'open' | 'close' | 'generation'> {
  readonly own: OwnCommits<number>
}

export function statesOf({ own, ...opening }: StateOptions): StateNames<Connection> {
  const ask = async (connection: Connection, name: string, text: string) =>
    ((await connection.query({ name, text, values: [], rowMode: 'array' })).rows[0] ?? []).map(String)
  let known: string | undefined
  return {
    ...opening,
    by: 'pg_current_snapshot()',
    async name(connection) {
      const [snapshot, inRecovery, server] = await ask(connection, 'stele_state', text)
      // After a crash ids that were not flushed are given again, to transactions of others.
      if (server !== known) own.forget()
      known = server
      if (inRecovery === 'true') throw new NamelessState('the database server is a standby')
      return `${snapshot} ${server}`
    },
    async changes(before, after) {
      const [first = '', ...server] = before.split(' ')
      const [second = '', ...same] = after.split(' ')
      const ended = server.join() === same.join() ? endedBetween(first, second) : undefined
      return ended && own.take(ended)
    },
    isPlain: async connection => (await ask(connection, 'stele_hidden', hidden))[0] === 'false',
  }
}
