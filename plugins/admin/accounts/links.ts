import { ApplicationError, type Host, NotFoundError, type Session } from '../../../core/index.js'
import type { Mailer } from '../../users-permissions/index.js'
import type { Account, Accounts, Changer, NewAccount } from './accounts.js'
import { linkAddress, writeLetter } from './letters.js'
import { type Link, type LinkPurpose, makeLink, readLink } from './link-rows.js'

/** A link that was made for an account. It is shown only where no mail can be sent. */
export interface SentLink {
  readonly account: Account
  readonly expires: Date
  /** Undefined where it was sent. */
  readonly address: string | undefined
}

/** The data with which an invited account is taken. */
export interface Taking {
  readonly password: string
  readonly firstname?: string | undefined
  readonly lastname?: string | undefined
}

/** Links by which people choose their passwords: of invited accounts, and of those that have forgotten theirs. */
export class Links {
  readonly #host: Pick<Host, 'entries' | 'app'>
  readonly #accounts: Accounts
  readonly #mailer: Mailer

  constructor(host: Pick<Host, 'entries' | 'app'>, accounts: Accounts, mailer: Mailer) {
    this.#host = host
    this.#accounts = accounts
    this.#mailer = mailer
  }

  /** True if links are sent; otherwise they are shown to who asks for them. */
  get areSent(): boolean {
    return this.#mailer.delivers
  }

  /** Makes an account that waits for its owner to choose a password. An account that still waits gets a new link. */
  async invite(data: Omit<NewAccount, 'password'>, by?: Changer): Promise<SentLink> {
    const made = await this.#accounts.inTurn(async session => {
      const known = await this.#accounts.byEmail(data.email.trim(), session)
      if (known && known.state !== 'invited')
        throw new ApplicationError(`There is an account ${known.email} already, and it is ${known.state}`)
      if (known) by?.assertMayChange?.(known)
      const account = known ?? (await this.#accounts.createIn(session, data, by))
      return this.#make('invitation', account, session)
    })
    return this.#send(made)
  }

  /** Makes a link with which the owner of an active account chooses another password. */
  renewPassword(id: number): Promise<SentLink> {
    return this.#makeFor(id, ['password'])
  }

  /** Makes the link that an account needs: another invitation while it waits for its owner, or one for a new password. */
  renew(id: number, by?: Changer): Promise<SentLink> {
    return this.#makeFor(id, ['invitation', 'password'], by)
  }

  /**
   * The account that a valid link is for, to greet its owner. Invitations of Strapi are valid as long as the account waits: it
   * gives them no end.
   */
  async accountOf(purpose: LinkPurpose, code: string, session?: Session): Promise<Account | undefined> {
    const id = await readLink(this.#host, { purpose, code }, session)
    const account = id === undefined ? undefined : await this.#accounts.byId(id, session)
    if (account) return account.state === stateFor[purpose] ? account : undefined
    return purpose === 'invitation' ? this.#accounts.invitedByStrapi(code, session) : undefined
  }

  /** Sets the password that the owner of a link has chosen; the link is void from then on. */
  take(purpose: LinkPurpose, code: string, { password, ...names }: Taking): Promise<Account> {
    return this.#accounts.inTurn(async session => {
      const account = await this.accountOf(purpose, code, session)
      if (!account) throw new ApplicationError('This link is no longer valid; ask for a new one')
      const given = purpose === 'invitation' ? names : {}
      return this.#accounts.setPasswordIn(session, account, { ...given, password })
    })
  }

  async #makeFor(id: number, purposes: readonly LinkPurpose[], by?: Changer): Promise<SentLink> {
    const made = await this.#accounts.inTurn(async session => {
      const account = await this.#accounts.byId(id, session)
      if (!account) throw new NotFoundError(`There is no account ${id}`)
      by?.assertMayChange?.(account)
      const purpose = purposes.find(one => stateFor[one] === account.state)
      if (!purpose) throw new ApplicationError(`${account.email} is ${account.state}`)
      return this.#make(purpose, account, session)
    })
    return this.#send(made)
  }

  async #make(purpose: LinkPurpose, account: Account, session: Session): Promise<MadeLink> {
    return { purpose, account, link: await makeLink(this.#host, { purpose, account: account.id }, session) }
  }

  async #send({ purpose, account, link }: MadeLink): Promise<SentLink> {
    const { expires } = link
    const address = linkAddress(this.#host.app, purpose, link.code)
    if (!this.areSent) return { account, expires, address }
    await this.#mailer.send(writeLetter(purpose, account, { address, expires }))
    return { account, expires, address: undefined }
  }
}

interface MadeLink {
  readonly purpose: LinkPurpose
  readonly account: Account
  readonly link: Link
}

/** The state of accounts that a link is for. */
const stateFor = { invitation: 'invited', password: 'active' } as const
