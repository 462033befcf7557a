import { ApplicationError } from '../../../core/index.js'
import type { Identity } from './accounts.js'
import type { Provider } from './providers.js'

/** A user's profile at a provider. */
export interface Profile {
  readonly email: string | undefined
  /** The provider has seen that the address belongs to them. */
  readonly verified: boolean
  readonly name: string | undefined
}

/** An unverified address would open the account of its real owner. */
export function identityOf({ email, verified, name }: Profile, { name: provider, trustEmail }: Provider): Identity {
  if (!email || !plausible.test(email)) throw new ApplicationError('Email was not available.')
  if (!verified && !trustEmail) throw new ApplicationError(`The e-mail address is not verified by ${provider}.`)
  const address = email.toLowerCase()
  return { provider, email: address, username: usernameOf(name, address) }
}

const plausible = /^[^\s@]{1,64}@[^\s@]{1,190}$/

/** A name that cannot be mistaken for another account's address, and is long enough to be one. */
function usernameOf(name: string | undefined, email: string): string {
  const ofAddress = email.slice(0, email.indexOf('@'))
  const wished = name?.toLowerCase() === email ? name : name?.replace(/@.*$/s, '')
  return (
    [wished?.trim(), ofAddress, email].find(candidate => candidate && candidate.length >= 3)?.slice(0, 100) ?? email
  )
}
