import type { Engine, Layout, Session } from '../engines/engine.js'
import type { RecordedTable, WantedTable } from './layout.js'

/** The layout that another server gives its database: such a database is not this server's alone. */
export interface ForeignLayout {
  /** Its name in messages. */
  readonly name: string
  /** The group of changes that remove its leftovers: `stele apply --only <group>`. */
  readonly group: string
  readonly versions: {
    /** Gave no id to tables of links. */
    readonly withoutIds: string
    /** Adds these ids where they are missing. */
    readonly withIds: string
  }
  /** Its table of stored settings. Plugins keep theirs there in every database, so that both servers find the same. */
  readonly settingsTable: string
  /** True if it made this database. */
  isHere(found: Pick<Layout, 'tables'>): boolean
  /** The tables that it made for content types of the app; none in a database that it did not make. */
  known(engine: Engine, wanted: readonly WantedTable[], found: Layout): Promise<RecordedTable[]>
  /** Lists tables, so that it does not drop them with others that it does not know. */
  protect(engine: Engine, tables: readonly string[]): Promise<void>
  /** The tables that are listed there. */
  protectedTables(engine: Engine, session: Session): Promise<readonly string[]>
}
