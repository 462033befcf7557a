import assert from 'node:assert/strict'
import { cpSync } from 'node:fs'
import { afterAll, beforeAll, it } from 'vitest'
import { Form } from '../../../plugins/console/model/form/form.js'
import { Kinds } from '../../../plugins/console/model/form/kinds.js'
import type { OpenProject, ProjectFolder } from '../../strapi4/project.js'
import { onSqlite } from '../../support/engines.js'
import { DatabaseSync } from '../../support/sqlite.js'
import { Dice } from '../explorer/random.js'
import { strangeForStrapi } from './hour/going-back.js'
import { Typist } from './model/typist.js'
import { Client } from './model/world.js'
import { copyWithConsole, Editor, openProject } from './project.js'

const settings = { versions: { enabled: true, config: { all: true } }, events: true, bulk: true }

onSqlite('a database of Strapi after a day in the console', () => {
  let project: ProjectFolder
  let open: OpenProject
  beforeAll(async () => {
    project = copyWithConsole({ settings })
    open = await openProject(project)
    await entries('edda', 1)
    await entries('anton', 2)
    await people()
    await open.close()
  })
  afterAll(() => project?.remove())

  /** Saves entries of all types at random, and makes, publishes, copies into other languages and deletes some. */
  async function entries(name: 'edda' | 'anton', seed: number): Promise<void> {
    const editor = await Editor.signIn(open, name)
    const inConsole = {
      inject: (request: { url: string }) => open.send({ ...request, url: `/console/api${request.url}` }),
    }
    const meta = await editor.meta()
    const client = new Client(inConsole as never, new Kinds(meta), {
      'sec-fetch-site': 'same-origin',
      cookie: editor.cookie,
    })
    const dice = new Dice(seed)
    const ids = new Map<string, number[]>()
    const typist = new Typist(dice, ids, seed * 1_000_000)
    const types = meta.types.filter(({ uid, can }) => uid.startsWith('api::') && can.read && can.update)
    for (const type of types) {
      const query = { fields: ['id'], publicationState: 'preview', sort: ['id:desc'] }
      const { body } = await client.send('GET', String(type.path), query)
      const all = [(body as { data: unknown }).data].flat().filter(Boolean) as { id: number }[]
      ids.set(
        type.uid,
        all.slice(0, 12).map(({ id }) => id),
      )
    }
    for (let step = 0; step < 60; step += 1) {
      const type = dice.one(types)
      const known = ids.get(type.uid) ?? []
      const isNew = type.kind === 'collectionType' && type.can.create !== null && dice.chance(0.3)
      if (isNew) {
        const form = new Form(client.kinds, type, undefined)
        typist.fill(form)
        ids.set(type.uid, [...known, Number((await client.saved(form)).id)])
      } else if (known.length > 0) await change(editor, client, type.uid, dice.one(known))
    }

    async function change(editor: Editor, client: Client, uid: string, id: number): Promise<void> {
      const type = client.type(uid)
      const form = await client.open(uid, id)
      typist.change(form, dice.one([0.2, 0.5]))
      const saved = form.changes.peek() === 0 ? undefined : await client.save(form)
      assert.ok(saved === undefined || saved.status === 200 || saved.status === 404, saved?.text)
      const at = `/console/api${type.path}/${id}`
      if (type.options.drafts && type.kind === 'collectionType')
        await editor.ask('POST', `${at}/actions/${dice.one(['publish', 'unpublish'])}`, {})
      if (type.options.localized && type.kind === 'collectionType')
        await editor.ask('POST', `${at}/localizations`, { locale: 'fr', title: `FR ${id}` })
      if (type.kind === 'collectionType' && dice.chance(0.1)) {
        assert.ok([200, 404].includes((await editor.ask('DELETE', at)).status))
        ids.set(
          uid,
          (ids.get(uid) ?? []).filter(one => one !== id),
        )
      }
    }
  }

  /** Layouts, folders, roles and accounts are made and changed. */
  async function people(): Promise<void> {
    const ada = await Editor.signIn(open, 'ada')
    const done = async (method: string, path: string, body?: unknown) => {
      const { status, text, body: said } = await ada.ask(method, path, body)
      assert.ok(status < 300, `${method} ${path}: ${text}`)
      return said
    }
    await done('PUT', '/console/layouts/api::article.article', { settings: { pageSize: 50 }, list: ['id', 'title'] })
    await done('PUT', '/console/layouts/shared.quote', { fields: { title: { label: 'Who' } } })
    const folder = (await done('POST', '/console/api/upload/folders', { name: 'Trips' })).id
    const inner = (await done('POST', '/console/api/upload/folders', { name: 'Sea', parent: folder })).id
    await done('POST', '/console/api/upload/move', { files: [1, 2, 3], to: inner })
    await done('PUT', `/console/api/upload/folders/${folder}`, { parent: 1 })
    const { id: role } = await done('POST', '/console/roles', { name: 'Proof reader' })
    const { stamp } = await done('GET', `/console/roles/${role}`)
    const action = 'plugin::content-manager.explorer.read'
    const permissions = [{ action, subject: 'api::article.article', grant: { fields: ['title'], locales: ['en'] } }]
    await done('PUT', `/console/roles/${role}`, { stamp, permissions })
    const { account } = await done('POST', '/console/accounts', {
      ...{ email: 'Nina@Example.test', firstname: 'Nina', roles: [role] },
    })
    await done('PUT', `/console/accounts/${account?.id ?? 11}`, { lastname: 'Reader', blocked: true })
    await done('PUT', '/console/accounts/3', { language: 'de' })
  }

  it('has tables, columns, keys and rows in the form that Strapi gives them', () => {
    assert.deepEqual(strangeForStrapi(project.source, project.database), [])
  })

  const damages = [
    { says: 'alter table tags drop column color', found: /tags has lost the column/ },
    { says: 'alter table tags add column extra text', found: /which Strapi has not made/ },
    { says: 'drop index articles_slug_unique', found: /articles has lost the index/ },
    { says: 'drop table memos_author_links', found: /the table memos_author_links is gone/ },
    { says: `create table stele_x (id integer references tags (id))`, found: /stele_x has the foreign key/ },
    { says: `create table stele_y (id integer)`, found: /stele_y is not among the tables that Strapi keeps/ },
    { says: `update articles set updated_at = '2024-01-01' where id = 1`, found: /articles 1: updated_at/ },
    { says: `update articles set extra = 'x' where id = 2`, found: /articles 2: extra \(json\)/ },
    { says: `update articles set opens_at = '12:30' where id = 2`, found: /articles 2: opens_at/ },
    { says: `update articles set featured = 'yes' where id = 2`, found: /articles 2: featured/ },
    { says: `update articles set created_by_id = 99 where id = 2`, found: /by an account that is missing/ },
    { says: `update articles_tags_links set tag_order = 1 where article_id = 2`, found: /has the places/ },
    { says: 'delete from articles_localizations_links where id = 1', found: /one way/ },
    {
      says: 'delete from components_shared_quotes where id = 7',
      found: /the component components_shared_quotes 7 is missing/,
    },
    {
      says: 'delete from articles_components where component_id = 6',
      found: /the component components_shared_\w+ 6 belongs to nothing/,
    },
    { says: `update upload_folders set path = '/9' where id = 2`, found: /the folder 2 has the path/ },
    { says: `update files set folder_path = '/9' where id = 5`, found: /the file 5 has the folder path/ },
    { says: `update admin_users set password = 'plain' where id = 2`, found: /the account 2/ },
    {
      says: `update admin_permissions set conditions = 'null' where id = 2`,
      found: /the permission 2 has the conditions/,
    },
    { says: `update admin_permissions set action = 'x' where id = 3`, found: /the unknown action x/ },
    {
      says: `delete from admin_permissions_role_links where permission_id = 4`,
      found: /the permission 4 belongs to no role/,
    },
    { says: `delete from strapi_core_store_settings where key = 'core_admin_auth'`, found: /core_admin_auth is gone/ },
    {
      says: `update strapi_core_store_settings set value = '{}' where key = 'plugin_upload_settings'`,
      found: /plugin_upload_settings lacks sizeOptimization/,
    },
    { says: `update strapi_database_schema set hash = 'x'`, found: /strapi_database_schema/ },
  ]
  it('would be seen to have another form', () => {
    const copy = `${project.database}.damaged`
    cpSync(project.database, copy)
    const database = new DatabaseSync(copy)
    database.exec('pragma foreign_keys = off')
    for (const { says } of damages) database.exec(says)
    database.close()
    const strange = strangeForStrapi(project.source, copy).join('\n')
    for (const { says, found } of damages) assert.match(strange, found, says)
  })
})
