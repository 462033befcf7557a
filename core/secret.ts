import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { link, mkdir, readFile, unlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Config } from './config/types.js'
import { BootError } from './errors.js'
import type { Log } from './log.js'

/** A secret that a plugin cannot work without, and everything an operator has to be told about it. */
export interface AskedSecret {
  /** What the settings say; empty is nothing. */
  readonly configured: string | undefined
  /** The variable that is read where they say nothing. */
  readonly variable: string
  /** The setting as it is written: `api-tokens.config.salt`. */
  readonly setting: string
  /** What it is for, behind "a secret": `to hash tokens with`. */
  readonly purpose: string
  /** The file below `.tmp` that keeps one which was made. */
  readonly file: string
}

/** From the settings or the environment; while an app is developed, one that is made and kept in a file of its folder. */
export async function secretOf(asked: AskedSecret, app: Config, log: Log): Promise<string> {
  const { configured, variable, setting, purpose, file } = asked
  const secret = configured || process.env[variable]
  if (secret) return secret
  if (app.environment === 'production')
    throw new BootError(
      `it needs a secret ${purpose}: set ${variable}, or ${setting} in config/plugins, to a long random text, ` +
        "such as what `node -p \"require('crypto').randomBytes(32).toString('base64')\"` prints",
    )
  // Tests leave nothing behind in the folder they run in.
  if (app.environment === 'test') return made()
  const place = path.join(app.appDir, '.tmp', file)
  if (await keep(place, made()))
    log.warn(`made a secret ${purpose} and keep it in ${place}; set ${variable} to use one of your own`)
  const found = (await readFile(place, 'utf8')).trim()
  if (found === '') throw new BootError(`${place} is empty; delete it, or set ${variable}`)
  return found
}

/** Two processes that start at once must end up with the same secret: the first whole file stays, true to who made it. */
async function keep(place: string, secret: string): Promise<boolean> {
  if (existsSync(place)) return false
  await mkdir(path.dirname(place), { recursive: true })
  const draft = `${place}.${randomUUID()}`
  await writeFile(draft, secret, { mode: 0o600 })
  try {
    await link(draft, place)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return false
  } finally {
    await unlink(draft)
  }
}

const made = (): string => randomBytes(32).toString('base64')
