const trapped = new URL('trapped-sqlite.mjs', import.meta.url).href
const drivers = ['@photostructure/sqlite', 'node:sqlite']

export function resolve(specifier, context, next) {
  if (!drivers.includes(specifier) || context.parentURL === trapped) return next(specifier, context)
  return { url: trapped, shortCircuit: true }
}
