const trapped = new URL('trapped-sqlite.mjs', import.meta.url).href
const driver = /^node:sqlite$|[/\\]@photostructure[/\\]sqlite[/\\]/

export function resolve(specifier, context, next) {
  if (!driver.test(specifier) || context.parentURL === trapped) return next(specifier, context)
  return { url: trapped, shortCircuit: true }
}
