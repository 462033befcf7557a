import type { IncomingMessage } from 'node:http'
import type { Context } from 'koa'
import type { Host, SettingsOf, Session as Transaction } from '../../../core/index.js'
import { type Account, withoutSecrets } from '../accounts/account.js'
import type { Accounts } from '../accounts/accounts.js'
import { type CookieName, clearCookie, cookieName, readCookie, setCookie, type TokenCookie } from './cookie.js'
import { KeptSessions, type OpenSession } from './kept-sessions.js'
import { SessionRows, type StoredSession } from './session-rows.js'
import type { sessionsSettings } from './settings.js'
import { hashOf, newToken, stampOf } from './tokens.js'

type SessionsHost = Pick<Host, 'app' | 'store' | 'types' | 'entries' | 'log'>

/** Milliseconds after which a token is replaced. */
const renewAfter = 3600_000
/** Milliseconds for which the token before is good once the next one was used, for requests that were sent with it. */
const overlap = 60_000
/** Precision of the time at which a session was used last: within it, use costs at most one write. */
const precision = 60_000

interface Opening extends Pick<StoredSession, 'kept'> {
  /** The hash that the password was compared with. */
  readonly checked?: string | null
}

/** The sessions of editors: who signs in has one until it ends, in all processes at once. */
export class Sessions {
  readonly #host: SessionsHost
  readonly #accounts: Pick<Accounts, 'withPassword'>
  readonly #rows: SessionRows
  readonly #kept: KeptSessions
  readonly #ofRequest = new WeakMap<IncomingMessage, OpenSession>()
  readonly #writing = new Set<Promise<unknown>>()
  readonly #followers: ((account: Account) => Promise<void>)[] = []

  constructor(
    host: SessionsHost,
    accounts: Pick<Accounts, 'withPassword'>,
    lifetimes: SettingsOf<typeof sessionsSettings>,
  ) {
    this.#host = host
    this.#accounts = accounts
    this.#rows = new SessionRows(host, lifetimes)
    this.#kept = new KeptSessions(async key => this.#checked(await this.#rows.by(key)))
  }

