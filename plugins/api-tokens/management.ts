import { type Host, NotFoundError, type Session } from '../../core/index.js'
import { ownUid, permissionUid, tokenUid } from './content-types.js'
import { readChange, readNew } from './input.js'
import type { KeptTokens } from './kept-tokens.js'
import { type KeyHash, makeKey } from './keys.js'
import { expiryOf } from './lifespan.js'
import type { TokenRow, TokenRows } from './token-rows.js'

/** A token as it is shown. */
export type TokenView = Omit<TokenRow, 'accessKey'>
/** The one response that holds the key itself: afterwards only its hash is left. */
export type FreshToken = TokenView & { readonly accessKey: string }

type ManagementHost = Pick<Host, 'entries' | 'store' | 'actions'>

/** Creates, changes and ends tokens; changes apply here at once, and elsewhere within a second. */
export class Management {
  readonly #host: ManagementHost
  readonly #rows: TokenRows
  readonly #kept: KeptTokens
  readonly #hash: KeyHash

  constructor(host: ManagementHost, rows: TokenRows, kept: KeptTokens, hash: KeyHash) {
    this.#host = host
    this.#rows = rows
    this.#kept = kept
    this.#hash = hash
  }

  async list(): Promise<TokenView[]> {
    const rows = await this.#rows.all()
    return rows.map(viewOf).sort((a, b) => (a.name < b.name ? -1 : 1))
  }

  async one(id: number): Promise<TokenView> {
    return viewOf(await this.#found(id))
  }

  /** The id of a token that a person means. */
  async idOf(idOrName: string): Promise<number> {
    const rows = await this.#rows.all()
    const found = rows.find(({ id }) => String(id) === idOrName) ?? rows.find(({ name }) => name === idOrName)
    if (!found) throw new NotFoundError(`There is no token "${idOrName}"`)
    return found.id
  }

  create(body: unknown): Promise<FreshToken> {
    const { permissions, ...wish } = readNew(body, this.#knownActions())
    const accessKey = makeKey()
    return this.#write(async session => {
      const { id } = await this.#host.entries(tokenUid, session).create({
        ...wish,
        accessKey: this.#hash.of(accessKey),
        expiresAt: expiryOf(wish.lifespan),
      })
      await this.#grant(Number(id), permissions, session)
      return { ...viewOf(await this.#found(Number(id), session)), accessKey }
    })
  }

  change(id: number, body: unknown): Promise<TokenView> {
    return this.#write(async session => {
      const wish = readChange(body, this.#knownActions(), await this.#found(id, session))
      const { name, description, type, permissions } = wish
      await this.#host.entries(tokenUid, session).update(id, { name, description, type })
      await this.#grant(id, permissions, session)
      return viewOf(await this.#found(id, session))
    })
  }

  revoke(id: number): Promise<TokenView> {
    return this.#write(async session => {
      const gone = viewOf(await this.#found(id, session))
      await this.#grant(id, [], session)
      await this.#host.entries(tokenUid, session).delete(id)
      return gone
    })
  }

  /** A new key in place of the old one; its lifespan begins anew. */
  regenerate(id: number): Promise<FreshToken> {
    const accessKey = makeKey()
    return this.#write(async session => {
      const { lifespan } = await this.#found(id, session)
      await this.#host.entries(tokenUid, session).update(id, {
        accessKey: this.#hash.of(accessKey),
        expiresAt: expiryOf(lifespan),
      })
      return { ...viewOf(await this.#found(id, session)), accessKey }
    })
  }

  async #write<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const done = await this.#host.store.transaction(work)
    await this.#kept.read()
    return done
  }

  async #found(id: number, session?: Session): Promise<TokenRow> {
    const row = await this.#rows.one(id, session)
    if (!row) throw new NotFoundError()
    return row
  }

  /** Brings the stored actions of a token to those that are wanted. */
  async #grant(id: number, wanted: readonly string[], session: Session): Promise<void> {
    const permissions = this.#host.entries(permissionUid, session)
    const stored = await this.#rows.permissions(id, session)
    for (const permission of stored) if (!wanted.includes(permission.action)) await permissions.delete(permission.id)
    const kept = stored.map(({ action }) => action)
    for (const action of wanted) if (!kept.includes(action)) await permissions.create({ action, token: id })
  }

  /** Every permission that a custom token may list: all that routes require, except the management of tokens itself. */
  #knownActions(): string[] {
    const others = this.#host.actions.filter(({ uid }) => uid !== ownUid)
    return others.map(({ uid, action }) => `${uid}.${action}`)
  }
}

function viewOf({ accessKey: _, ...view }: TokenRow): TokenView {
  return view
}
