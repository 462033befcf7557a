import { randomBytes } from 'node:crypto'
import { BootError, type Command, type CommandCall } from '../../../core/index.js'
import { refusable, tell } from '../../users-permissions/index.js'
import type { Account } from '../accounts/accounts.js'
import { invitedUntil } from '../accounts/link-rows.js'
import { type Role, superAdminOf } from '../accounts/roles.js'
import type { Admin } from '../service.js'

const account = { name: 'account', describe: 'its e-mail address or its id', required: true } as const
const email = { name: 'email', describe: 'the e-mail address; a terminal asks for it' } as const
const password = {
  flags: '--password <text>',
  describe: 'the password; without it, a terminal asks for it, or one is made and printed once',
  isSecret: true,
}
const role = {
  flags: '--role <roles>',
  describe: 'its roles by name, separated by commas; the first account is a Super Admin',
}
const names = [
  { flags: '--firstname <name>', describe: 'the first name' },
  { flags: '--lastname <name>', describe: 'the last name' },
] as const

/** Accounts of editors, for people who may run commands. */
export const accountCommands: readonly Command<Admin>[] = [
  {
    name: 'admin create',
    describe: 'make the account of an editor',
    arguments: [email],
    options: [password, role, ...names],
    run: create,
  },
  {
    name: 'admin invite',
    describe: 'make an account whose owner chooses the password; again, for another link',
    arguments: [email],
    options: [role, ...names],
    run: invite,
  },
  { name: 'admin list', describe: 'list the accounts of editors', run: list },
  {
    name: 'admin password',
    describe: 'give an account a new password: its sessions end',
    arguments: [account],
    options: [password, { flags: '--link', describe: 'let its owner choose one, by a link' }],
    run: setPassword,
  },
  {
    name: 'admin role',
    describe: 'give an account other roles: they count at once',
    arguments: [account, { name: 'roles', describe: 'all of its roles, by name', required: true, many: true }],
    run: setRoles,
  },
  {
    name: 'admin block',
    describe: 'block an account: its sessions end',
    arguments: [account],
    run: change((admin, id) => admin.accounts.update(id, { blocked: true })),
  },
  {
    name: 'admin unblock',
    describe: 'let an account sign in again',
    arguments: [account],
    run: change((admin, id) => admin.accounts.update(id, { blocked: false })),
  },
]

async function create(call: CommandCall, admin: Admin) {
  const { options } = call
  const roles = await refusable(rolesFor(options.role, admin))
  const written = await emailOf(call)
  const { password, shown, told } = await passwordOf(call)
  const data = { email: written, password, roles: roles.map(({ id }) => id), ...namesOf(options) }
  const { id, email } = await refusable(admin.accounts.create(data))
  const names = roles.map(({ name }) => name)
  tell(call, { id, email, roles: names, ...shown }, `made the account ${email}, ${names.join(', ')}${told}`)
}

async function invite(call: CommandCall, admin: Admin) {
  const { options } = call
  const written = await emailOf(call)
  const waits = (await admin.accounts.byEmail(written.trim()))?.state === 'invited'
  const roles = waits ? [] : await refusable(rolesFor(options.role, admin))
  const data = { email: written, roles: roles.map(({ id }) => id), ...namesOf(options) }
  const { account, address, expires } = await refusable(admin.links.invite(data))
  const until = expires.toISOString()
  const link = address === undefined ? 'the link was sent' : `the link, valid once until ${until}:\n${address}`
  tell(call, { id: account.id, email: account.email, expires: until, address }, `invited ${account.email}; ${link}`)
}

async function list({ table, json }: CommandCall, { accounts, roles, host }: Admin) {
  const names = new Map((await roles.all()).map(({ id, name }) => [id, name]))
  const until = await invitedUntil(host)
  const rows = (await accounts.all()).map(({ id, email, firstname, lastname, state, ...account }) => {
    const held = account.roles.flatMap(role => names.get(role) ?? [])
    const name = [firstname, lastname].filter(Boolean).join(' ')
    const end = state === 'invited' ? until.get(id)?.toISOString() : undefined
    return { id, email, name, roles: json ? held : held.join(', '), state, 'invited until': end ?? null }
  })
  table(rows)
}

async function setPassword(call: CommandCall, admin: Admin) {
  const { id, email } = await accountNamed(admin, call.args[0])
  if (call.options.link === true) {
    const { address, expires } = await refusable(admin.links.renewPassword(id))
    const until = expires.toISOString()
    const link = address === undefined ? 'the link was sent' : `the link, valid once until ${until}:\n${address}`
    return tell(call, { id, email, expires: until, address }, `${email} may choose a new password; ${link}`)
  }
  const { password, shown, told } = await passwordOf(call)
  await refusable(admin.accounts.setPassword(id, password))
  tell(call, { id, email, ...shown }, `${email} has a new password${told}`)
}

async function setRoles(call: CommandCall, admin: Admin) {
  const [name, ...words] = call.args
  const { id, email } = await accountNamed(admin, name)
  const roles = await refusable(admin.roles.named(words))
  await refusable(admin.accounts.update(id, { roles: roles.map(role => role.id) }))
  const names = roles.map(role => role.name)
  tell(call, { id, email, roles: names }, `${email} has the roles ${names.join(', ')}`)
}

function change(work: (admin: Admin, id: number) => Promise<Account>) {
  return async (call: CommandCall, admin: Admin) => {
    const { id } = await accountNamed(admin, call.args[0])
    const { email, state } = await refusable(work(admin, id))
    tell(call, { id, email, state }, `${email} is ${state}`)
  }
}

/** The roles that an option names. The first account has to be able to make all others. */
async function rolesFor(asked: unknown, { accounts, roles }: Admin): Promise<readonly Role[]> {
  if (typeof asked === 'string') return roles.named(asked.split(',').map(word => word.trim()))
  const all = await roles.all()
  const superAdmin = superAdminOf(all)
  if (superAdmin && !(await accounts.hasSuperAdmin())) return [superAdmin]
  throw new BootError(`the account needs a role: --role takes ${all.map(({ name }) => `"${name}"`).join(', ')}`, {
    kind: 'usage',
  })
}

async function accountNamed({ accounts }: Admin, name = ''): Promise<Account> {
  const found =
    (await accounts.byEmail(name)) ?? (/^\d{1,9}$/.test(name) ? await accounts.byId(Number(name)) : undefined)
  if (!found) throw new BootError(`there is no account "${name}"; \`stele admin list\` shows them`)
  return found
}

async function emailOf({ args: [email], ask }: CommandCall): Promise<string> {
  const given = email ?? (await ask?.('E-mail: '))
  if (given === undefined) throw new BootError('the e-mail address is missing: it is the argument', { kind: 'usage' })
  return given
}

/** The given password, or a generated one, which has to be printed. */
async function passwordOf({ options, ask }: CommandCall) {
  const given = options.password ?? (await ask?.('Password, or nothing to have one made: ', { hidden: true }))
  if (typeof given === 'string' && given !== '') return { password: given, shown: {}, told: '' }
  const password = randomBytes(15).toString('base64url')
  return { password, shown: { password }, told: `; its password is ${password}` }
}

const namesOf = ({ firstname, lastname }: CommandCall['options']) => ({
  firstname: textOf(firstname),
  lastname: textOf(lastname),
})

const textOf = (option: unknown): string | undefined => (typeof option === 'string' ? option : undefined)
