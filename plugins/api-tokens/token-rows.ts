import { type Entry, type Host, rowsOf, type Session } from '../../core/index.js'
import { permissionUid, type TokenType, tokenUid } from './content-types.js'

/** A token as the database holds it, with the actions that it lists. */
export interface TokenRow {
  readonly id: number
  readonly name: string
  readonly description: string
  readonly type: TokenType
  readonly accessKey: string
  readonly permissions: readonly string[]
  /** Milliseconds; null is for ever. */
  readonly lifespan: number | null
  readonly expiresAt: string | null
  readonly lastUsedAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

type RowsHost = Pick<Host, 'entries' | 'store'>

const fields = [
  'name',
  'description',
  'type',
  'accessKey',
  'lifespan',
  'expiresAt',
  'lastUsedAt',
  'createdAt',
  'updatedAt',
]
const atOnce = 1000

/** Reads tokens out of the database. */
export class TokenRows {
  readonly #host: RowsHost

  constructor(host: RowsHost) {
    this.#host = host
  }

  /** All tokens, whatever the limits of one request. */
  async all(): Promise<TokenRow[]> {
    const { store, entries } = this.#host
    const actions = new Map<number, string[]>()
    const listing = store.model(permissionUid).query().alias('permission').joinRelated('token')
    const query = listing.select('token.id', 'permission.action').orderBy('permission.id').toKnexQuery()
    for (const [token, action] of await rowsOf(store.reader, query)) {
      const listed = actions.get(Number(token)) ?? []
      actions.set(Number(token), listed)
      listed.push(String(action))
    }
    const rows: TokenRow[] = []
    for (let some: Entry[]; ; ) {
      const where = { id: { $gt: rows.at(-1)?.id ?? 0 } }
      some = await entries(tokenUid).find({ where, sort: 'id', fields, limit: atOnce })
      rows.push(...some.map(entry => rowOf(entry, actions.get(Number(entry.id)) ?? [])))
      if (some.length < atOnce) return rows
    }
  }

  async one(id: number, session?: Session): Promise<TokenRow | undefined> {
    const { entries } = this.#host
    const entry = await entries(tokenUid, session).first({ where: { id: { $eq: id } }, fields })
    if (!entry) return undefined
    const listed = await this.permissions(id, session)
    return rowOf(
      entry,
      listed.map(({ action }) => action),
    )
  }

  async permissions(id: number, session?: Session): Promise<{ readonly id: number; readonly action: string }[]> {
    const where = { token: { id: { $eq: id } } }
    const found = await this.#host.entries(permissionUid, session).find({ where, sort: 'id', fields: ['action'] })
    return found.map(entry => ({ id: Number(entry.id), action: String(entry.action) }))
  }
}

function rowOf(entry: Entry, permissions: readonly string[]): TokenRow {
  const { lifespan } = entry
  // The columns are those of the content type, in the forms that entries have.
  return { ...(entry as Entry & TokenRow), permissions, lifespan: lifespan === null ? null : Number(lifespan) }
}
