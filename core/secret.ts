import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { link, readFile, unlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Config } from './config/types.js'
import { variableOf } from './config/variable.js'
import { BootError } from './errors.js'
import { makeFolder } from './kit/folder.js'
import { weaknessOf } from './kit/weakness.js'
import type { Log } from './log.js'

/** A secret that a plugin cannot work without, and everything an operator has to be told about it. */
export interface AskedSecret {
  /** The secret in the settings; empty counts as none. */
  readonly configured: string | undefined
  /** The variable that is read where they say nothing. */
  readonly variable: string
  /** The setting as it is written: `api-tokens.config.salt`. */
  readonly setting: string
  /** Its purpose, behind "a secret": `to hash tokens with`. */
  readonly purpose: string
  /** The file below `.tmp` that keeps one which was made. */
  readonly file: string
  /** The cost of changing it: `every account has to sign in again`. */
  readonly changing?: string | undefined
}

/** The secret from the settings or the environment; while an app is developed, one that is made and kept in a file of its folder. */
export async function secretOf(asked: AskedSecret, app: Config, log: Log): Promise<string> {
  const { configured, variable, purpose, file } = asked
  const secret = configured || variableOf(process.env, variable)
  if (secret) return judged(secret, asked, app, log)
  if (app.environment === 'production') throw new BootError(lackOf(asked))
  // Tests leave nothing behind in the folder they run in.
  if (app.environment === 'test') return made()
  const place = path.join(app.appDir, '.tmp', file)
  if (await keep(place, made()))
    log.warn(`generated a secret ${purpose}, stored in ${place}; set ${variable} to use your own`)
  const found = (await readFile(place, 'utf8')).trim()
  if (found === '') throw new BootError(`${place} is empty; delete it, or set ${variable}`)
  return found
}

/** Refuses as `secretOf` does, and makes no secret: for a plugin's check of the start. */
export function verifySecret(asked: AskedSecret, app: Config): void {
  const secret = asked.configured || variableOf(process.env, asked.variable)
  if (secret) judged(secret, asked, app, { warn: () => undefined })
  else if (app.environment === 'production') throw new BootError(lackOf(asked))
}

const lackOf = (asked: AskedSecret): string =>
  `it needs a secret ${asked.purpose}: ${remedyOf({ ...asked, changing: undefined })}`

/**
 * The secrets that were in use before, which go on being accepted for as long as they are named: by a setting, or by the
 * variable with `_FORMER` behind it, separated by spaces or line breaks. A weak one is as dangerous as a weak secret.
 */
export function formerSecretsOf(
  asked: AskedSecret & { readonly former: readonly string[] },
  app: Config,
  log: Log,
): readonly string[] {
  const variable = `${asked.variable}_FORMER`
  const said = variableOf(process.env, variable)?.split(/\s+/).filter(Boolean) ?? []
  const former = asked.former.length > 0 ? asked.former : said
  const about = { ...asked, variable, purpose: `that was used ${asked.purpose}`, changing: undefined }
  return former.map(secret => judged(secret, about, app, log))
}

/** The remedy for a secret that is missing or weak. */
function remedyOf({ variable, setting, changing }: AskedSecret): string {
  const random = "`node -p \"require('crypto').randomBytes(32).toString('base64')\"`"
  const cost = changing === undefined ? '' : ` (${changing} then)`
  return `set ${variable}, or ${setting} in config/plugins, to a long random text, such as what ${random} prints${cost}`
}

/** A guessed secret gives away everything that it protects: production starts with one only where that is accepted. */
function judged(secret: string, asked: AskedSecret, { environment, server }: Config, log: Pick<Log, 'warn'>): string {
  const weakness = weaknessOf(secret)
  if (weakness === undefined || environment === 'test') return secret
  const problem = `the secret ${asked.purpose} ${weakness}`
  const remedy = remedyOf(asked)
  if (environment !== 'production') log.warn(`${problem}: production refuses to start with it; ${remedy}`)
  else if (server.allowWeakSecrets) log.warn(`${problem}, and server.allowWeakSecrets accepts that; ${remedy}`)
  else
    throw new BootError(
      `${problem}; ${remedy}. To start with it all the same, set server.allowWeakSecrets in config/server or STELE_ALLOW_WEAK_SECRETS to true`,
    )
  return secret
}

/** Two processes that start at once must end up with the same secret: the first file that is complete stays. */
async function keep(place: string, secret: string): Promise<boolean> {
  if (existsSync(place)) return false
  makeFolder(path.dirname(path.resolve(place)), 0o700)
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

/** The same of a secret that was set; a generated one is strong. */
export function weaknessOfAsked({
  configured,
  variable,
}: Pick<AskedSecret, 'configured' | 'variable'>): string | undefined {
  const secret = configured || variableOf(process.env, variable)
  return secret ? weaknessOf(secret) : undefined
}
