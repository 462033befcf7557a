import {
  ApplicationError,
  type Entry,
  type Host,
  NotFoundError,
  type Session,
  ValidationError,
} from '../../../core/index.js'
import { asRecorded } from '../../../core/plugin-kit.js'
import { accountUid } from '../content-types.js'
import type { AdminSettings } from '../service.js'
import {
  type Account,
  type AccountWish,
  accountOf,
  type Changer,
  fields,
  type Names,
  type NewAccount,
  type SecretAccount,
  withoutSecrets,
} from './account.js'
import { dropLinks } from './link-rows.js'
import { checkPassword } from './password-rules.js'
import { type Roles, superAdminOf } from './roles.js'

export type { Account, AccountWish, Changer, NewAccount, SecretAccount } from './account.js'

/** The lock for changes of accounts: no two get one address, and the last Super Admin stays. */
export const accountsLock = 'accounts'

type AccountsHost = Pick<Host<AdminSettings>, 'entries' | 'store' | 'shares' | 'config'>
type Filters = Readonly<Record<string, unknown>>

interface SigningIn extends Pick<SecretAccount, 'email' | 'password' | 'isActive' | 'blocked'> {
  readonly id: number
}

/** Finds, makes and changes the accounts of editors. The caller of a change is recorded where `audit` is enabled. */
export class Accounts {
  readonly #host: AccountsHost
  readonly #roles: Roles

  constructor(host: AccountsHost, roles: Roles) {
    this.#host = host
    this.#roles = roles
  }

