import { createHash, randomBytes } from 'node:crypto'
import { change, type Host, rowsOf, type Session, type SettingsOf, UnauthorizedError } from '../../../core/index.js'
import { type sessionsSettings, sessionUid } from './settings.js'

export { sessionRoutes } from './routes.js'
export { sessionsSettings, sessionType } from './settings.js'

/** Sessions that are kept alive with refresh tokens, and end when they are revoked. */
export interface Sessions {
  readonly enabled: boolean
  /** Seconds that the token for requests is good for while sessions are enabled. */
  readonly accessLifetime: number
  /** Begins a session; gives its first refresh token. */
  open(account: number, session?: Session): Promise<string>
  /** Changes a refresh token for the next one. One that was changed before has been stolen or copied: its session ends. */
  refresh(token: string): Promise<RefreshedSession>
  /** Ends the session of a refresh token. */
  close(token: string): Promise<void>
  /** Ends all sessions of an account. */
  closeAll(account: number, session?: Session): Promise<void>
}

export interface RefreshedSession {
  readonly account: number
  readonly refreshToken: string
}

type SessionHost = Pick<Host, 'store' | 'types' | 'entries'>

export function createSessions(
  { enabled, accessLifetime, refreshLifetime }: SettingsOf<typeof sessionsSettings>,
  { store, types, entries }: SessionHost,
): Sessions {
  const rows = () => store.knex(types.get(sessionUid).table)
  const within = <T>(session: Session | undefined, work: (session: Session) => Promise<T>): Promise<T> =>
    session ? work(session) : store.transaction(work)
  const expiry = () => String(Date.now() + refreshLifetime * 1000)
  let swept = 0
  const sweep = async (session: Session): Promise<void> => {
    if (Date.now() - swept < sweepAfter) return
    swept = Date.now()
    await change(session, rows().where('expires', '<=', Date.now()).delete())
  }
  return {
    enabled,
    accessLifetime,
    open: (account, session) =>
      within(session, async session => {
        await sweep(session)
        const token = { family: randomText(16), secret: randomText(32) }
        const { family, secret } = token
        await entries(sessionUid, session).create({ family, hash: hashOf(secret), account, expires: expiry() })
        return written(token)
      }),
    async refresh(token) {
      const { family, secret } = read(token)
      const next = randomText(32)
      const account = await store.transaction(async session => {
        const current = rows()
          .where({ family, hash: hashOf(secret) })
          .where('expires', '>', Date.now())
        const { changes } = await change(session, current.update({ hash: hashOf(next), expires: expiry() }))
        if (changes === 1) return (await rowsOf(session, rows().where({ family }).select('account')))[0]?.[0]
        // A client that knows the session's name had a token of it: this one has been used before, or is too old.
        await change(session, rows().where({ family }).delete())
        return undefined
      })
      if (account === undefined) throw refused()
      return { account: Number(account), refreshToken: written({ family, secret: next }) }
    },
    async close(token) {
      const { family } = read(token)
      await within(undefined, session => change(session, rows().where({ family }).delete()))
    },
    async closeAll(account, session) {
      await within(session, session => change(session, rows().where({ account }).delete()))
    },
  }
}

/** Milliseconds between two looks for sessions that have expired; they are refused anyway. */
const sweepAfter = 3600_000

/** The name of a session, and its current secret. */
interface RefreshToken {
  readonly family: string
  readonly secret: string
}

const written = ({ family, secret }: RefreshToken): string => `${family}.${secret}`

function read(token: string): RefreshToken {
  const [, family, secret] = /^([\w-]{22})\.([\w-]{43})$/.exec(token) ?? []
  if (family === undefined || secret === undefined) throw refused()
  return { family, secret }
}

const refused = () => new UnauthorizedError('This session has ended; sign in again')

const randomText = (bytes: number): string => randomBytes(bytes).toString('base64url')

// The hashed secret is random and long, so a fast hash is as good as a slow one.
const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex')
