import type { Host } from '../../../core/index.js'
import type { Loose } from '../types.js'
import type { Models } from './models.js'
import type { Reader } from './reader.js'
import type { Scopes } from './scope.js'

/** The layer once it has its database. */
export interface OpenLayer {
  readonly host: Host
  readonly db: Loose
  readonly entityService: Loose
  readonly models: Models
  readonly scopes: Scopes
  readonly reader: Reader
}
