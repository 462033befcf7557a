import { randomBytes } from 'node:crypto'
import { ApplicationError } from '../../../core/index.js'
import type { Accounts } from '../accounts.js'
import type { AdvancedSettings } from '../settings.js'

/** An identity that a provider confirms: the address is verified and in small letters. */
export interface Identity {
  readonly provider: string
  readonly email: string
  readonly username: string
}

type Rules = Pick<AdvancedSettings, 'allow_register' | 'unique_email'>

/** The account of an identity: the one that came this way before, or a new one where that is allowed. As Strapi 4 does it. */
export async function accountOf(identity: Identity, accounts: Accounts, rules: Rules): Promise<number> {
  const found = await accounts.byEmail(identity.email)
  const former = found.find(({ provider }) => provider === identity.provider)
  if (former?.blocked) throw new ApplicationError('Your account has been blocked by an administrator')
  if (former) return former.id
  if (!rules.allow_register) throw new ApplicationError('Register action is actually not available.')
  if (found.length > 0 && rules.unique_email) throw new ApplicationError('Email is already taken.')
  const username = await freeName(identity.username, accounts)
  const account = await accounts.register({ ...identity, username, confirmed: true })
  return Number(account.id)
}

async function freeName(wanted: string, accounts: Accounts): Promise<string> {
  const taken = (await accounts.isTaken(wanted)) || (await accounts.isTaken(wanted.toLowerCase()))
  return taken ? `${wanted}-${randomBytes(4).toString('hex')}` : wanted
}
