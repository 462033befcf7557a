import type { AnyPlugin } from './spec.js'

/** A plugin that the app could turn on, and whether it did. */
export interface OfferedPlugin {
  readonly plugin: AnyPlugin
  readonly enabled: boolean
  readonly config: Readonly<Record<string, unknown>>
  /** Why it is enabled or disabled, and where it was found if it does not come with the server; told to people. */
  readonly why?: string
  readonly from?: string
}
