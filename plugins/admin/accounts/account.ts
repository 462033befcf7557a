import type { Caller, Entry } from '../../../core/index.js'

/** The account of an editor, with the ids of its roles in their order. */
export interface Account {
  readonly id: number
  readonly email: string
  readonly firstname: string | null
  readonly lastname: string | null
  readonly username: string | null
  readonly isActive: boolean
  readonly blocked: boolean
  /** Only active accounts may sign in; an invited one has never had a password. */
  readonly state: 'active' | 'invited' | 'blocked'
  readonly language: string | null
  readonly roles: readonly number[]
}

/** The account with its secrets: for the eyes of this plugin alone. */
export interface SecretAccount extends Account {
  /** The hash; null where the account has none. */
  readonly password: string | null
  /** A token of Strapi's, with which an invited account is taken. */
  readonly registrationToken: string | null
}

export interface Names {
  readonly firstname?: string | null | undefined
  readonly lastname?: string | null | undefined
}

export interface NewAccount extends Names {
  readonly email: string
  /** Without one, the account is an invited one. */
  readonly password?: string | undefined
  /** Ids. */
  readonly roles: readonly number[]
}

/** A change of an account; what is undefined stays as it is. */
export interface AccountWish extends Names {
  readonly email?: string | undefined
  readonly username?: string | null | undefined
  readonly language?: string | null | undefined
  /** Ids, in their order. */
  readonly roles?: readonly number[] | undefined
  readonly blocked?: boolean | undefined
}

/** The caller who changes accounts. Throws where a change is not theirs to make; it is asked while no other one is made. */
export interface Changer {
  readonly caller: Caller
  assertMayChange?(account: Account, roles?: readonly number[]): void
  assertMayGive?(roles: readonly number[]): void
}

/** The columns that are read of an account. */
export const fields = [
  ...['email', 'firstname', 'lastname', 'username', 'isActive', 'blocked', 'preferedLanguage'],
  ...['password', 'registrationToken'],
]

type Columns = Pick<SecretAccount, 'email' | 'firstname' | 'lastname' | 'username' | 'password' | 'registrationToken'>

export function accountOf(entry: Entry): SecretAccount {
  const { email, firstname, lastname, username, password, registrationToken } = entry as Entry & Columns
  const [isActive, blocked] = [entry.isActive === true, entry.blocked === true]
  return {
    ...{ id: Number(entry.id), email, firstname, lastname, username, isActive, blocked },
    state: blocked || (!isActive && password !== null) ? 'blocked' : isActive ? 'active' : 'invited',
    language: entry.preferedLanguage as string | null,
    roles: (entry.roles as readonly Entry[]).map(({ id }) => Number(id)),
    ...{ password, registrationToken },
  }
}

export function withoutSecrets({ password: _, registrationToken: __, ...account }: SecretAccount): Account {
  return account
}
