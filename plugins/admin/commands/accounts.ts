import { randomBytes } from 'node:crypto'
import { BootError, type Command, type CommandCall } from '../../../core/index.js'
import { type Role, superAdminOf } from '../accounts/roles.js'
import type { Admin } from '../service.js'
import { refusable, tell } from './telling.js'

const password = {
  flags: '--password <text>',
  describe: 'the password; without it one is made and printed once',
  isSecret: true,
}

/** Accounts of editors, for people who may run commands. */
export const accountCommands: readonly Command<Admin>[] = [
  {
    name: 'admin create',
    describe: 'make the account of an editor',
    arguments: [{ name: 'email', describe: 'its e-mail address', required: true }],
    options: [
      password,
      {
        flags: '--role <roles>',
        describe: 'its roles by name, separated by commas; the first account is a Super Admin',
      },
      { flags: '--firstname <name>', describe: 'the first name' },
      { flags: '--lastname <name>', describe: 'the last name' },
    ],
    run: create,
  },
  { name: 'admin list', describe: 'list the accounts of editors', run: list },
]

async function create(call: CommandCall, admin: Admin) {
  const { args, options } = call
  const [written = ''] = args
  const roles = await refusable(rolesFor(options.role, admin))
  const { password, shown, told } = passwordOf(options)
  const made = admin.accounts.create({
    email: written,
    password,
    roles: roles.map(({ id }) => id),
    firstname: textOf(options.firstname),
    lastname: textOf(options.lastname),
  })
  const { id, email } = await refusable(made)
  const names = roles.map(({ name }) => name)
  tell(call, { id, email, roles: names, ...shown }, `made the account ${email}, ${names.join(', ')}${told}`)
}

async function list({ table, json }: CommandCall, { accounts, roles }: Admin) {
  const names = new Map((await roles.all()).map(({ id, name }) => [id, name]))
  const rows = (await accounts.all()).map(({ id, email, firstname, lastname, isActive, blocked, ...account }) => {
    const held = account.roles.flatMap(role => names.get(role) ?? [])
    const name = [firstname, lastname].filter(Boolean).join(' ')
    return { id, email, name, roles: json ? held : held.join(', '), active: isActive, blocked }
  })
  table(rows)
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

/** The given password, or a generated one, which has to be printed. */
function passwordOf({ password: given }: CommandCall['options']) {
  if (typeof given === 'string') return { password: given, shown: {}, told: '' }
  const password = randomBytes(15).toString('base64url')
  return { password, shown: { password }, told: `; its password is ${password}` }
}

const textOf = (option: unknown): string | undefined => (typeof option === 'string' ? option : undefined)
