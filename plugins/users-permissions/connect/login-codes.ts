import { createHash, randomBytes } from 'node:crypto'
import { change, type Host, rowsOf } from '../../../core/index.js'
import type { Identity } from './accounts.js'
import { loginCodeUid } from './settings.js'

/** Codes for one sign-in each, good for a minute; kept in the database, so that any instance can take them. */
export interface LoginCodes {
  make(identity: Identity): Promise<string>
  /** The identity that the code was made for; undefined if it was used, has expired, or never existed. */
  take(code: string, provider: string): Promise<Identity | undefined>
}

const lifetime = 60_000

export function createLoginCodes({ store, types, entries }: Pick<Host, 'store' | 'types' | 'entries'>): LoginCodes {
  const rows = () => store.knex(types.get(loginCodeUid).table)
  return {
    async make(identity) {
      const code = randomBytes(32).toString('base64url')
      await store.transaction(async session => {
        await change(session, rows().where('expires', '<=', Date.now()).delete())
        await entries(loginCodeUid, session).create({
          hash: hashOf(code),
          provider: identity.provider,
          identity: JSON.stringify(identity),
          expires: String(Date.now() + lifetime),
        })
      })
      return code
    },
    take: (code, provider) =>
      store.transaction(async session => {
        const mine = () =>
          rows()
            .where({ hash: hashOf(code), provider })
            .where('expires', '>', Date.now())
        const [row] = await rowsOf(session, mine().select('identity'))
        // The delete lets one of two concurrent requests succeed.
        if (!row || (await change(session, mine().delete())).changes !== 1) return undefined
        return JSON.parse(String(row[0])) as Identity
      }),
  }
}

const hashOf = (code: string): string => createHash('sha256').update(code).digest('hex')
