/** The database servers that tests start for themselves: never the ones that already run on the machine. */
export { findMariadb, mariadbDatabases, startMariadb } from './mariadb.js'
export { findMysql, startMysql } from './mysql.js'
export { findMysqlKind, isMysqlItself, mysqlKind, startMysqlKind } from './mysql-kind.js'
export { findPostgres, postgresDatabases, startPostgres } from './postgres.js'

/** The address of a server, and the account with all permissions there. */
export interface Address {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly password: string
}

export interface Databases {
  createDatabase(name: string): Promise<void>
  dropDatabase(name: string): Promise<void>
}

/** A private server on 127.0.0.1, with a temp folder that goes away together with the process that started it. */
export interface DatabaseServer extends Address, Databases {
  readonly client: 'mysql' | 'postgres'
  readonly version: string
  /** Resolves when the process is gone, or at once for SIGSTOP and SIGCONT. Data stays; `restart` brings it back. */
  kill(signal?: KillSignal): Promise<void>
  /** Shuts down in order when it still runs, then starts on the same port with the same data. */
  restart(): Promise<void>
  /** Ends the server and removes its data. Safe to call twice. */
  stop(): Promise<void>
}

/** SIGTERM asks for the engine's own shutdown, which disconnects clients; the others are what faults are made of. */
export type KillSignal = 'SIGKILL' | 'SIGTERM' | 'SIGSTOP' | 'SIGCONT'

export interface ServerOptions {
  /** Server variables by name, laid over the harness's own: `{ max_connections: 5 }`. */
  readonly settings?: Readonly<Record<string, string | number>>
  /** The folder in which the server gets its own; one in memory otherwise. */
  readonly parent?: string
}

/** The binaries of an engine, or the reason why it cannot be started here. */
export type Probe<Binaries> =
  | { readonly binaries: Binaries; readonly reason?: undefined }
  | { readonly binaries: undefined; readonly reason: string }
