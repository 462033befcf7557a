import { type Entry, type Host, NotFoundError, ValidationError } from '../../../core/index.js'
import type { EditorCaller } from '../rights/caller.js'
import { assertMayChangeAccount, assertMayGiveRoles } from '../rights/escalation.js'
import type { KeptRights, StoredRole } from '../rights/kept-rights.js'
import type { Sessions } from '../sessions/sessions.js'
import type { Account, Accounts, AccountWish, Changer, NewAccount } from './accounts.js'
import { invitedUntil } from './link-rows.js'
import type { Links, SentLink } from './links.js'

interface Parts {
  readonly host: Pick<Host, 'entries' | 'types'>
  readonly accounts: Accounts
  readonly links: Links
  readonly rights: KeptRights
  readonly sessions: Pick<Sessions, 'closeAll'>
}

/** Accounts as editors see and change them: none gives what they lack, or takes over an account that may more. */
export class Management {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  async all(): Promise<Entry[]> {
    const { accounts, host } = this.#parts
    const until = await invitedUntil(host)
    return (await accounts.all()).map(account => this.#shown(account, until.get(account.id)))
  }

  async one(id: number): Promise<Entry> {
    const { accounts, host } = this.#parts
    const account = await accounts.byId(id)
    if (!account) throw new NotFoundError()
    return this.#shown(account, (await invitedUntil(host)).get(id))
  }

  async invite(editor: EditorCaller, data: Omit<NewAccount, 'password'>): Promise<Entry> {
    return this.#sent(await this.#parts.links.invite(data, await this.#changer(editor)))
  }

  /** Sends or shows a link for another password, or another invitation. */
  async renew(editor: EditorCaller, id: number): Promise<Entry> {
    return this.#sent(await this.#parts.links.renew(id, await this.#changer(editor)))
  }

  async update(editor: EditorCaller, id: number, wish: AccountWish): Promise<Entry> {
    await this.#parts.accounts.update(id, wish, await this.#changer(editor))
    return this.one(id)
  }

  async delete(editor: EditorCaller, id: number): Promise<void> {
    await this.#parts.accounts.delete(id, await this.#changer(editor))
  }

  /** Ends all sessions of an account. */
  async signOut(editor: EditorCaller, id: number): Promise<void> {
    const { accounts, sessions } = this.#parts
    const account = await accounts.byId(id)
    if (!account) throw new NotFoundError()
    const changer = await this.#changer(editor)
    changer.assertMayChange(account)
    await sessions.closeAll(id)
  }

  /** The editor as of now: another one may have changed roles a moment ago. */
  async #changer(caller: EditorCaller): Promise<Required<Changer>> {
    const { rights, host } = this.#parts
    await rights.refresh()
    const giver = { id: caller.id, rights: rights.of(caller.account.roles) }
    return {
      caller,
      assertMayChange: ({ id: account, roles }, after) =>
        assertMayChangeAccount(
          giver,
          { account, before: this.#held(roles), ...(after && { after: this.#asked(after) }) },
          host.types,
        ),
      assertMayGive: roles => assertMayGiveRoles(giver, this.#asked(roles), host.types),
    }
  }

  #held(ids: readonly number[]): StoredRole[] {
    const { roles } = this.#parts.rights
    return ids.flatMap(id => roles.find(role => role.id === id) ?? [])
  }

  #asked(ids: readonly number[]): StoredRole[] {
    const { roles } = this.#parts.rights
    return ids.map(id => {
      const role = roles.find(role => role.id === id)
      if (role) return role
      const message = `roles: there is no role ${id}`
      throw ValidationError.of([{ path: ['roles'], message, name: 'ValidationError' }])
    })
  }

  #sent({ account, expires, address }: SentLink): Entry {
    const invited = account.state === 'invited' ? expires : undefined
    return { account: this.#shown(account, invited), expires: expires.toISOString(), address: address ?? null }
  }

  #shown({ isActive: _, blocked: __, roles, ...account }: Account, until: Date | undefined): Entry {
    const invitedUntil = account.state === 'invited' ? (until?.toISOString() ?? null) : null
    return { ...account, roles: this.#held(roles).map(({ id, code, name }) => ({ id, code, name })), invitedUntil }
  }
}
