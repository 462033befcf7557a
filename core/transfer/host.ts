import type { EnabledPlugin } from '../boot/arrange.js'
import type { Services } from '../boot/services.js'
import type { ArchivePart } from '../plugin-parts.js'
import type { Registry } from '../schema/registry.js'
import type { Engine, Session } from '../store/engine.js'
import type { WantedTable } from '../store/layout.js'
import { settingKey } from '../store/settings.js'

/** All that an app has and an archive may hold. */
export interface TransferHost {
  readonly engine: Engine
  readonly types: Registry
  /** The tables of all types and of what leads from one to another, in the order in which rows can be inserted. */
  readonly tables: readonly WantedTable[]
  readonly plugins: readonly TransferPlugin[]
}

/** A plugin as archives see it, with its service. */
export interface TransferPlugin {
  readonly name: string
  readonly accounts: readonly string[]
  readonly stays: readonly string[]
  /** The keys of its stored settings. */
  readonly settings: readonly string[]
  readonly export?: (session: Session) => AsyncIterable<ArchivePart>
  readonly import?: (part: ArchivePart) => Promise<void>
  readonly before?: () => Promise<void>
  readonly after?: () => Promise<void>
}

export function transferPlugins(plugins: readonly EnabledPlugin[], services: Services): TransferPlugin[] {
  return plugins.map(({ spec }) => {
    const { accounts = [], stays = [], export: give, import: take, before, after } = spec.transfer ?? {}
    const service = services.get(spec.name)
    return {
      name: spec.name,
      accounts,
      stays,
      settings: Object.keys(spec.stored ?? {}).map(key => settingKey(spec.name, key)),
      ...(give && { export: session => give(session, service) }),
      ...(take && { import: part => take(part, service) }),
      ...(before && { before: async () => before(service) }),
      ...(after && { after: async () => after(service) }),
    }
  })
}
