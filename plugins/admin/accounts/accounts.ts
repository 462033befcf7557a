import { ApplicationError, type Entry, type Host, type Session } from '../../../core/index.js'
import { accountUid, superAdminCode } from '../content-types.js'
import type { AdminSettings } from '../service.js'
import { checkPassword } from './password-rules.js'

/** The account of an editor, with the ids of its roles in their order. */
export interface Account {
  readonly id: number
  readonly email: string
  readonly firstname: string | null
  readonly lastname: string | null
  readonly username: string | null
  readonly isActive: boolean
  readonly blocked: boolean
  readonly language: string | null
  readonly roles: readonly number[]
}

export interface NewAccount {
  readonly email: string
  readonly firstname?: string | undefined
  readonly lastname?: string | undefined
  readonly password: string
  /** Ids. */
  readonly roles: readonly number[]
}

/** The lock for changes of accounts: no two get one address, and the last Super Admin stays. */
export const accountsLock = 'accounts'

type AccountsHost = Pick<Host<AdminSettings>, 'entries' | 'store' | 'shares' | 'config'>
type Filters = Readonly<Record<string, unknown>>

const fields = ['email', 'firstname', 'lastname', 'username', 'isActive', 'blocked', 'preferedLanguage', 'password']

/** Finds and makes the accounts of editors. */
export class Accounts {
  readonly #host: AccountsHost

  constructor(host: AccountsHost) {
    this.#host = host
  }

  async all(session?: Session): Promise<Account[]> {
    return (await this.#find({}, session)).map(withoutPassword)
  }

  async byId(id: number, session?: Session): Promise<Account | undefined> {
    const [found] = await this.#find({ id: { $eq: id } }, session)
    return found && withoutPassword(found)
  }

  /** The account of an address, in whatever case it is written, with the hash of its password. */
  async byEmail(
    email: string,
    session?: Session,
  ): Promise<(Account & { readonly password: string | null }) | undefined> {
    const found = await this.#find({ email: { $eqi: email } }, session)
    // Databases may take accents and blanks for nothing; mail servers do not.
    return found.find(account => account.email.toLowerCase() === email.toLowerCase())
  }

  /** True if an active account may everything. */
  async hasSuperAdmin(session?: Session): Promise<boolean> {
    const where = { isActive: { $eq: true }, blocked: { $ne: true }, roles: { code: { $eq: superAdminCode } } }
    // Requests do not see roles, so code that filters by them asks for everything.
    const query = { where, fields: ['email'], everything: true } as const
    return (await this.#host.entries(accountUid, session).first(query)) !== undefined
  }

  async create({ email: written, password, ...account }: NewAccount): Promise<Account> {
    const email = written.trim().toLowerCase()
    checkPassword(password, { email, min: this.#host.config.passwords.min })
    return this.#change(async session => {
      if (await this.byEmail(email, session)) throw new ApplicationError(`There is an account ${email} already`)
      const { id } = await this.#host.entries(accountUid, session).create({
        ...account,
        email,
        password,
        isActive: true,
        blocked: false,
      })
      return (await this.byId(Number(id), session)) as Account
    })
  }

  /** A change of accounts, after those that other processes make now. */
  #change<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const { store, shares } = this.#host
    return store.transaction(async session => {
      await shares.lock(session, accountsLock)
      return work(session)
    })
  }

  async #find(where: Filters, session?: Session): Promise<(Account & { readonly password: string | null })[]> {
    const populate = { roles: { fields: ['id'] } }
    const query = { where, sort: 'id', fields, populate, everything: true } as const
    const found = await this.#host.entries(accountUid, session).find(query)
    return found.map(accountOf)
  }
}

type Columns = Pick<Account, 'email' | 'firstname' | 'lastname' | 'username'> & { readonly password: string | null }

function accountOf(entry: Entry): Account & { readonly password: string | null } {
  const { email, firstname, lastname, username, password } = entry as Entry & Columns
  return {
    ...{ id: Number(entry.id), email, firstname, lastname, username, password },
    isActive: entry.isActive === true,
    blocked: entry.blocked === true,
    language: entry.preferedLanguage as string | null,
    roles: (entry.roles as readonly Entry[]).map(({ id }) => Number(id)),
  }
}

function withoutPassword({ password: _, ...account }: Account & { readonly password: string | null }): Account {
  return account
}
