import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { ownFolder } from '../../../kit/own-folder.js'

/**
 * What package.json of an app in `target` has to ask for to get this server. A copy that was installed is asked for as
 * its installer asked for it: a version, or the tarball or address it came from. Every other copy is asked for by its
 * folder, which is the one thing about it that is sure to exist.
 */
export function ownDependency(target: string, version: string, folder = ownFolder): string {
  const asked = askedFor(folder)
  if (asked === undefined) return fileIn(target, folder)
  if (!asked.spec.startsWith('file:')) return isAddress(asked.spec) ? asked.spec : `^${version}`
  const place = path.resolve(asked.by, asked.spec.slice('file:'.length))
  return fileIn(target, existsSync(place) ? place : folder)
}

interface Asked {
  readonly spec: string
  /** The folder of the package.json that says so. */
  readonly by: string
}

/** How the project asked for this copy in whose node_modules it is, if it is in any. */
function askedFor(folder: string): Asked | undefined {
  if (!folder.split(path.sep).includes('node_modules')) return undefined
  for (let by = path.dirname(folder); by !== path.dirname(by); by = path.dirname(by)) {
    const spec = dependenciesIn(by).stele
    // What a workspace or a catalog says is known to that project alone.
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
