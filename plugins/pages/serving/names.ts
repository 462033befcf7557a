import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { findAbove } from '../../../core/plugin-kit.js'

export interface Names {
  /** The name of the app. */
  readonly name: string
  /** The version of the server. */
  readonly version: string
}

/** Names of the app and the server. */
export function namesOf(appDir: string): Names {
  const { version } = packageIn(path.dirname(findAbove(import.meta.dirname, 'package.json') as string))
  const { name } = existsSync(path.join(appDir, 'package.json')) ? packageIn(appDir) : {}
  return { name: name ?? path.basename(appDir), version: version ?? '' }
}

function packageIn(folder: string): { readonly name?: string; readonly version?: string } {
  return JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'))
}
