import type { Caller } from '../../../core/index.js'
import type { AppParts, Runtime } from '../types.js'
import type { Lifecycles } from './lifecycles.js'
import type { Opened } from './opened.js'

/** The caller of what code writes: its events are fired by the layer of the database itself. */
export const codeCaller: Caller = { scope: 'strapi-code', can: () => true }

export interface HookParts {
  readonly runtime: Runtime
  readonly lifecycles: Lifecycles
  readonly opened: () => Opened | undefined
}

/** Hooks through which writes that code does not do itself fire its events. */
export function hooksOf(_parts: HookParts): AppParts['hooks'] {
  return {}
}
