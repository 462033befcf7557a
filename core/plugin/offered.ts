import type { AnyPlugin } from './spec.js'

/** A plugin that the app could turn on, and whether it did. */
export interface OfferedPlugin {
  readonly plugin: AnyPlugin
  readonly enabled: boolean
  readonly config: Readonly<Record<string, unknown>>
  /** The reason why it is enabled or disabled, and the place of one that does not come with the server; told to people. */
  readonly why?: string
  readonly from?: string
}
