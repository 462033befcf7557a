import { existsSync, readFileSync, realpathSync } from 'node:fs'
import path from 'node:path'

/** What a bundle has: the version of each package, and which of the others it needs, by their places in the list. */
export interface Contents {
  /** What tells its text from others. */
  readonly print: string
  readonly needs: Needs
  readonly packages: readonly { readonly version: string; readonly needs: Needs }[]
}
type Needs = Readonly<Record<string, number>>

/**
 * Says whether a package is installed as the bundle has it: it and all that it needs are found where Node.js looks for
 * them, in the same versions. An installation that was updated, or has `overrides`, runs what it has.
 */
export function installedIn(folder: string, { needs, packages }: Contents): (name: string) => boolean {
  const fitting = new Set<string>()
  const fits = (name: string, index: number, from: string): boolean => {
    const expected = packages[index]
    const found = find(name, from)
    if (found === undefined || found.version !== expected?.version) return false
    if (fitting.has(found.folder)) return true
    // Before what it needs, as packages may need each other.
    fitting.add(found.folder)
    const all = Object.entries(expected.needs).every(([needed, place]) => fits(needed, place, found.folder))
    if (!all) fitting.clear()
    return all
  }
  return name => name in needs && fits(name, needs[name] ?? -1, folder)
}

function find(name: string, from: string): { readonly folder: string; readonly version: string } | undefined {
  const folder = path.join(from, 'node_modules', name)
  const file = path.join(folder, 'package.json')
  if (existsSync(file)) {
    const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version: string }
    // Where packages are links, what they need is found beside what they lead to.
    return { version, folder: realpathSync.native(folder) }
  }
  const above = path.dirname(from)
  return above === from ? undefined : find(name, above)
}
