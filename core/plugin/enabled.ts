import type { SchemaObject } from 'ajv'
import type { Param } from '../query/params.js'
import type { UsedPlugin } from './plugin.js'
import type { PluginSpec } from './spec.js'

/** A schema of which no setting is known: with it, functions of the settings take any. */
type AnySchema = SchemaObject & { readonly properties: Readonly<Record<string, unknown>> }

/** A plugin as the kernel reads it: every part, its types forgotten. */
export type RawPlugin = PluginSpec<
  string,
  AnySchema,
  readonly UsedPlugin[],
  Readonly<Record<string, Param>>,
  unknown,
  Readonly<Record<string, unknown>>
>

/** Enabled plugins, in the order of their needs, with their checked settings. */
export interface EnabledPlugin {
  readonly spec: RawPlugin
  readonly config: Readonly<Record<string, unknown>>
  /** The file that it was loaded from; absent for one that is given as a value. */
  readonly file?: string
}
