import type { ConfigFile } from '../config/files.js'
import type { Section } from '../config/merge.js'
import type { Project } from '../config/setting.js'
import type { Config, PluginSwitch } from '../config/types.js'
import type { Engine, Store } from '../engines/engine.js'
import type { AttributeKind } from '../schema/field-types.js'
import type { Registry } from '../schema/registry.js'
import type { Definition } from '../schema/types.js'
import type { OfferedPlugin } from './plugin.js'
import type { AnyPlugin } from './spec.js'

/** The app folder of another server, which this one opens in place. */
export interface ForeignProject {
  /** The value of `config.project` for such a folder; the dialect of its clients has the same name. */
  readonly kind: Exclude<Project, 'stele'>
  /** The plugin that runs its code, and the variable that switches it off, with what each value of it says of the plugin. */
  readonly code: {
    readonly plugin: string
    readonly variable: string
    readonly values: Readonly<Record<string, Partial<PluginSwitch>>>
  }
  /** True if a folder is one of its projects. */
  detect(appDir: string): Promise<boolean>
  /** Converts settings that its files in `config/` write in other words to those of `config/server`. */
  server(files: ReadonlyMap<string, ConfigFile>): Section
  /** The plugins of this server as they are enabled there, with the settings that they know. */
  offered(config: Config, builtIn: readonly AnyPlugin[]): Promise<OfferedPlugin[]>
  /** Its content types, with attributes of types that only the other server has as this one can serve them. */
  definitions(found: readonly Definition[], given: ForeignTypes): Promise<readonly Definition[]>
  /** Types for which it has no endpoints: neither has this server. */
  unrouted(appDir: string, definitions: readonly Definition[]): Promise<ReadonlySet<string>>
  /** The files beside those of new types that it needs to serve them, by their paths, without those that are there. */
  beside(appDir: string, added: readonly Definition[]): ReadonlyMap<string, string>
  /** The parts of it that this server does not run. */
  notRun(
    app: {
      readonly config: Config
      readonly store: Store
      readonly routes: readonly ServedRoute[]
      readonly types: Registry
    },
    offered: readonly OfferedPlugin[],
  ): Promise<ForeignPart[]>
}

/** A route of this server, as far as those of a project are compared with it. */
export interface ServedRoute {
  readonly method: string
  readonly path: string
  readonly at?: 'api' | 'root' | undefined
  readonly uid?: string | undefined
  readonly action?: string | undefined
  readonly does?: string | undefined
  readonly plugin?: string | undefined
}

/** The means of finding out how the content types of another server are stored. */
export interface ForeignTypes {
  readonly kinds: ReadonlyMap<string, AttributeKind>
  /** Opens the database for reading; undefined if there is none yet. The caller closes it. */
  readonly open: () => Promise<Engine | undefined>
}

/** Parts of one kind that the project of another server has and this one does not run, and the consequence. */
export interface ForeignPart {
  readonly what: string
  readonly where: readonly string[]
  readonly means: string
}
