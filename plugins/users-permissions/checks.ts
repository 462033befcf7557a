import { type Check, change, rowsOf } from '../../core/index.js'
import { weaknessOfAsked } from '../../core/plugin-kit.js'
import { permissionUid, roleUid, userUid } from './content-types.js'
import { secret, type UsersPermissions } from './service.js'

export const checks: readonly Check<UsersPermissions>[] = [
  {
    name: 'secret',
    describe: 'tokens are signed with a secret that cannot be guessed',
    run({ host: { config } }, report) {
      const weakness = weaknessOfAsked({ configured: config.jwtSecret, variable: secret.variable })
      if (weakness !== undefined)
        report({
          severity: 'error',
          says: `the secret that tokens are signed with ${weakness}: a client that guesses it can sign in as any account`,
          advice: `set ${secret.variable}, or ${secret.setting}, to a long random text; ${secret.changing} then`,
        })
    },
  },
  {
    name: 'permissions',
    describe: 'roles are granted what there is',
    async run({ host }, report) {
      const permissions = await linked(host, permissionUid)
      const known = new Set(
        [...host.actions, ...(await host.dormantActions())].map(({ uid, action }) => `${uid}.${action}`),
      )
      const unknown = permissions.filter(({ name, role }) => role !== undefined && !known.has(name))
      if (unknown.length > 0)
        report({
          severity: 'warning',
          says: `permissions that name actions which there are not: ${unknown.length}`,
          examples: unknown.map(({ name, role }) => `${name} of role ${role}`),
          advice:
            'they permit nothing; `stele role revoke` takes them away, unless a type or plugin will bring the actions back',
        })
      const nobodys = permissions.filter(({ role }) => role === undefined).map(({ id }) => id)
      if (nobodys.length > 0)
        report({
          severity: 'note',
          says: `permissions that belong to no role: ${nobodys.length}`,
          examples: nobodys.map(id => `id ${id}`),
          advice: 'they permit nothing',
          fix: { does: 'deletes them', run: () => remove(host, permissionUid, nobodys) },
        })
    },
  },
  {
    name: 'roles',
    describe: 'every account has a role, and the roles that are needed are there',
    async run({ host, advanced }, report) {
      const roles = new Set((await host.entries(roleUid).find({ fields: ['type'] })).map(({ type }) => String(type)))
      const missing = [...new Set(['public', 'authenticated', advanced.default_role])].filter(type => !roles.has(type))
      if (missing.length > 0)
        report({
          severity: 'error',
          says: `there is no role of the type ${missing.join(', ')}`,
          advice:
            'visitors have the role public, new accounts the one that default_role names; `stele role create` makes one',
        })
      const without = (await linked(host, userUid)).filter(({ role }) => role === undefined)
      if (without.length > 0)
        report({
          severity: 'warning',
          says: `accounts without a role, which may do nothing: ${without.length}`,
          examples: without.map(({ id, name }) => `id ${id} ${name}`),
          advice: '`stele user role <account> <role>` gives them one',
        })
    },
  },
]

type CheckHost = Pick<UsersPermissions['host'], 'store' | 'types'>

interface AccountRow {
  readonly id: number
  readonly name: string
  readonly role: number | undefined
}

/** Accounts or permissions, with the id of their role where they have one that is there. */
async function linked({ store, types }: CheckHost, uid: typeof permissionUid | typeof userUid): Promise<AccountRow[]> {
  const name = types.get(uid).fields.get(uid === userUid ? 'username' : 'action')?.column
  const all = store.model(uid).query().alias('entry').leftJoinRelated('role')
  const query = all.select('entry.id', `entry.${name}`, 'role.id as role').orderBy('entry.id').toKnexQuery()
  const rows = await rowsOf(store.reader, query)
  return rows.map(([id, name, role]) => ({
    ...{ id: Number(id), name: String(name) },
    role: role === null ? undefined : Number(role),
  }))
}

async function remove({ store, types }: CheckHost, uid: string, ids: readonly number[]): Promise<void> {
  for (const id of ids)
    await store.transaction(session => change(session, store.knex(types.get(uid).table).where({ id }).delete()))
}
