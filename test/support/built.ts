import { dirname, join, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vitest/config'

const root = fileURLToPath(new URL('../..', import.meta.url))
const sources = ['core', 'plugins'].map(folder => join(root, folder) + sep)

/**
 * Tests name modules as they are written, and get them as they are shipped: compiled once, and loaded by Node itself.
 * A hundred modules for each of a few hundred processes would otherwise pass through the hands of the one that leads them.
 */
export const built: Plugin = {
  name: 'built',
  enforce: 'pre',
  resolveId(name, importer) {
    if (!name.startsWith('.') || importer === undefined) return
    const file = resolve(dirname(importer), name)
    if (!sources.some(folder => file.startsWith(folder))) return
    return { id: join(root, 'dist', file.slice(root.length)).replace(/\.ts$/, '.js'), external: true }
  },
}
