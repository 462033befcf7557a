import { base } from '../../shell/address.js'
import { mayIn } from '../../shell/sections.js'
import { meta } from '../../shell/session.js'

export interface HeldRole {
  readonly id: number
  readonly code: string
  readonly name: string
}

/** A role of the app; those that the account may not give are not offered. */
export interface GivenRole extends HeldRole {
  readonly mayGive: boolean
}

/** An account as `GET /console/accounts` has it. */
export interface Account {
  readonly id: number
  readonly email: string
  readonly firstname: string | null
  readonly lastname: string | null
  readonly username: string | null
  readonly state: 'active' | 'invited' | 'blocked'
  readonly roles: readonly HeldRole[]
  readonly invitedUntil: string | null
  readonly lastSignIn: string | null
  readonly isLast: boolean
  readonly mayChange: boolean
}

export interface AllAccounts {
  readonly accounts: readonly Account[]
  readonly roles: readonly GivenRole[]
  readonly linksAreSent: boolean
}

/** A link for the owner of an account; its address is null where it was sent. */
export interface SentLink {
  readonly account: Account
  readonly expires: string
  readonly address: string | null
}

export const accountsUrl = `${base}/accounts`
export const urlOf = (id: number | string): string => `${accountsUrl}/${encodeURIComponent(id)}`

export const nameOf = ({ firstname, lastname, username, email }: Account): string =>
  [firstname, lastname].filter(Boolean).join(' ') || username || email

export const isOwn = ({ id }: Account): boolean => meta.value?.account.id === id

/** True if the account that is signed in may change another one. */
export const mayChange = (account: Account): boolean => mayIn('accounts', 'update') && account.mayChange
