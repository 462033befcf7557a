import type { ValidateFunction } from 'ajv'

/** Puts a validator into a module, as code does that ajv has written. */
type Written = (module: { exports?: ValidateFunction }) => void

/** The validators that the build makes (`.ci/validators.mjs`), by what `keyOf` calls them; sources have none. */
export const built: ReadonlyMap<string, Written> = new Map()
