import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** The folder of this server: the nearest with a package.json, as compiled files lie one folder deeper than sources. */
export const ownFolder = nearestPackage(import.meta.dirname)

/** What package.json says. */
export function ownVersion(): string {
  return (JSON.parse(readFileSync(path.join(ownFolder, 'package.json'), 'utf8')) as { version: string }).version
}

function nearestPackage(folder: string): string {
  return existsSync(path.join(folder, 'package.json')) ? folder : nearestPackage(path.dirname(folder))
}
