import { isSection } from './merge.js'

/** Settings are the same for the whole life of the server; a plugin that tries to change one fails at that line. */
export function freeze<T>(value: T): T {
  if (!isSection(value) && !Array.isArray(value)) return value
  for (const inner of Object.values(value)) freeze(inner)
  return Object.freeze(value)
}
