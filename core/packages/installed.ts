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
  const find = finder()
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

interface Found {
  readonly folder: string
  readonly version: string
}

/** Finds packages where Node.js would. Most folders hold none, which is found out once for each: every start does this. */
function finder(): (name: string, from: string) => Found | undefined {
  const holders = new Map<string, boolean>()
  const holdsPackages = (folder: string): boolean => {
    const known = holders.get(folder) ?? existsSync(path.join(folder, 'node_modules'))
    holders.set(folder, known)
    return known
  }
  return function find(name, from): Found | undefined {
    const found = holdsPackages(from) ? readPackage(path.join(from, 'node_modules', name)) : undefined
    const above = path.dirname(from)
    return found ?? (above === from ? undefined : find(name, above))
  }
}

/** The version, where keys are indented like the first one; to parse all of these files takes longer than the rest. */
const plainVersion = /^\{\n([ \t]+)"(?:[\s\S]*?\n\1")?version": "([^"\\]+)"/

function readPackage(folder: string): Found | undefined {
  const file = path.join(folder, 'package.json')
  if (!existsSync(file)) return undefined
  const text = readFileSync(file, 'utf8')
  const version = plainVersion.exec(text)?.[2] ?? (JSON.parse(text) as { version: string }).version
  // Where packages are links, what they need is found beside what they lead to.
  return { version, folder: realpathSync.native(folder) }
}
