import { type Caller, ForbiddenError, type Host, NotFoundError, type Session } from '../../core/index.js'
import { asRecorded, assertMayGive } from '../../core/plugin-kit.js'
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

/**
 * Creates, changes and ends tokens; changes apply here at once, and elsewhere within a second. Nothing is given to a token, and no
 * key handed out, beyond what its caller may give; code and commands have none, and may everything.
 */
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

  create(body: unknown, by?: Caller): Promise<FreshToken> {
    const { permissions, ...wish } = readNew(body, this.#knownActions())
    assertMayHand({ ...wish, permissions }, by)
    const accessKey = makeKey()
    return this.#write(async session => {
      const secret = { accessKey: this.#hash.of(accessKey), expiresAt: expiryOf(wish.lifespan) }
      const { id } = await this.#host.entries(tokenUid, session).create({ ...wish, ...secret }, named(by))
      await this.#grant(Number(id), permissions, session, by)
      return { ...viewOf(await this.#found(Number(id), session)), accessKey }
    })
  }

  change(id: number, body: unknown, by?: Caller): Promise<TokenView> {
    return this.#write(async session => {
      const former = await this.#found(id, session)
      const { name, description, type, permissions } = readChange(body, this.#knownActions(), former)
      assertMayHand({ type, permissions }, by, former)
      await this.#host.entries(tokenUid, session).update(id, { name, description, type }, named(by))
      await this.#grant(id, permissions, session, by)
      return viewOf(await this.#found(id, session))
    })
  }

  revoke(id: number, by?: Caller): Promise<TokenView> {
    return this.#write(async session => {
      const gone = viewOf(await this.#found(id, session))
      await this.#grant(id, [], session, by)
      await this.#host.entries(tokenUid, session).delete(id, named(by))
      return gone
    })
  }

  /** A new key in place of the old one; its lifespan begins anew. */
  regenerate(id: number, by?: Caller): Promise<FreshToken> {
    const accessKey = makeKey()
    return this.#write(async session => {
      const found = await this.#found(id, session)
      assertMayHand(found, by)
      const secret = { accessKey: this.#hash.of(accessKey), expiresAt: expiryOf(found.lifespan) }
      await this.#host.entries(tokenUid, session).update(id, secret, named(by))
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
  async #grant(id: number, wanted: readonly string[], session: Session, by?: Caller): Promise<void> {
    const permissions = this.#host.entries(permissionUid, session)
    const stored = await this.#rows.permissions(id, session)
    for (const { id, action } of stored) if (!wanted.includes(action)) await permissions.delete(id, named(by))
    const kept = stored.map(({ action }) => action)
    for (const action of wanted) if (!kept.includes(action)) await permissions.create({ action, token: id }, named(by))
  }

  /** The permissions that a custom token may list, with those that the caller may give it. */
  actionsFor({ gives }: Pick<Caller, 'gives'>): GivenAction[] {
    const mayGive = (action: string, uid: string) => gives === true || gives?.(action, uid) === true
    return this.#listable().map(({ uid, action }) => ({ uid, action, mayGive: mayGive(action, uid) }))
  }

  #knownActions(): string[] {
    return this.#listable().map(({ uid, action }) => `${uid}.${action}`)
  }

  /** All permissions that routes require, except the management of tokens itself. */
  #listable() {
    return this.#host.actions.filter(({ uid }) => uid !== ownUid)
  }
}

interface GivenAction {
  readonly uid: string
  readonly action: string
  readonly mayGive: boolean
}

type Handed = Pick<TokenRow, 'type' | 'permissions'>

/** Refuses to hand out what the caller may not give; a token that is changed keeps what it has. */
function assertMayHand({ type, permissions }: Handed, by: Caller | undefined, former?: Handed): void {
  if (!by || by.gives === true) return
  if (type === 'custom') {
    const kept = former?.permissions ?? []
    assertMayGive(
      by,
      permissions.filter(action => !kept.includes(action)),
    )
  } else if (former?.type !== type) {
    throw new ForbiddenError(
      `A token of the type ${type} reaches what is added later, too: those who may everything give it`,
    )
  }
}

const named = (by: Caller | undefined) => (by ? { caller: asRecorded(by) } : {})

function viewOf({ accessKey: _, ...view }: TokenRow): TokenView {
  return view
}
