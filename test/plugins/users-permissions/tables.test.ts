import assert from 'node:assert/strict'
import { it } from 'vitest'
import { contract } from '../../support/contract.js'
import { passTime } from '../../support/time.js'
import { asUser, login, outside, roleUid, userUid, world } from './people.js'

const columns = {
  up_users: [
    ...['id', 'username', 'email', 'provider', 'password', 'reset_password_token', 'confirmation_token', 'confirmed'],
    ...['blocked', 'created_at', 'updated_at', 'created_by_id', 'updated_by_id'],
  ],
  up_roles: ['id', 'name', 'description', 'type', 'created_at', 'updated_at', 'created_by_id', 'updated_by_id'],
  up_permissions: ['id', 'action', 'created_at', 'updated_at', 'created_by_id', 'updated_by_id'],
  up_users_role_links: ['id', 'user_id', 'role_id', 'user_order'],
  up_permissions_role_links: ['id', 'permission_id', 'role_id', 'permission_order'],
}

for (const dialect of ['spec', 'strapi4'] as const)
  contract(
    `the tables of accounts in the dialect ${dialect}`,
    world({ accounts: { alice: {} }, rest: { dialect } }),
    api => {
      for (const [table, expected] of Object.entries(columns))
        it(`${table} has the columns of Strapi 4 and no others`, async () => {
          const rows = await outside(api.app, `select * from ${table}`)
          assert.deepEqual(Object.keys(rows[0] ?? {}).sort(), [...expected].sort())
        })

      it('link an account to its role, and a permission to its', async () => {
        const [link] = await outside(api.app, 'select user_id, role_id, user_order from up_users_role_links')
        assert.deepEqual(Object.values(link ?? {}).map(Number), [1, 1, 1])
        const links = await outside(
          api.app,
          `select p.action, r.type, l.permission_order from up_permissions p
           join up_permissions_role_links l on l.permission_id = p.id join up_roles r on r.id = l.role_id
           where r.type = 'authenticated' order by l.permission_order`,
        )
        assert.deepEqual(
          links.map(({ action, type, permission_order }) => [action, type, Number(permission_order)]),
          [
            ['plugin::users-permissions.user.me', 'authenticated', 1],
            ['plugin::users-permissions.auth.changePassword', 'authenticated', 2],
          ],
        )
      })

      it('a role, a grant and an account that Strapi 4 writes are known here', async () => {
        const hash = '$2a$10$NRc6hRIOuMh7LvxyeaOLqu5bojZBLxiZrOtjPltnRzdu4cHpcTMFK'
        const yes = api.engine.name === 'postgres' ? 'true' : '1'
        for (const sql of [
          `insert into up_roles (name, description, type) values ('Writer', 'w', 'writer')`,
          `insert into up_permissions (action) values ('${userUid}.me')`,
          `insert into up_users (username, email, provider, password, confirmed) values ('former', 'former@example.test', 'local', '${hash}', ${yes})`,
          `insert into up_permissions_role_links (permission_id, role_id, permission_order)
           select p.id, r.id, 1 from up_roles r, up_permissions p where r.type = 'writer' and p.id = (select max(id) from up_permissions)`,
          `insert into up_users_role_links (user_id, role_id, user_order)
           select u.id, r.id, 1 from up_roles r, up_users u where r.type = 'writer' and u.username = 'former'`,
        ])
          await outside(api.app, sql)
        const { status, body } = await login(api, 'former', 'alice-pass-1')
        assert.equal(status, 200)
        const found = await api.app
          .entries(userUid)
          .first({ where: { username: { $eq: 'former' } }, populate: { role: true } })
        assert.equal((found?.role as { type: string } | undefined)?.type, 'writer')
        assert.equal(await api.app.entries(roleUid).count({ type: { $eq: 'writer' } }), 1)
        assert.equal(body.user.blocked, null)
        await passTime(1000)
        assert.equal((await api.get('/users/me', asUser(body.user.id))).body.username, 'former')
      })
    },
  )
