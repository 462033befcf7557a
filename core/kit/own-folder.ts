import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

/**
 * A file or folder of this name, in a folder or in the nearest one above it; undefined if there is none. Code runs from its
 * source, from its compiled form, and from a bundle, and finds the files beside it in all three.
 */
export function findAbove(folder: string, name: string): string | undefined {
  const place = path.join(folder, name)
  if (existsSync(place)) return place
  const next = path.dirname(folder)
  return next === folder ? undefined : findAbove(next, name)
}

/** The folder of this server: the nearest with a package.json. */
export const ownFolder = path.dirname(own('package.json'))

/** A file or folder that comes with the server, by its path below the folder of all code. */
export function own(name: string): string {
  const found = findAbove(import.meta.dirname, name)
  if (found === undefined) throw new Error(`the server is not complete: it has no ${name}`)
  return found
}

/** The version in package.json. */
export function ownVersion(): string {
  return (JSON.parse(readFileSync(path.join(ownFolder, 'package.json'), 'utf8')) as { version: string }).version
}
