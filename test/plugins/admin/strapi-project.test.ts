import assert from 'node:assert/strict'
import { afterAll, beforeAll, it } from 'vitest'
import type { TestApp } from '../../../core/index.js'
import type { OpenProject, ProjectFolder } from '../../strapi4/project.js'
import { onSqlite } from '../../support/engines.js'
import { run } from '../../support/run.js'
import { copyEditors, made, openEditors } from './project.js'
import { adminOf, command } from './world.js'

onSqlite('a project of Strapi 4 with editors', () => {
  let project: ProjectFolder
  let open: OpenProject & Pick<TestApp, 'commands'>
  beforeAll(async () => {
    project = copyEditors()
    open = await openEditors(project)
  })
  afterAll(async () => {
    await open.close()
    project.remove()
  })
  const ask = (sql: string) => run({ client: 'sqlite', filename: project.database }, sql)
  const layout = () => ask("select name, sql from sqlite_master where tbl_name like 'admin_%' order by name")

  it('has its accounts with their roles', async () => {
    const { rows } = await command(open, 'admin list', [], { json: true })
    assert.deepEqual(
      rows.map(({ id, email, roles, state }) => [id, email, roles, state]),
      [
        [1, 'admin@example.test', ['Super Admin'], 'active'],
        [2, 'edda@example.test', ['Editor'], 'active'],
        [3, 'anton@example.test', ['Author'], 'active'],
        [4, 'anna@example.test', ['Author'], 'active'],
        [5, 'tina@example.test', ['Translator'], 'active'],
        [6, 'tom@example.test', ['Team'], 'active'],
        [7, 'tess@example.test', ['Team'], 'active'],
        [8, 'rita@example.test', ['Translator', 'Author'], 'active'],
        [9, 'bert@example.test', ['Editor'], 'blocked'],
        [10, 'ivo@example.test', ['Author'], 'invited'],
      ],
    )
  })

  it('keeps its tables, roles and permissions when an account is added, which looks like those of the panel', async () => {
    const tables = await layout()
    const [roles, permissions] = [await ask('select * from admin_roles'), await ask('select * from admin_permissions')]
    const options = { password: 'eleven elephants', role: 'Translator,Author', firstname: 'Gil', lastname: 'Green' }
    await command(open, 'admin create', ['gil@example.test'], options)
    // Indexes of the server's own may be added: they forbid nothing.
    const after = await layout()
    for (const table of tables)
      assert.deepEqual(
        after.find(({ name }) => name === table.name),
        table,
      )
    assert.deepEqual(await ask('select * from admin_roles'), roles)
    assert.deepEqual(await ask('select * from admin_permissions'), permissions)

    const types =
      'select typeof(is_active), typeof(blocked), typeof(created_at), typeof(updated_at), is_active, blocked'
    const rest = 'username, reset_password_token, registration_token, prefered_language, created_by_id, updated_by_id'
    const [ours] = await ask(`${types}, ${rest} from admin_users where id = 11`)
    const [theirs] = await ask(`${types}, ${rest} from admin_users where id = 8`)
    assert.deepEqual(ours, theirs)
    const links = await ask('select * from admin_users_roles_links where user_id = 11')
    assert.deepEqual(links, [
      { id: 12, user_id: 11, role_id: 4, role_order: 1, user_order: 3 },
      { id: 13, user_id: 11, role_id: 3, role_order: 2, user_order: 5 },
    ])
  })

  it('keeps invitations of the panel, which are taken once', async () => {
    const { links } = adminOf(open.app)
    const { email, registrationToken: code } = made.invited
    assert.equal((await links.accountOf('invitation', code))?.email, email)
    assert.equal(await links.accountOf('password', code), undefined)
    await links.take('invitation', code, { password: 'eleven elephants', firstname: 'Ivo', lastname: 'Ivens' })
    const [row] = await ask(
      `select firstname, lastname, is_active, blocked, registration_token from admin_users where email = '${email}'`,
    )
    const taken = { firstname: 'Ivo', lastname: 'Ivens', is_active: 1, blocked: 0, registration_token: null }
    assert.deepEqual({ ...row }, taken)
    assert.equal(await links.accountOf('invitation', code), undefined)
    await assert.rejects(links.take('invitation', code, { password: 'twelve elephants' }), /no longer valid/)
  })

  it('keeps accounts that have a password from being taken by a token that was left behind', async () => {
    const [row] = await ask("select registration_token from admin_users where email = 'admin@example.test'")
    assert.equal(await adminOf(open.app).links.accountOf('invitation', String(row?.registration_token)), undefined)
  })
})
