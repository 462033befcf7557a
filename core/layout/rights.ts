import type { Engine } from '../engines/engine.js'

/** What to do if the user of the database may not change its layout. */
export const grantAdvice =
  'run `stele apply` as a user who may, or grant the user of the database to create tables and indexes'

/** Whether tables can be made, as far as that can be told without trying: who only looks leaves no trace. */
export const canCreateTables = ({ ddl, reader }: Engine): Promise<boolean> => ddl.canCreateTables(reader)

/** Whether the database refuses something because of who asks for it. */
export function isDenied(engine: Pick<Engine, 'ddl'>, error: unknown): boolean {
  return error instanceof Error && (engine.ddl.isDenied(error) || isDenied(engine, error.cause))
}
