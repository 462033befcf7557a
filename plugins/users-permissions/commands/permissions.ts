import { BootError, type Command } from '../../../core/index.js'
import { applyChanges, planChanges } from '../permissions/plan.js'
import type { UsersPermissions } from '../service.js'
import { report } from './answers.js'

export const permissionCommands: readonly Command<UsersPermissions>[] = [
  {
    name: 'permissions list',
    describe: 'list all actions that a role can be granted',
    run: ({ table }, { host }) => table(host.actions.map(({ uid, action }) => ({ action: `${uid}.${action}` }))),
  },
  {
    name: 'permissions plan',
    describe: 'show what applying config/permissions would change, and change nothing',
    run: async (call, { host, declared }) => report(call, await planChanges(host, mustDeclare(declared))),
  },
  {
    name: 'permissions apply',
    describe: 'bring the roles of config/permissions into the database',
    run: async (call, { host, declared }) => report(call, await applyChanges(host, mustDeclare(declared))),
  },
]

function mustDeclare(declared: UsersPermissions['declared']): UsersPermissions['declared'] {
  if (declared.roles.size === 0) throw new BootError('config/permissions declares no roles')
  return declared
}
