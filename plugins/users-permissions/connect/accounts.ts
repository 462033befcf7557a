import { randomBytes } from 'node:crypto'
import { ApplicationError } from '../../../core/index.js'

/** Who somebody is, by the word of a provider: the address is verified and in small letters. */
export interface Identity {
  readonly provider: string
  readonly email: string
  readonly username: string
}

/** What signing in through a provider needs of the accounts. */
export interface ConnectAccounts {
  advanced(): Promise<{ readonly unique_email: boolean; readonly allow_register: boolean }>
  /** The accounts with an address, whatever their provider. */
  byEmail(email: string): Promise<readonly ConnectedAccount[]>
  usernameTaken(username: string): Promise<boolean>
  /** A confirmed account with the default role and no password. */
  create(identity: Identity): Promise<{ readonly id: number }>
  /** The answer of a sign-in. */
  signedIn(id: number): Promise<unknown>
}

export interface ConnectedAccount {
  readonly id: number
  readonly provider: string | null
  readonly blocked: boolean | null
}

/** The account of an identity: the one that came this way before, or a new one where that is allowed. As Strapi 4 does it. */
export async function accountOf(identity: Identity, accounts: ConnectAccounts): Promise<number> {
  const [{ allow_register, unique_email }, found] = await Promise.all([
    accounts.advanced(),
    accounts.byEmail(identity.email),
  ])
  const former = found.find(({ provider }) => provider === identity.provider)
  if (former?.blocked) throw new ApplicationError('Your account has been blocked by an administrator')
  if (former) return former.id
  if (!allow_register) throw new ApplicationError('Register action is actually not available.')
  if (found.length > 0 && unique_email) throw new ApplicationError('Email is already taken.')
  const { id } = await accounts.create({ ...identity, username: await freeName(identity.username, accounts) })
  return id
}

async function freeName(wanted: string, accounts: ConnectAccounts): Promise<string> {
  if (!(await accounts.usernameTaken(wanted))) return wanted
  return `${wanted}-${randomBytes(4).toString('hex')}`
}
