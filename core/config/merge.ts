/** An object whose keys are not known yet. */
export type Section = Readonly<Record<string, unknown>>

/** A copy of `over` on top of `base`: objects key by key, all else (lists too) replaced; undefined says nothing. */
export function merge(base: unknown, over: unknown): unknown {
  if (over === undefined) return base === undefined ? undefined : merge(undefined, base)
  if (Array.isArray(over)) return over.map(item => merge(undefined, item))
  if (!isSection(over)) return over
  const under = isSection(base) ? base : {}
  const keys = new Set([...Object.keys(under), ...Object.keys(over)])
  return Object.fromEntries(
    [...keys].map(key => [key, merge(own(under, key), own(over, key))]).filter(([, value]) => value !== undefined),
  )
}

/** Plain objects only: streams, certificates and the like are handed on untouched. */
export function isSection(value: unknown): value is Section {
  if (typeof value !== 'object' || value === null) return false
  const prototype = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** The value at a path of keys, or undefined. */
export function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((at, key) => {
    if (Array.isArray(at)) return at[Number(key)]
    return isSection(at) ? own(at, key) : undefined
  }, value)
}

/** Settings are the same for the whole life of the server; a plugin that tries to change one fails at that line. */
export function freeze<T>(value: T): T {
  if (!isSection(value) && !Array.isArray(value)) return value
  for (const inner of Object.values(value)) freeze(inner)
  return Object.freeze(value)
}

function own(section: Section, key: string): unknown {
  return Object.hasOwn(section, key) ? section[key] : undefined
}
