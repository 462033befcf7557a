import { existsSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vitest/config'

const root = fileURLToPath(new URL('../..', import.meta.url))
const compiled = /^(?:core|plugins)\/(?![^/]+\/page\/)/

/** Modules that vitest leaves to Node to load. */
export const external = [/\/dist\/(?:core|plugins)\//]

/** The path of a module in the compiler's output; undefined for files that it does not compile. */
export function compiledPath(path: string): string | undefined {
  const name = relative(root, path).replace(/\.[jt]s$/, '')
  // The build comes after the first look at the configuration, so the sources decide what will be there.
  return compiled.test(name) && existsSync(join(root, `${name}.ts`)) ? join(root, 'dist', `${name}.js`) : undefined
}

/**
 * Tests load the server as it is shipped, and Node does it. All of it comes from there: a class that was loaded from its
 * source as well would be two classes.
 */
export const fromDist: Plugin = {
  name: 'from-dist',
  enforce: 'pre',
  resolveId(source, importer) {
    if (source.startsWith('file:')) return compiledPath(fileURLToPath(source))
    if (source.startsWith('/')) return compiledPath(source)
    return source.startsWith('.') && importer ? compiledPath(resolve(importer, '..', source)) : undefined
  },
}
