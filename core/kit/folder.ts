import { existsSync, mkdirSync } from 'node:fs'
import path from 'node:path'

/** Makes a folder and those above it, one after the other: the recursive form of Node never ends where a file system refuses new names, as /proc does. */
export function makeFolder(folder: string, mode?: number): void {
  if (existsSync(folder)) return
  makeFolder(path.dirname(folder), mode)
  try {
    mkdirSync(folder, { mode })
  } catch (error) {
    // Another process may have been faster.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}
