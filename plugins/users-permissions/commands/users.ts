import { randomBytes } from 'node:crypto'
import { BootError, type Command, type CommandCall, type Entry, type Host } from '../../../core/index.js'
import { userUid } from '../content-types.js'
import type { UsersPermissions } from '../service.js'
import { refusable, tell } from './answers.js'
import { roleOfType } from './roles.js'

const account = { name: 'account', describe: 'its user name, its e-mail address or its id', required: true } as const
const password = {
  flags: '--password <text>',
  describe: 'the password; without it one is made and printed once',
  isSecret: true,
}

export const userCommands: readonly Command<UsersPermissions>[] = [
  {
    name: 'user create',
    describe: 'make an account',
    arguments: [
      { name: 'username', describe: 'the name to sign in with', required: true },
      { name: 'email', describe: 'its e-mail address', required: true },
    ],
    options: [{ flags: '--role <type>', describe: 'the type of its role; the default role otherwise' }, password],
    run: create,
  },
  { name: 'user list', describe: 'list the accounts', run: list },
  {
    name: 'user block',
    describe: 'block an account: its sessions end',
    arguments: [account],
    run: change({ blocked: true }),
  },
  {
    name: 'user unblock',
    describe: 'let an account sign in again',
    arguments: [account],
    run: change({ blocked: false }),
  },
  {
    name: 'user password',
    describe: 'give an account a new password: its sessions end',
    arguments: [account],
    options: [password],
    run: setPassword,
  },
  {
    name: 'user role',
    describe: 'give an account another role',
    arguments: [account, { name: 'role', describe: 'the type of the role', required: true }],
    run: setRole,
  },
]

async function create(call: CommandCall, { host, advanced }: UsersPermissions) {
  const {
    args: [username, email],
    options,
  } = call
  const type = String(options.role ?? advanced.default_role)
  const role = await roleOfType(host, type)
  const { password, shown, told } = passwordOf(options)
  const data = { username, email, password, provider: 'local', role: Number(role.id), confirmed: true }
  const { id } = await refusable(host.entries(userUid).create(data))
  tell(call, { id, username, email, role: type, ...shown }, `made the account ${username} with the role ${type}${told}`)
}

async function list({ table }: CommandCall, { host }: UsersPermissions) {
  const users = await host.entries(userUid).find({ sort: 'id', populate: { role: { fields: ['type'] } } })
  table(
    users.map(({ id, username, email, provider, confirmed, blocked, role }) => {
      return { id, username, email, role: (role as Entry | null)?.type ?? null, provider, confirmed, blocked }
    }),
  )
}

function change(data: { readonly blocked: boolean }) {
  return async (call: CommandCall, { host }: UsersPermissions) => {
    const { id, username } = await accountNamed(host, call.args[0])
    await refusable(host.entries(userUid).update(Number(id), data))
    tell(call, { id, username, ...data }, `${username} is ${data.blocked ? 'blocked' : 'not blocked'}`)
  }
}

async function setPassword(call: CommandCall, { host }: UsersPermissions) {
  const { id, username } = await accountNamed(host, call.args[0])
  const { password, shown, told } = passwordOf(call.options)
  await refusable(host.entries(userUid).update(Number(id), { password }))
  tell(call, { id, username, ...shown }, `${username} has a new password${told}`)
}

async function setRole(call: CommandCall, { host }: UsersPermissions) {
  const [name, type = ''] = call.args
  const [{ id, username }, role] = await Promise.all([accountNamed(host, name), roleOfType(host, type)])
  await refusable(host.entries(userUid).update(Number(id), { role: Number(role.id) }))
  tell(call, { id, username, role: type }, `${username} has the role ${type}`)
}

/** The given password, or a generated one, which has to be printed. */
function passwordOf({ password: given }: CommandCall['options']) {
  if (typeof given === 'string') return { password: given, shown: {}, told: '' }
  const password = randomBytes(15).toString('base64url')
  return { password, shown: { password }, told: `; its password is ${password}` }
}

async function accountNamed({ entries }: Pick<Host, 'entries'>, name = ''): Promise<Entry> {
  const id = /^\d{1,9}$/.test(name) ? [{ id: { $eq: Number(name) } }] : []
  const where = { $or: [{ username: { $eq: name } }, { email: { $eq: name.toLowerCase() } }, ...id] }
  const found = await entries(userUid).find({ where, sort: 'id' })
  // A name may look like an id: the account with that name is meant first.
  const user = found.find(({ username }) => username === name) ?? found[0]
  if (!user) throw new BootError(`there is no account "${name}"; \`stele user list\` shows them`)
  return user
}
