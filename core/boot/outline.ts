import type { Dialect, DialectName } from '../dialect.js'
import type { EnabledPlugin, RawPlugin } from '../plugin/arrange.js'
import type { Registry } from '../schema/registry.js'
import type { Definition } from '../schema/types.js'

/** What an app consists of: known before anything is opened or runs. */
export interface Outline {
  readonly dialectName: DialectName
  readonly dialect: Dialect
  readonly plugins: readonly EnabledPlugin[]
  readonly registry: Registry
  /** The schemas of the app as they were found. */
  readonly definitions: readonly Definition[]
  /** The names that the `meta` of every entry lists. */
  readonly listedInMeta: readonly string[]
  /** The disabled plugins, for what they declare. */
  readonly off: () => Promise<readonly RawPlugin[]>
}
