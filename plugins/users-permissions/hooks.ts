import {
  ApplicationError,
  type Ask,
  type Call,
  type QueryNode,
  type Row,
  ValidationError,
  type Write,
  type Written,
} from '../../core/index.js'
import { issue } from './bodies.js'
import { permissionUid, roleUid, userUid } from './content-types.js'
import type { UsersPermissions } from './service.js'
import { endSessions } from './stamps.js'

/** The types whose writes matter here. */
export const watched: readonly string[] = [userUid, roleUid, permissionUid]

/** The rules of every account and role, however it is read or written: by a route, a command, another plugin. */
export const hooks = {
  beforeFind: { readsValues: false, run: withoutAccounts } as const,

  async beforeWrite(write: Write, { type, can }: Call, service: UsersPermissions): Promise<Write> {
    // Code that writes past the rules gives accounts what they are to have.
    if (type.uid !== userUid || write.unchecked) return write
    const { email, role, username } = write.data
    if (typeof username === 'string' && unseen.test(username))
      throw ValidationError.of([issue('username', 'must not contain control characters')])
    // Addresses are compared as they are stored: in small letters.
    const data = typeof email === 'string' ? { ...write.data, email: email.toLowerCase() } : write.data
    // An account without a role could do nothing; and who may not see roles cannot choose one.
    const needsRole = write.action === 'create' && (role === undefined || !can('find', roleUid))
    return { ...write, data, ...(needsRole && { set: { ...write.set, role: await service.accounts.defaultRole() } }) }
  },

  async afterWrite(row: Row, call: Written, service: UsersPermissions): Promise<void> {
    const { host, advanced, sessions, tokens } = service
    const { type, action, session, write } = call
    call.afterCommit(() => (type.uid === userUid ? service.callers.drop(row.id) : service.rolesChanged()))
    if (type.uid !== userUid) return
    const isRuled = typeof row.email === 'string' && advanced.unique_email && !write.unchecked
    if (isRuled) await mustBeOnlyOne(row.id, String(row.email), call, service)
    const ends = action === 'delete' || (action === 'update' && ('password' in row || row.blocked === true))
    if (!ends) return
    tokens.ended(row.id, await endSessions(host.entries, row.id, tokens.latest, session))
    await sessions.closeAll(row.id, session)
  },
}

/** Removes the accounts of a role from queries: a caller that may see one account and its role must not see all others by that. */
function withoutAccounts(query: QueryNode, { can, shaped }: Pick<Ask, 'can' | 'shaped'>): QueryNode {
  // A plugin that asks for them by their name shows them to whom all accounts are shown.
  if (query.type.uid !== roleUid || (shaped && can('find', userUid))) return query
  return { ...query, children: query.children.filter(({ link }) => link.name !== 'users') }
}

/** Line breaks begin headers and lines of logs, and signs that turn the direction of writing make one name look like another. */
const unseen = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u

/** The lock for changes of accounts' addresses, so that no two get the same. */
export const addresses = 'addresses'

/** Checked behind a lock: of two accounts that take an address at once, the later one sees the other. */
async function mustBeOnlyOne(id: number, email: string, { session }: Call, { host }: UsersPermissions): Promise<void> {
  await host.shares.lock(session, addresses)
  const others = await host.entries(userUid, session).count({ email: { $eq: email }, id: { $ne: id } })
  if (others > 0) throw new ApplicationError('Email already taken')
}