  async all(session?: Session): Promise<Account[]> {
    return (await this.#find({}, session)).map(withoutSecrets)
  }

  async byId(id: number, session?: Session): Promise<Account | undefined> {
    const found = await this.withPassword(id, session)
    return found && withoutSecrets(found)
  }

  /** The account with the hash of its password. */
  async withPassword(id: number, session?: Session): Promise<SecretAccount | undefined> {
    return (await this.#find({ id: { $eq: id } }, session))[0]
  }

  /** The account of an address, in whatever case it is written, with the hash of its password. */
  async byEmail(email: string, session?: Session): Promise<SecretAccount | undefined> {
    const found = await this.#find({ email: { $eqi: email } }, session)
    // Databases may take accents and blanks for nothing; mail servers do not.
    return found.find(account => account.email.toLowerCase() === email.toLowerCase())
  }

  /**
   * The part of an account that decides about a sign-in, read in one statement: whether there is such an account is not to be told
   * from the work.
   */
  async signingIn(email: string): Promise<SigningIn | undefined> {
    const query = {
      where: { email: { $eqi: email } },
      sort: 'id',
      fields: ['email', 'password', 'isActive', 'blocked'],
    }
    const found = (await this.#entries().find(query)) as (Entry & SigningIn)[]
    return found.find(account => account.email.toLowerCase() === email.toLowerCase())
  }

  /** The account that Strapi has invited with a token, as long as it has never been taken. */
  async invitedByStrapi(token: string, session?: Session): Promise<Account | undefined> {
    const [found] = await this.#find({ registrationToken: { $eq: token } }, session)
    return found?.registrationToken === token && found.state === 'invited' ? withoutSecrets(found) : undefined
  }

  /** True if an active account may everything. */
  async hasSuperAdmin(session?: Session): Promise<boolean> {
    return (await this.#superAdmins(session)).length > 0
  }

  /** The account without which no account may everything; undefined where there are several, or none. */
  async lastSuperAdmin(session?: Session): Promise<number | undefined> {
    const all = await this.#superAdmins(session)
    return all.length === 1 ? all[0]?.id : undefined
  }

  create({ email: written, password, roles, ...names }: NewAccount, by?: Changer): Promise<Account> {
    return this.inTurn(session => this.createIn(session, { email: written, password, roles, ...names }, by))
  }

  /** The same as a part of a change. */
  async createIn(session: Session, { email: written, password, roles, ...names }: NewAccount, by?: Changer) {
    const email = addressOf(written)
    if (password !== undefined) this.#checkPassword(password, email)
    await this.#mustBeFree(email, undefined, session)
    by?.assertMayGive?.(roles)
    const isActive = password !== undefined
    const data = { ...names, email, isActive, blocked: false, roles: someRoles(roles), ...(isActive && { password }) }
    const { id } = await this.#entries(session).create(data, callerOf(by))
    return this.#found(Number(id), session)
  }

  /** Sets a password: sessions that began with the former one end, and links that were sent are void. */
  setPassword(id: number, password: string, by?: Changer): Promise<Account> {
    return this.inTurn(async session => {
      const account = await this.#found(id, session)
      by?.assertMayChange?.(account)
      if (account.state === 'blocked') throw new ApplicationError(`${account.email} is blocked`)
      return this.setPasswordIn(session, account, { password }, by)
    })
  }

  /** The same as a part of a change; an invited account is active from then on. */
  async setPasswordIn(
    session: Session,
    { id, email }: Account,
    { password, ...names }: Names & { readonly password: string },
    by?: Changer,
  ): Promise<Account> {
    this.#checkPassword(password, email)
    return this.#store(session, id, { ...names, password, isActive: true, ...withoutTokens }, by)
  }

  /** Changes an account. A blocked one is not active for Strapi either, which looks at nothing else. */
  update(id: number, { language, email: written, ...wish }: AccountWish, by?: Changer): Promise<Account> {
    const { roles, blocked } = wish
    return this.inTurn(async session => {
      const account = await this.#secret(id, session)
      by?.assertMayChange?.(account, roles)
      const email = written === undefined ? undefined : addressOf(written)
      if (email !== undefined) await this.#mustBeFree(email, id, session)
      if (roles) await this.#mustLeaveOne(account, someRoles(roles), session)
      if (blocked === true) await this.#mustNotBeLast(account, 'blocked', session)
      const isActive = blocked === undefined ? undefined : !blocked && account.password !== null
      const tokens = blocked === true ? withoutTokens : {}
      return this.#store(session, id, { ...wish, email, preferedLanguage: language, isActive, ...tokens }, by)
    })
  }

  delete(id: number, by?: Changer): Promise<Account> {
    return this.inTurn(async session => {
      const account = await this.#found(id, session)
      by?.assertMayChange?.(account)
      await this.#mustNotBeLast(account, 'deleted', session)
      await dropLinks(this.#host, id, session)
      await this.#entries(session).delete(id, callerOf(by))
      return account
    })
  }

  /** Changes accounts after the changes that other processes make now. */
  inTurn<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const { store, shares } = this.#host
    return store.transaction(async session => {
      await shares.lock(session, accountsLock)
      return work(session)
    })
  }

  async #store(session: Session, id: number, wish: Filters, by?: Changer): Promise<Account> {
    // Names without a value would be recorded as changed.
    const data = Object.fromEntries(Object.entries(wish).filter(([, value]) => value !== undefined))
    // A link is for who owned the account, and its address, when it was made.
    const isOver = 'password' in data || 'email' in data || data.blocked === true
    if (isOver) await dropLinks(this.#host, id, session)
    await this.#entries(session).update(id, data, callerOf(by))
    return this.#found(id, session)
  }

  async #mustBeFree(email: string, own: number | undefined, session: Session): Promise<void> {
    const other = await this.byEmail(email, session)
    if (other && other.id !== own) throw new ApplicationError(`There is an account ${email} already`)
  }

  async #mustLeaveOne(account: Account, roles: readonly number[], session: Session): Promise<void> {
    const superAdmin = superAdminOf(await this.#roles.all(session))
    if (superAdmin && !roles.includes(superAdmin.id)) await this.#mustNotBeLast(account, 'given other roles', session)
  }

  /** Without a Super Admin, no account could make another one. */
  async #mustNotBeLast({ id, email }: Account, done: string, session: Session): Promise<void> {
    if ((await this.lastSuperAdmin(session)) === id)
      throw new ApplicationError(
        `${email} is the last active Super Admin and cannot be ${done}; make another one first`,
      )
  }

  async #superAdmins(session?: Session): Promise<Account[]> {
    const role = superAdminOf(await this.#roles.all(session))
    if (!role) return []
    const found = await this.#find({ isActive: { $eq: true }, roles: { id: { $eq: role.id } } }, session)
    return found.filter(({ state }) => state === 'active').map(withoutSecrets)
  }

  #checkPassword(password: string, email: string): void {
    checkPassword(password, { email, min: this.#host.config.passwords.min })
  }

  async #found(id: number, session: Session): Promise<Account> {
    return withoutSecrets(await this.#secret(id, session))
  }

  async #secret(id: number, session: Session): Promise<SecretAccount> {
    const found = await this.withPassword(id, session)
    if (!found) throw new NotFoundError(`There is no account ${id}`)
    return found
  }

  async #find(where: Filters, session?: Session): Promise<SecretAccount[]> {
    // Requests do not see roles, so code that reads them asks for everything.
    const query = { where, sort: 'id', fields, populate: { roles: { fields: ['id'] } }, everything: true } as const
    return (await this.#entries(session).find(query)).map((entry: Entry) => accountOf(entry))
  }

  #entries(session?: Session) {
    return this.#host.entries(accountUid, session)
  }
}

/** Tokens of Strapi's own, which a new password makes useless. */
const withoutTokens = { registrationToken: null, resetPasswordToken: null }

/** Permissions to entries of accounts and roles decide nothing here: the caller is the one that is recorded. */
const callerOf = (by: Changer | undefined) => (by ? { caller: asRecorded(by.caller) } : {})

const addressOf = (written: string): string => written.trim().toLowerCase()

function someRoles(roles: readonly number[]): readonly number[] {
  if (roles.length > 0) return roles
  throw ValidationError.of([{ path: ['roles'], message: 'roles must name at least one', name: 'ValidationError' }])
}
