import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { ownFolder } from '../../../kit/own-folder.js'

/**
 * The dependency on this server for the package.json of an app in `target`. An installed copy is required as its
 * installer required it: by a version, or by the tarball or address it came from. Every other copy is required by its
 * folder, the one thing about it that is sure to exist.
 */
export function ownDependency(target: string, version: string, folder = ownFolder): string {
  const asked = askedFor(folder)
  if (asked === undefined) return fileIn(target, folder)
  if (!asked.spec.startsWith('file:')) return isAddress(asked.spec) ? asked.spec : `^${version}`
  const place = path.resolve(asked.by, asked.spec.slice('file:'.length))
  return fileIn(target, existsSync(place) ? place : folder)
}

interface Dependency {
  readonly spec: string
  /** The folder of the package.json that says so. */
  readonly by: string
}

/** The dependency by which a project installed this copy in its node_modules, if there is one. */
function askedFor(folder: string): Dependency | undefined {
  if (!folder.split(path.sep).includes('node_modules')) return undefined
  for (let by = path.dirname(folder); by !== path.dirname(by); by = path.dirname(by)) {
    const spec = dependenciesIn(by).stele
    // Links, workspaces and catalogs are known to that project alone.
    if (spec !== undefined) return /^(link|portal|workspace|catalog):/.test(spec) ? undefined : { spec, by }
  }
  return undefined
}

function dependenciesIn(folder: string): Record<string, string> {
  try {
    const { dependencies, devDependencies } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'))
    return { ...devDependencies, ...dependencies }
  } catch {
    return {}
  }
}

const isAddress = (spec: string): boolean => /[:/]/.test(spec) && !spec.startsWith('npm:')

const fileIn = (target: string, place: string): string =>
  `file:${path.relative(target, place).replaceAll(path.sep, '/') || '.'}`
