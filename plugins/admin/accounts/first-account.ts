import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { ApplicationError, type Host } from '../../../core/index.js'
import type { Account, Accounts } from './accounts.js'
import { linkAddress } from './letters.js'
import { type Roles, superAdminOf } from './roles.js'

/** The data with which the first account is made. */
interface FirstData {
  readonly email: string
  readonly password: string
  readonly firstname?: string | undefined
  readonly lastname?: string | undefined
}

type FirstHost = Pick<Host, 'app' | 'outline' | 'shares'>

/**
 * The first Super Admin is made by a command, or by a link that only the terminal shows: never by the first client. The link is
 * valid as long as this process runs and nothing else has made one, and nothing of it is stored.
 */
export class FirstAccount {
  readonly #host: FirstHost
  readonly #accounts: Accounts
  readonly #roles: Roles
  #hash: Buffer | undefined

  constructor(host: FirstHost, accounts: Accounts, roles: Roles) {
    this.#host = host
    this.#accounts = accounts
    this.#roles = roles
  }

  /** Lines for the person in front of the terminal. */
  async lines(): Promise<readonly string[]> {
    if (await this.#accounts.hasSuperAdmin()) return []
    const none = 'No account yet that may edit everything. Run: stele admin create'
    return this.#hasPage() ? [none, 'or open this link, which is valid once:', '', `  ${this.#newLink()}`] : [none]
  }

  /** Makes the first Super Admin, of two at once only one. */
  take(code: string, data: FirstData): Promise<Account> {
    return this.#accounts.inTurn(async session => {
      const role = superAdminOf(await this.#roles.all(session))
      if (!this.#is(code) || !role || (await this.#accounts.hasSuperAdmin(session)))
        throw new ApplicationError('This link is no longer valid; run: stele admin create')
      return this.#accounts.createIn(session, { ...data, roles: [role.id] })
    })
  }

  /** A page takes the link; where several processes serve, the one that it asks may not know the code. */
  #hasPage(): boolean {
    const { outline, shares } = this.#host
    return shares.processes === 1 && outline.routes.some(({ method, path }) => method === 'GET' && path === '/console')
  }

  #newLink(): string {
    const code = randomBytes(32).toString('base64url')
    this.#hash = hashed(code)
    return linkAddress(this.#host.app, 'first-account', code)
  }

  #is(code: string): boolean {
    return this.#hash !== undefined && timingSafeEqual(this.#hash, hashed(code))
  }
}

const hashed = (code: string): Buffer => createHash('sha256').update(code).digest()
