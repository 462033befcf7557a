import { BootError, type Command, type CommandCall } from '../../../core/index.js'
import { knowing } from '../../../core/plugin-kit.js'
import { refusable } from '../../users-permissions/index.js'
import { type DeclaredEditors, readEditors } from '../rights/declared.js'
import { applyEditors, type Change, lineOf, planEditors } from '../rights/plan.js'
import type { Admin } from '../service.js'

/** The roles of editors that `config/permissions` declares. */
export const roleCommands: readonly Command<Admin>[] = [
  {
    name: 'admin roles plan',
    describe: 'show what applying the editors of config/permissions would change, and change nothing',
    run: async (call, admin) => report(call, await planEditors(admin.host, await declaredIn(admin))),
  },
  {
    name: 'admin roles apply',
    describe: 'bring the editors of config/permissions into the database',
    run: async (call, admin) => report(call, await refusable(applyEditors(admin.host, await declaredIn(admin)))),
  },
]

async function declaredIn({ host }: Admin): Promise<readonly DeclaredEditors[]> {
  const { permissions } = host.app
  const { types, plugins } = host.outline
  const declared = await knowing(host, actions => readEditors(permissions, { types, plugins, actions }))
  if (declared.length === 0) throw new BootError('config/permissions declares no editors')
  return declared
}

function report({ print, table, json }: CommandCall, changes: readonly Change[]): void {
  if (json) table(changes.map(({ role, does, what }) => ({ role, does, what })))
  else if (changes.length === 0) print('the roles are as config/permissions declares them')
  else for (const change of changes) print(lineOf(change))
}
