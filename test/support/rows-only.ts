import type { DatabaseSettings } from './engines.js'
import { run } from './run.js'

export interface Account {
  readonly user: string
  readonly password: string
}

/** Lets somebody read and write the rows of all tables that are there now, and do nothing else; SQLite knows nobody. */
export async function grantRows(settings: DatabaseSettings, { user, password }: Account): Promise<void> {
  if (settings.client === 'sqlite') throw new Error('a file of SQLite has no users')
  const statements =
    settings.client === 'mysql'
      ? [
          `drop user if exists ${user}@'%'`,
          `create user ${user}@'%' identified by '${password}'`,
          `grant select, insert, update, delete on \`${settings.database}\`.* to ${user}@'%'`,
        ]
      : [
          `do $$ begin create role ${user} login password '${password}'; exception when duplicate_object then null; end $$`,
          'revoke create on schema public from public',
          `grant select, insert, update, delete on all tables in schema public to ${user}`,
          `grant usage on all sequences in schema public to ${user}`,
        ]
  for (const sql of statements) await run(settings, sql)
}
