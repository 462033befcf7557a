import assert from 'node:assert/strict'
import { it } from 'vitest'
import { definePlugin } from '../../../../core/index.js'
import { admin } from '../../../../plugins/admin/index.js'
import type { Admin } from '../../../../plugins/admin/service.js'
import { contract, type World } from '../../../support/contract.js'
import { run } from '../../../support/run.js'
import { article, makeEditor, makeRole, may, newsroom } from './newsroom.js'

const held: { admin?: Admin } = {}

/** Hands the service out. */
const holding = definePlugin({
  name: 'holding',
  uses: [admin],
  register: host => {
    held.admin = host.service(admin)
    return {}
  },
})

const world = {
  ...newsroom,
  plugins: [...newsroom.plugins, holding],
  rows: async () => undefined,
} as const satisfies World

contract('permissions of roles are kept in memory', world, api => {
  const asked = async (id: number) =>
    (await api.get('/articles?publicationState=preview', { 'x-editor': String(id) })).status

  it('and apply at once where they are changed by the server', async () => {
    const role = await makeRole(api.app, 'changing', [])
    const editor = await makeEditor(api.app, 'changing', [role])
    assert.equal(await asked(editor), 403)
    const { id } = await api.app.entries('admin::permission').create({ ...may('read', article), role })
    assert.equal(await asked(editor), 200)
    await api.app.entries('admin::permission').update(Number(id), { subject: 'api::tag.tag' })
    assert.equal(await asked(editor), 403)
    await api.app.entries('admin::permission').update(Number(id), { subject: article })
    assert.equal(await asked(editor), 200)
    await api.app.entries('admin::permission').delete(Number(id))
    assert.equal(await asked(editor), 403)
  })

  it('and are read again for what others have written', async () => {
    const role = await makeRole(api.app, 'foreign', [may('read', article)])
    const editor = await makeEditor(api.app, 'foreign', [role])
    assert.equal(await asked(editor), 200)
    const scope = () => held.admin?.rights.of([role]).scope
    const before = scope()
    await run(api.database, `update admin_permissions set subject = 'api::tag.tag' where subject = '${article}'`)
    await held.admin?.refresh()
    assert.notEqual(scope(), before)
    assert.equal(await asked(editor), 403)
  })

  it('of roles that have not changed are the same', async () => {
    const before = held.admin?.rights.of([1])
    await held.admin?.refresh()
    assert.equal(held.admin?.rights.of([1]), before)
  })

  it('and so are those of roles that have again what they had', async () => {
    const role = await makeRole(api.app, 'to and fro', [may('read', article)])
    const rights = () => held.admin?.rights.of([role])
    const before = rights()
    const { id } = await api.app.entries('admin::permission').create({ ...may('read', 'api::tag.tag'), role })
    assert.notEqual(rights(), before)
    await api.app.entries('admin::permission').delete(Number(id))
    assert.equal(rights(), before)
  })

  it('end where a permission gets parameters, for what was asked before, too', async () => {
    const role = await makeRole(api.app, 'parameters', [
      may('read', article, { fields: ['title'] }),
      may('read', article, { fields: ['title', 'code'] }),
    ])
    const editor = await makeEditor(api.app, 'parameters', [role])
    const sorted = async () => (await api.get('/articles?sort=code', { 'x-editor': String(editor) })).status
    assert.equal(await sorted(), 200)
    const wide = `id in (select max(permission_id) from admin_permissions_role_links where role_id = ${role})`
    await run(api.database, `update admin_permissions set action_parameters = '{"of":"code"}' where ${wide}`)
    await held.admin?.refresh()
    assert.equal(await sorted(), 400)
  })

  it('make a Super Admin of an account that has the role, by its code', async () => {
    const [role] = await api.app.entries('admin::role').find({ where: { code: 'strapi-super-admin' } })
    const [top, none] = [await makeEditor(api.app, 'top', [Number(role?.id)]), await makeEditor(api.app, 'none', [])]
    assert.deepEqual([await asked(top), await asked(none)], [200, 403])
  })
})
