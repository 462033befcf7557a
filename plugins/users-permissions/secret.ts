import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { BootError, type Config, type Log } from '../../core/index.js'

const file = path.join('.tmp', 'jwt-secret')

/** The secret that signs tokens: from the settings or `JWT_SECRET`; while an app is developed, one that is made and kept. */
export async function secretOf(configured: string | undefined, app: Config, log: Log): Promise<string> {
  const secret = configured || process.env.JWT_SECRET
  if (secret) return secret
  if (app.environment === 'production')
    throw new BootError(
      'users-permissions needs a secret to sign tokens with: set JWT_SECRET, or users-permissions.config.jwtSecret in ' +
        "config/plugins, to a long random text, such as what `node -p \"require('crypto').randomBytes(32).toString('base64')\"` prints",
    )
  // Tests leave nothing behind in the folder they run in.
  if (app.environment === 'test') return randomBytes(32).toString('base64')
  return kept(path.join(app.appDir, file), log)
}

async function kept(place: string, log: Log): Promise<string> {
  await mkdir(path.dirname(place), { recursive: true })
  const made = randomBytes(32).toString('base64')
  try {
    // Two processes that start at once must end up with the same secret: only one of them can make the file.
    await writeFile(place, made, { mode: 0o600, flag: 'wx' })
    log.warn(`made a secret that signs tokens and keep it in ${place}; set JWT_SECRET to use one of your own`)
    return made
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const found = (await readFile(place, 'utf8')).trim()
  if (found === '') throw new BootError(`${place} is empty; delete it, or set JWT_SECRET`)
  return found
}