  /** Refuses a request whose response could not carry the cookie safely. */
  assertSafe(ctx: Context): CookieName {
    return cookieName(ctx, this.#host.app)
  }

  /** Sets a function that is called before an account is let in, to record it; its errors refuse that. */
  follow(follower: (account: Account) => Promise<void>): void {
    this.#followers.push(follower)
  }

  /** Begins a session, and sets its cookie. The password has been checked, or has just been set. */
  async open(ctx: Context, id: number, { kept, checked }: Opening): Promise<OpenSession | undefined> {
    const name = this.assertSafe(ctx)
    const account = await this.#accounts.withPassword(id)
    if (!account?.isActive || account.blocked) return undefined
    // The password was changed while it was compared.
    if (checked !== undefined && account.password !== checked) return undefined
    for (const follower of this.#followers) await follower(withoutSecrets(account))
    const token = newToken()
    const from = {
      address: ctx.ip.replace(/^::ffff:/, '').slice(0, 64),
      agent: ctx.get('User-Agent').slice(0, 255) || null,
    }
    const begun = { hash: hashOf(token), account: id, stamp: stampOf(account.password), kept, ...from }
    const session = await this.#host.store.transaction(within => this.#rows.create(begun, within))
    this.#setCookie(ctx, { name, token }, session)
    // A browser has one session: nothing could end the one before, whose cookie is replaced.
    const before = this.current(ctx)
    if (before) await this.end(before.account.id, before.session.id)
    const open = { session, account: withoutSecrets(account) }
    this.#ofRequest.set(ctx.req, open)
    return open
  }

  /**
   * The session of a request, if it has one that has not ended. A response that goes on for long asks again, when its token may
   * have been replaced: then the session counts, and not the token.
   */
  find(ctx: Context): OpenSession | undefined | Promise<OpenSession | undefined> {
    const before = this.#ofRequest.get(ctx.req)
    if (before) return this.#again(before.session)
    const cookie = readCookie(ctx)
    if (!cookie) return undefined
    const found = this.#kept.of({ hash: hashOf(cookie.token) })
    return found instanceof Promise
      ? found.then(open => this.#admit(ctx, open, cookie))
      : this.#admit(ctx, found, cookie)
  }

  /** The session that the request was found to have. */
  current({ req }: Pick<Context, 'req'>): OpenSession | undefined {
    return this.#ofRequest.get(req)
  }

  /** Ends the session of a request. */
  async close(ctx: Context): Promise<void> {
    const open = this.current(ctx)
    const cookie = readCookie(ctx)
    if (cookie) clearCookie(ctx, cookie.name)
    if (open) await this.end(open.account.id, open.session.id)
  }

  /** Ends a session of an account; false if there is none with this id. */
  async end(account: number, id: number): Promise<boolean> {
    const isEnded = await this.#rows.end({ id, account })
    this.#kept.drop(account)
    return isEnded
  }

  /** Ends all sessions of an account; where that is part of a transaction, `changed` is called once it is stored. */
  async closeAll(account: number, within?: Transaction): Promise<void> {
    await this.#rows.end({ account }, within)
    this.#kept.drop(account)
  }

  /** The last sign-in of each account; unknown once those sessions have ended. */
  lastSignIns(): Promise<ReadonlyMap<number, Date>> {
    return this.#rows.latest()
  }

  of(account: number): Promise<StoredSession[]> {
    return this.#rows.of(account)
  }

  /** An account has changed: its sessions are read again. */
  changed(account: number): void {
    this.#kept.drop(account)
  }

  /** Waits for what is being written. */
  async settled(): Promise<void> {
    await Promise.all(this.#writing)
  }

  async #again({ id }: StoredSession): Promise<OpenSession | undefined> {
    const open = await this.#kept.of({ id })
    return open && Date.now() < open.session.ends ? open : undefined
  }

  /** The session with its account, unless it has ended with something that happened to that. */
  async #checked(session: StoredSession | undefined): Promise<OpenSession | undefined> {
    if (!session) return undefined
    const account = await this.#accounts.withPassword(session.account)
    if (account?.isActive && !account.blocked && stampOf(account.password) === session.stamp) {
      return { session, account: withoutSecrets(account) }
    }
    // A session that was refused once does not come back when its account is unblocked.
    await this.#rows.end({ id: session.id })
    return undefined
  }

  #admit(
    ctx: Context,
    open: OpenSession | undefined,
    cookie: TokenCookie,
  ): OpenSession | undefined | Promise<OpenSession | undefined> {
    const now = Date.now()
    if (!open || now >= open.session.ends) return undefined
    const { session } = open
    const isCurrent = session.hash === hashOf(cookie.token)
    // A response may have been lost, and the next token with it: the browser has none but the one before until it has used the next.
    const isLast = isCurrent || session.used === null
    if (!isLast && now >= Number(session.used) + overlap) return undefined
    if (isLast && now >= session.renewed + renewAfter && !ctx.headerSent) return this.#renew(ctx, open, cookie)
    this.#ofRequest.set(ctx.req, open)
    if (isCurrent && session.used === null) this.#use(open, now)
    this.#see(open, now)
    return open
  }

  /** Gives the request the next token. Of several that come at once one does; the others go on with the token before. */
  async #renew(ctx: Context, { session, account }: OpenSession, cookie: TokenCookie): Promise<OpenSession | undefined> {
    const token = newToken()
    const isRenewed = await this.#rows.renew(session, { sent: hashOf(cookie.token), hash: hashOf(token) })
    this.#kept.drop(account.id)
    if (isRenewed) this.#setCookie(ctx, { name: cookie.name, token }, session)
    const found = await this.#kept.of({ hash: hashOf(cookie.token) })
    if (found) this.#ofRequest.set(ctx.req, found)
    return found
  }

  #setCookie(ctx: Context, cookie: TokenCookie, { kept, created }: StoredSession): void {
    const now = Date.now()
    setCookie(ctx, cookie, kept ? this.#rows.endOf({ kept, created }, now) - now : undefined)
  }

  /** Records that the browser has the token. */
  #use(open: OpenSession, now: number): void {
    const { session } = open
    open.session = { ...session, used: now }
    this.#record(this.#rows.use(session, now))
  }

  #see(open: OpenSession, now: number): void {
    const { session } = open
    if (now - session.seen < precision) return
    open.session = { ...session, seen: now, ends: this.#rows.endOf(session, now) }
    this.#record(this.#rows.see(session, now, precision))
  }

  /** Records the use of a session out of the way of the request. */
  #record(work: Promise<void>): void {
    const writing = work
      .catch(error => this.#host.log.warn({ err: error }, 'the use of a session could not be recorded'))
      .finally(() => this.#writing.delete(writing))
    this.#writing.add(writing)
  }
}
