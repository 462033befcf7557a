import { ApplicationError, type Entry, RequestError, UnauthorizedError } from '../../core/index.js'
import { roleUid, userUid } from './content-types.js'
import type { UsersPermissions } from './service.js'
import { sessionsSince } from './stamps.js'

/** An account with its secrets: for this plugin's eyes only. */
export interface Account {
  readonly id: number
  readonly username: string
  readonly email: string
  readonly provider: string | null
  readonly password: string | null
  readonly confirmed: boolean | null
  readonly blocked: boolean | null
}

export interface NewAccount extends Readonly<Record<string, unknown>> {
  readonly username: string
  readonly email: string
  readonly provider: string
  readonly confirmed: boolean
}

/** The response to a client that has proved to own an account. */
export interface SignedIn {
  readonly jwt: string
  readonly refreshToken?: string
  readonly user: Entry
}

const fields = ['username', 'email', 'provider', 'password', 'confirmed', 'blocked']
const taken = 'Email or Username are already taken'
type Filters = Readonly<Record<string, unknown>>

/** Finds accounts, makes them, and lets their owners in. */
export class Accounts {
  readonly #followers: ((id: number) => Promise<void>)[] = []
  readonly #service: UsersPermissions
  #make = (account: NewAccount): Promise<Entry> => this.#entries.create(account)

  constructor(service: UsersPermissions) {
    this.#service = service
  }

  get #entries() {
    return this.#service.host.entries(userUid)
  }

  async find(where: Filters): Promise<Account[]> {
    return (await this.#entries.find({ where, fields, sort: 'id', limit: 10 })) as (Entry & Account)[]
  }

  async byEmail(address: string): Promise<Account[]> {
    const email = address.toLowerCase()
    // Databases may take accents and blanks for nothing; mail servers do not.
    return (await this.find({ email: { $eq: email } })).filter(account => account.email.toLowerCase() === email)
  }

  /** The account that a sign-in names: by its address, which precedes other accounts' names, or by its name. */
  async byIdentifier(identifier: string): Promise<Account | undefined> {
    const email = identifier.toLowerCase()
    const found = await this.find({
      provider: { $eq: 'local' },
      $or: [{ email: { $eq: email } }, { username: { $eq: identifier } }],
    })
    return found.find(account => account.email === email) ?? found[0]
  }

  /** Accounts that their owners ask for are made in another way from now on: code of the app adds to what they have. */
  makeBy(make: (account: NewAccount) => Promise<Entry>): void {
    this.#make = make
  }

  /** The account of an address that mail is about: one with a password before one of another provider. */
  async ofAddress(address: string): Promise<Account | undefined> {
    const found = await this.byEmail(address)
    return found.find(({ provider }) => provider === 'local') ?? found[0]
  }

  async isTaken(username: string): Promise<boolean> {
    return (await this.#entries.count({ username: { $eq: username } })) > 0
  }

  /** The role that new accounts get. */
  async defaultRole(): Promise<number | undefined> {
    const { host, advanced } = this.#service
    const role = await host.entries(roleUid).first({ where: { type: { $eq: advanced.default_role } } })
    return role && Number(role.id)
  }

  /** Makes an account that its owner asked for. Neither name nor address may be that of another one, nor a name another account's address. */
  async register(account: NewAccount): Promise<Entry> {
    const role = await this.defaultRole()
    if (role === undefined) throw new ApplicationError('Impossible to find the default role')
    await this.#mustBeFree(account)
    try {
      return await this.#make({ ...account, role, blocked: false })
    } catch (error) {
      // A concurrent request took the name or the address in between.
      const lost = error instanceof RequestError && /already taken|must be unique/.test(error.message)
      throw lost ? new ApplicationError(taken) : error
    }
  }

  async #mustBeFree({ email, username, provider }: NewAccount): Promise<void> {
    const names = [username, username.toLowerCase(), email.toLowerCase()]
    const someoneElses = { $or: [{ email: { $in: names } }, { username: { $in: names } }] }
    const where = this.#service.advanced.unique_email ? someoneElses : { ...someoneElses, provider: { $eq: provider } }
    if ((await this.#entries.count(where)) > 0) throw new ApplicationError(taken)
  }

  /** Sets a function that is called before a sign-in succeeds, to record it; its errors refuse the sign-in. */
  follow(follower: (id: number) => Promise<void>): void {
    this.#followers.push(follower)
  }

  /** Lets an account in: a token, with a session behind it where those are enabled. */
  async signIn(id: number): Promise<SignedIn> {
    const { sessions } = this.#service
    const { jwt, user } = await this.resume(id)
    for (const follower of this.#followers) await follower(id)
    return { jwt, ...(sessions.enabled && { refreshToken: await sessions.open(id) }), user }
  }

  /** A new token for an account that is let in already; 401 where it is gone or blocked. */
  async resume(id: number): Promise<SignedIn> {
    const { host, tokens, sessions } = this.#service
    const [user, since] = await Promise.all([
      this.#entries.first({ where: { id: { $eq: id } } }),
      sessionsSince(host.entries, id),
    ])
    if (!user || user.blocked === true) throw new UnauthorizedError('Invalid credentials')
    return { jwt: tokens.issue(id, since, sessions.enabled ? sessions.accessLifetime : undefined), user }
  }
}
