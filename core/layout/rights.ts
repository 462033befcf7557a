import type { Engine } from '../engines/engine.js'

/** The advice for a database user who may not change the layout. */
export const grantAdvice =
  'run `stele apply` as a user who may, or grant the user of the database to create tables and indexes'

/** True if tables can be created, as far as that can be told without trying: a command that only looks leaves no trace. */
export const canCreateTables = ({ ddl, reader }: Engine): Promise<boolean> => ddl.canCreateTables(reader)

/** True if the database refuses a statement because of the user who sends it. */
export function isDenied(engine: Pick<Engine, 'ddl'>, error: unknown): boolean {
  return error instanceof Error && (engine.ddl.isDenied(error) || isDenied(engine, error.cause))
}
