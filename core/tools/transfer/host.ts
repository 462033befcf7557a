import { settingKey } from '../../boot/stored-settings.js'
import type { ArchivedApp } from '../../boot/wings.js'
import type { Engine, Session } from '../../engines/engine.js'
import type { WantedTable } from '../../layout/layout.js'
import type { ArchivePart } from '../../plugin/parts.js'
import type { RunningPlugin } from '../../plugin/running.js'
import type { Registry } from '../../schema/registry.js'

/** The parts of an app that an archive may hold. */
export interface TransferHost {
  readonly engine: Engine
  readonly types: Registry
  /** The tables of all types and of their links, in the order in which rows can be inserted. */
  readonly tables: readonly WantedTable[]
  readonly plugins: readonly TransferPlugin[]
}

/** A plugin as archives see it, with its service. */
export interface TransferPlugin {
  readonly name: string
  readonly accounts: readonly string[]
  readonly stays: readonly string[]
  /** The keys of its settings in the table of stored ones. */
  readonly settings: readonly string[]
  readonly export?: (session: Session) => AsyncIterable<ArchivePart>
  readonly import?: (part: ArchivePart) => Promise<void>
  readonly before?: () => Promise<void>
  readonly after?: () => Promise<void>
}

/** Told how far a long work is. */
export interface Progress {
  /** Reports a step and its progress; without a total it is not known how much there is. */
  at(what: string, done: number, total?: number): void
  /** Reports a problem to the operator. */
  warn(sentence: string): void
}

/** An app as archives see it. */
export const transferHost = ({ engine, types, tables, plugins }: ArchivedApp): TransferHost => ({
  ...{ engine, types, tables },
  plugins: transferPlugins(plugins, types),
})

function transferPlugins(plugins: readonly RunningPlugin[], types: Registry): TransferPlugin[] {
  return plugins.map(({ spec, service }) => {
    const { accounts = [], stays = [], settings, export: give, import: take, before, after } = spec.transfer ?? {}
    return {
      name: spec.name,
      accounts,
      stays,
      settings: [
        ...Object.keys(spec.shares?.stored ?? {}).map(key => settingKey(spec.name, key)),
        ...(settings?.(types) ?? []),
      ],
      ...(give && { export: session => give(session, service) }),
      ...(take && { import: part => take(part, service) }),
      ...(before && { before: async () => before(service) }),
      ...(after && { after: async () => after(service) }),
    }
  })
}
