import { existsSync, readFileSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { findAbove } from './own-folder.js'

/**
 * The folder of a package, as Node.js finds it from another folder: in the `node_modules` of that, or of one above it, to
 * which workspaces lift the packages of all their projects. Its package.json need not be among its `exports`.
 */
export function packageFolder(name: string, from: string): string | undefined {
  const found = findAbove(real(from), path.join('node_modules', name, 'package.json'))
  return found === undefined ? undefined : path.dirname(found)
}

/** The command that installs a missing package: where none is installed yet, it may come with those that package.json lists. */
export function installing(name: string, folder: string): string {
  const listed = dependenciesIn(folder)
  const isInstalled =
    existsSync(path.join(folder, 'node_modules')) || listed.some(one => packageFolder(one, folder) !== undefined)
  return listed.includes(name) || !isInstalled ? `run npm install in ${folder}` : `run npm install ${name} in ${folder}`
}

/** All packages that a package.json asks for. */
function dependenciesIn(folder: string): string[] {
  try {
    const { dependencies, devDependencies, optionalDependencies, peerDependencies } = JSON.parse(
      readFileSync(path.join(folder, 'package.json'), 'utf8'),
    ) as Readonly<Record<string, object | undefined>>
    return Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies, ...peerDependencies })
  } catch {
    return []
  }
}

function real(folder: string): string {
  try {
    return realpathSync(folder)
  } catch {
    return folder
  }
}
