import { type Entry, type Host, NotFoundError, ValidationError } from '../../../core/index.js'
import type { EditorCaller } from '../rights/caller.js'
import { assertMayChangeAccount, assertMayGiveRoles, type Giver, mayGiveRole } from '../rights/escalation.js'
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
  readonly sessions: Pick<Sessions, 'closeAll' | 'lastSignIns'>
}

/** Accounts as editors see and change them: none gives what they lack, or takes over an account that may more. */
export class Management {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** All accounts, and the roles with a word about whether the editor may give them. */
  async all(editor: EditorCaller) {
    const { accounts, rights, links } = this.#parts
    const facts = await this.#facts(editor)
    const roles = rights.roles.map(({ id, code, name }) => ({ id, code, name, mayGive: facts.given.has(id) }))
    return { accounts: (await accounts.all()).map(one => this.#shown(one, facts)), roles, linksAreSent: links.areSent }
  }

  async one(editor: EditorCaller, id: number): Promise<Entry> {
    const account = await this.#parts.accounts.byId(id)
    if (!account) throw new NotFoundError()
    return this.#shown(account, await this.#facts(editor))
  }

  async invite(editor: EditorCaller, data: Omit<NewAccount, 'password'>): Promise<Entry> {
    return this.#sent(editor, await this.#parts.links.invite(data, await this.#changer(editor)))
  }

  /** Sends or shows a link for another password, or another invitation. */
  async renew(editor: EditorCaller, id: number): Promise<Entry> {
    return this.#sent(editor, await this.#parts.links.renew(id, await this.#changer(editor)))
  }

  async update(editor: EditorCaller, id: number, wish: AccountWish): Promise<Entry> {
    await this.#parts.accounts.update(id, wish, await this.#changer(editor))
    return this.one(editor, id)
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
  async #giver({ id, account }: EditorCaller): Promise<Giver> {
    const { rights } = this.#parts
    await rights.refresh()
    return { id, rights: rights.of(account.roles) }
  }

  async #changer(caller: EditorCaller): Promise<Required<Changer>> {
    const { host } = this.#parts
    const giver = await this.#giver(caller)
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

  async #facts(editor: EditorCaller): Promise<Facts> {
    const { accounts, host, rights, sessions } = this.#parts
    const giver = await this.#giver(editor)
    const [until, signIns, last] = await Promise.all([
      invitedUntil(host),
      sessions.lastSignIns(),
      accounts.lastSuperAdmin(),
    ])
    const given = rights.roles.filter(role => mayGiveRole(giver, role, host.types)).map(({ id }) => id)
    return { editor: editor.id, until, signIns, last, given: new Set(given) }
  }

  async #sent(editor: EditorCaller, { account, expires, address }: SentLink): Promise<Entry> {
    return { account: await this.one(editor, account.id), expires: expires.toISOString(), address: address ?? null }
  }

  #shown({ isActive: _, blocked: __, roles, ...account }: Account, facts: Facts): Entry {
    const { id, state } = account
    const held = this.#held(roles)
    return {
      ...account,
      roles: held.map(({ id, code, name }) => ({ id, code, name })),
      invitedUntil: state === 'invited' ? textOf(facts.until.get(id)) : null,
      lastSignIn: textOf(facts.signIns.get(id)),
      isLast: id === facts.last,
      mayChange: id === facts.editor || held.every(role => facts.given.has(role.id)),
    }
  }
}

/** The facts about accounts that their rows do not have. */
interface Facts {
  readonly editor: number
  readonly until: ReadonlyMap<number, Date>
  readonly signIns: ReadonlyMap<number, Date>
  /** The last active Super Admin. */
  readonly last: number | undefined
  /** The roles that the editor may give. */
  readonly given: ReadonlySet<number>
}

const textOf = (time: Date | undefined): string | null => time?.toISOString() ?? null
