import { BootError, type Command, type CommandCall, type Entry, type Host } from '../../../core/index.js'
import { nearest } from '../../../core/plugin-kit.js'
import { roleUid, userUid } from '../content-types.js'
import { createRole, deleteRole, grantsIn, lockRole, setGrants, typeOfName } from '../roles.js'
import type { UsersPermissions } from '../service.js'
import { refusable, report, tell } from './answers.js'

const role = { name: 'role', describe: 'the type of the role', required: true } as const
const actions = {
  name: 'action',
  describe: 'such as api::article.article.find',
  required: true,
  many: true,
} as const

export const roleCommands: readonly Command<UsersPermissions>[] = [
  { name: 'role list', describe: 'list the roles', run: list },
  { name: 'role show', describe: 'list what a role may do', arguments: [role], run: show },
  {
    name: 'role create',
    describe: 'make a role that may do nothing yet',
    arguments: [{ name: 'name', describe: 'what it is called', required: true }],
    options: [
      { flags: '--type <type>', describe: 'the word that settings know it by; made of the name otherwise' },
      { flags: '--description <text>', describe: 'what it is for' },
    ],
    run: create,
  },
  { name: 'role delete', describe: 'delete a role: its accounts become public', arguments: [role], run: destroy },
  { name: 'role grant', describe: 'let a role do something', arguments: [role, actions], run: give },
  { name: 'role revoke', describe: 'no longer let a role do something', arguments: [role, actions], run: take },
]

async function list({ table }: CommandCall, { host }: UsersPermissions) {
  const roles = await host.entries(roleUid).find({ sort: 'id' })
  const rows = roles.map(async ({ id, type, name, description }) => {
    const users = await host.entries(userUid).count({ role: { id: { $eq: id } } })
    const granted = new Set((await grantsIn(host, Number(id))).map(({ action }) => action))
    return { id, type, name, description, users, actions: granted.size }
  })
  table(await Promise.all(rows))
}

async function show({ args: [type = ''], table }: CommandCall, { host, declared }: UsersPermissions) {
  const { id } = await roleOfType(host, type)
  const granted = new Set((await grantsIn(host, Number(id))).map(({ action }) => action))
  const details = declared.roles.get(type)?.details
  table([...granted].sort().map(action => ({ action, rows: details?.get(action)?.where ? 'by rule' : 'all' })))
}

async function create(call: CommandCall, service: UsersPermissions) {
  const [name = ''] = call.args
  const type = String(call.options.type ?? typeOfName(name))
  const description = call.options.description as string | undefined
  const role = { type, name, description, actions: [] }
  const { id } = await refusable(service.host.store.transaction(session => createRole(service.host, role, session)))
  tell(call, { id, type, name }, `made the role ${type}`)
}

async function destroy(call: CommandCall, service: UsersPermissions) {
  const { host } = service
  const [gone, heir] = await Promise.all([roleOfType(host, call.args[0]), roleOfType(host, 'public')])
  if (gone.id === heir.id) throw new BootError('the role public belongs to every request without an account and stays')
  await service.host.store.transaction(session => deleteRole(host, Number(gone.id), Number(heir.id), session))
  tell(call, { id: gone.id, type: gone.type }, `deleted the role ${gone.type}`)
}

async function give(call: CommandCall, service: UsersPermissions) {
  const { host } = service
  const [type, ...wanted] = call.args
  const known = new Set(host.actions.map(({ uid, action }) => `${uid}.${action}`))
  const unknown = wanted.find(action => !known.has(action))
  if (unknown !== undefined) {
    const meant = meantAction(unknown, [...known])
    const hint =
      meant === undefined ? '`stele permissions list` shows those that there are' : `did you mean "${meant}"?`
    throw new BootError(`there is no action "${unknown}"; ${hint}`)
  }
  await changeGrants(call, service, has => new Set([...has, ...wanted]))
  report(
    call,
    wanted.map(what => ({ role: String(type), does: 'grant', what })),
  )
}

/** The action that a misspelt name most likely meant; people leave out the beginning of `api::article.article.find`. */
function meantAction(name: string, known: readonly string[]): string | undefined {
  const endOf = (action: string) => action.split('.').slice(-2).join('.')
  const meant = nearest(name, known) ?? nearest(endOf(name), known.map(endOf))
  return known.find(action => action === meant) ?? known.find(action => endOf(action) === meant)
}

async function take(call: CommandCall, service: UsersPermissions) {
  const [type, ...unwanted] = call.args
  await changeGrants(call, service, has => {
    const missing = unwanted.find(action => !has.has(action))
    if (missing !== undefined) throw new BootError(`the role ${type} is not granted "${missing}"`)
    return new Set([...has].filter(action => !unwanted.includes(action)))
  })
  report(
    call,
    unwanted.map(what => ({ role: String(type), does: 'revoke', what })),
  )
}

async function changeGrants(
  { args: [type] }: CommandCall,
  service: UsersPermissions,
  changed: (has: ReadonlySet<string>) => ReadonlySet<string>,
): Promise<void> {
  const { host } = service
  const id = Number((await roleOfType(host, type)).id)
  await service.host.store.transaction(async session => {
    await lockRole(host, id, session)
    const has = new Set((await grantsIn(host, id, session)).map(({ action }) => action))
    await setGrants(host, id, { wanted: changed(has) }, session)
  })
}

export async function roleOfType({ entries }: Pick<Host, 'entries'>, type = ''): Promise<Entry> {
  const roles = await entries(roleUid).find({ sort: 'id' })
  const role = roles.find(one => one.type === type)
  if (!role) throw new BootError(`there is no role "${type}"; there are ${roles.map(one => one.type).join(', ')}`)
  return role
}
