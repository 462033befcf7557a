import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, it } from 'vitest'
import type { TestApp } from '../../../core/index.js'
import { firstRoles } from '../../../plugins/admin/accounts/first-roles.js'
import type { Pristine } from '../../strapi4/databases.js'
import type { OpenProject } from '../../strapi4/project.js'
import { onSqlite } from '../../support/engines.js'
import { onEveryEngine } from '../../support/every-engine.js'
import { run } from '../../support/run.js'
import { copyEditors, editorsOn, made, openEditors } from './project.js'
import { adminOf, command } from './world.js'

onEveryEngine('a project of Strapi 4 with editors', engine => {
  let place: Pristine
  let open: OpenProject & Pick<TestApp, 'commands'>
  beforeAll(async () => {
    place = await editorsOn(engine)
    open = await openEditors(place.project, place.variables)
  })
  afterAll(async () => {
    await open.close()
    await place.drop()
  })
  const ask = (sql: string) => run(place.database, sql)
  const parsed = (value: unknown) => (typeof value === 'string' ? JSON.parse(value) : value)

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

  it('has both sides of the link between accounts and roles', () => {
    const { types } = open.app
    assert.deepEqual(types.foreignTargets, [])
    assert.deepEqual(
      types.notes.filter(note => note.includes('admin::')),
      [],
    )
    assert.ok(types.get('admin::role').links.has('users'))
  })

  it('would begin with the permissions that it has recorded of its first roles, but for languages', async () => {
    const recorded = await ask(
      `select r.code, p.action, p.subject, p.properties, p.conditions from admin_permissions p
       join admin_permissions_role_links l on l.permission_id = p.id join admin_roles r on r.id = l.role_id`,
    )
    for (const { code, permissions } of firstRoles(open.app.types).slice(1)) {
      const theirs = recorded
        .filter(row => row.code === code)
        .map(({ action, subject, properties, conditions }) => {
          const { locales, ...rest } = parsed(properties)
          return { action, subject, properties: rest, conditions: parsed(conditions), locales }
        })
      const ours = permissions.map(({ properties: { locales, ...rest }, ...one }) => {
        return { ...one, properties: rest, locales: locales === null ? ['en', 'fr', 'de'] : undefined }
      })
      const byName = (one: object, other: object) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1)
      assert.deepEqual(ours.sort(byName), theirs.sort(byName))
    }
  })

  it('keeps its roles and permissions when an account is added, which looks like those of the panel', async () => {
    const kept = () =>
      Promise.all(
        ['roles', 'permissions', 'permissions_role_links'].map(name => ask(`select * from admin_${name} order by id`)),
      )
    const before = await kept()
    const options = { password: 'eleven elephants', role: 'Translator,Author', firstname: 'Gil', lastname: 'Green' }
    await command(open, 'admin create', ['gil@example.test'], options)
    assert.deepEqual(await kept(), before)

    const columns = 'username, reset_password_token, registration_token, is_active, blocked, prefered_language'
    const select = `select ${columns}, created_by_id, updated_by_id from admin_users where email =`
    const [ours] = await ask(`${select} 'gil@example.test'`)
    const [theirs] = await ask(`${select} 'rita@example.test'`)
    assert.deepEqual(ours, theirs)
    const [gil] = await ask("select id from admin_users where email = 'gil@example.test'")
    const links = await ask(
      `select role_id, role_order, user_order from admin_users_roles_links where user_id = ${gil?.id} order by id`,
    )
    assert.deepEqual(
      links.map(link => [link.role_id, link.role_order, link.user_order].map(Number)),
      [
        [4, 1, 3],
        [3, 2, 5],
      ],
    )
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
    const { is_active, blocked, ...names } = row as Record<string, unknown>
    assert.deepEqual([is_active, blocked].map(Boolean), [true, false])
    assert.deepEqual(names, { firstname: 'Ivo', lastname: 'Ivens', registration_token: null })
    assert.equal(await links.accountOf('invitation', code), undefined)
    await assert.rejects(links.take('invitation', code, { password: 'twelve elephants' }), /no longer valid/)
  })

  it('keeps accounts that have a password from being taken by a token that was left behind', async () => {
    const [row] = await ask("select registration_token from admin_users where email = 'admin@example.test'")
    assert.equal(await adminOf(open.app).links.accountOf('invitation', String(row?.registration_token)), undefined)
  })
})

onSqlite('the tables of a project of Strapi 4 with editors', () => {
  it('are read without a change of the file', async () => {
    const project = copyEditors()
    const before = readFileSync(project.database)
    const open = await openEditors(project)
    try {
      assert.equal((await command(open, 'admin list')).rows.length, 10)
      assert.deepEqual(await adminOf(open.app).tell(), [])
    } finally {
      await open.close()
    }
    assert.ok(before.equals(readFileSync(project.database)))
    project.remove()
  })

  it('stay as they are, and so do the forms of their values', async () => {
    const project = copyEditors()
    const ask = (sql: string) => run({ client: 'sqlite', filename: project.database }, sql)
    const layout = () => ask("select name, sql from sqlite_master where tbl_name like 'admin_%' order by name")
    const open = await openEditors(project)
    try {
      const before = await layout()
      await command(open, 'admin create', ['gil@example.test'], { password: 'eleven elephants', role: 'Author' })
      // Indexes of the server's own may be added: they forbid nothing.
      const after = new Map((await layout()).map(({ name, sql }) => [name, sql]))
      for (const { name, sql } of before) assert.equal(after.get(name), sql)
      const forms = ['is_active', 'blocked', 'created_at', 'updated_at'].map(column => `typeof(${column})`).join()
      const [ours] = await ask(`select ${forms} from admin_users where id = 11`)
      const [theirs] = await ask(`select ${forms} from admin_users where id = 8`)
      assert.deepEqual(ours, theirs)
    } finally {
      await open.close()
      project.remove()
    }
  })
})
