import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { BootError } from '../errors.js'
import type { Environment } from './variable.js'

/** The given environment over the app's `.env`: variables that the process was started with win over the file. */
export async function readEnvironment(appDir: string, given: NodeJS.ProcessEnv): Promise<Environment> {
  const file = parseEnv(await readText(join(appDir, '.env')))
  const set = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  const merged = { ...file, ...set }
  // Libraries and config files that look at process.env themselves expect to find .env there.
  if (given === process.env) Object.assign(process.env, merged)
  return merged
}

async function readText(path: string): Promise<string> {
  try {
    return (await readFile(path, 'utf8')).replace(/^\uFEFF/, '')
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw new BootError(`.env cannot be read: ${(cause as Error).message}`, { cause })
  }
}
