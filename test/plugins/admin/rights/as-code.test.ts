import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { afterAll, beforeAll, it, onTestFinished } from 'vitest'
import { type AnyPlugin, createTestApp, definePlugin } from '../../../../core/index.js'
import { admin } from '../../../../plugins/admin/index.js'
import { editorsText } from '../../../../plugins/console/model/roles/code.js'
import { draftsOf } from '../../../../plugins/console/model/roles/drafts.js'
import type { Given, Role } from '../../../../plugins/console/model/roles/types.js'
import { type FreshDatabase, onSqlite } from '../../../support/engines.js'
import { pluginNames } from '../../../support/plugin-names.js'
import { startOn } from '../../../support/server.js'
import { folderOf } from '../../../support/terminal.js'
import { editor, Tab } from '../sessions/tab.js'
import { command } from '../world.js'

/** A plugin of an app, with permissions of routes, of its own, and of a route that editors do not reach. */
const ledger = definePlugin({
  name: 'ledger',
  actions: [{ uid: 'plugin::ledger.book', action: 'close' }],
  routes: [
    { method: 'POST', path: '/ledger', action: 'write', run: () => ({}) },
    { method: 'GET', path: '/ledger/report', action: 'read', uid: 'api::report.report', run: () => ({}) },
    { method: 'GET', path: '/ledger-status', at: 'root', action: 'watch', run: () => ({}) },
  ],
})

const localized = { pluginOptions: { i18n: { localized: true } } }
const text = { type: 'string' } as const
const types = {
  article: {
    ...{ options: { draftAndPublish: true }, ...localized },
    attributes: {
      title: { type: 'string', required: true, ...localized },
      seo: { type: 'component', component: 'shared.seo' },
      blocks: { type: 'dynamiczone', components: ['shared.seo'] },
    },
  },
  description: { attributes: { name: text, inherits: text } },
  hidden: { pluginOptions: { 'content-manager': { visible: false } }, attributes: { text } },
  home: { kind: 'singleType', attributes: { text } },
}
const components = { 'shared.seo': { attributes: { words: text, more: text } } }

onSqlite('roles as the console shows and copies them', engine => {
  let fresh: FreshDatabase
  let plugins: readonly unknown[]
  const uploads = mkdtempSync(`${tmpdir()}/as-code-`)
  const started = (editors?: object) => {
    const config = editors && { permissions: { editors } }
    return startOn(fresh.database, { types, components, plugins, ...(config && { config }) } as never)
  }

  beforeAll(async () => {
    fresh = await engine.fresh()
    const settings: Readonly<Record<string, object>> = {
      ...{ admin: { ratelimit: { enabled: false } }, 'api-tokens': { salt: 'a salt for tests' } },
      ...{ 'users-permissions': { jwtSecret: 'a secret for tests' }, upload: { folder: uploads } },
      i18n: { locales: ['en', 'de'], manageLocales: true },
    }
    // The one fills types which are not those of this test; the other needs a package.
    const names = pluginNames().filter(name => name !== 'sample-content' && name !== 'graphql')
    const builtIn = names.map(async name => {
      const exported = (await import(new URL(`../../../../plugins/${name}/index.ts`, import.meta.url).href)) as object
      const plugin = Object.values(exported).find(value => value?.name === name) as AnyPlugin
      return [plugin, settings[name] ?? {}] as const
    })
    plugins = [...(await Promise.all(builtIn)), ledger]
  })
  afterAll(async () => {
    await fresh?.drop()
    rmSync(uploads, { recursive: true })
  })

  /** A role that is given permissions by its form, and its text. */
  async function copied(name: string, grant: (role: Role) => readonly object[]): Promise<Role & { text: string }> {
    const server = await started()
    try {
      const tab = new Tab()
      await editor(server.app, `${name}@example.test`)
      await tab.signIn(server.app, `${name}@example.test`)
      const made = await tab.ask(server.app, 'POST', '/console/roles', { name })
      const url = `/console/roles/${made.body.id}`
      const { body: before } = await tab.ask(server.app, 'GET', url)
      const permissions = grant(before)
      const { status, body, text } = await tab.ask(server.app, 'PUT', url, { stamp: before.stamp, permissions })
      assert.equal(status, 200, text)
      assert.equal(body.permissions.length, permissions.length)
      return { ...body, text: editorsText(body, draftsOf(body)) }
    } finally {
      await server.app.close()
    }
  }

  async function planned(text: string): Promise<readonly string[]> {
    const { editors } = new Function(`return { ${text} }`)()
    const { app } = await started(editors)
    try {
      return (await command(app, 'admin roles plan')).lines
    } finally {
      await app.close()
    }
  }

  const same = ['the roles are as config/permissions declares them']
  const about = ({ action, subject }: Given) => ({ action, subject })

  it('are equal to the plan with all that can be given', async () => {
    const role = await copied('all', ({ gives }) => gives.map(one => ({ ...about(one), grant: {} })))
    const offered = role.parts.map(({ name, actions }) => [name, ...actions.map(({ action }) => action)])
    assert.deepEqual(offered.slice(-3), [
      ['plugin::ledger', 'plugin::ledger.write', 'plugin::ledger.book.close'],
      ['api::report', 'api::report.report.read'],
      ['plugin::explorer', 'plugin::explorer.timing.read'],
    ])
    assert.doesNotMatch(role.text, /ledger.*watch|in the database|auth\.|api::hidden/)
    assert.match(role.text, /'plugin::ledger': \['write', 'book.close'\],/)
    assert.deepEqual(await planned(role.text), same)
  })

  it('are equal to the plan with every limit that can be set', async () => {
    const role = await copied('some', ({ gives, types, parts }) =>
      gives.map(one => {
        const type = types.find(({ uid }) => uid === one.subject)
        const isOfFields = /\.(create|read|update)$/.test(one.action)
        const isLimited = type || parts.some(({ actions }) => actions.some(a => a.action === one.action && a.isLimited))
        return {
          ...about(one),
          grant: {
            ...(type && isOfFields && { fields: type.fields.slice(1) }),
            ...(type?.localized && { locales: ['de'] }),
            ...(isLimited && { where: ['own', 'role'] }),
          },
        }
      }),
    )
    assert.deepEqual(await planned(role.text), same)
  })

  it('are equal to the plan with what other programs have stored', async () => {
    const explorer = 'plugin::content-manager.explorer'
    const rows = [
      { action: `${explorer}.read`, subject: 'api::article.article', properties: { locales: null } },
      {
        ...{ action: `${explorer}.update`, subject: 'api::article.article' },
        properties: { fields: ['title', 'blocks.words', 'gone'], locales: [] },
      },
      { action: 'plugin::upload.settings.read', subject: null, properties: {} },
      { action: 'plugin::openapi.read', subject: null, properties: {} },
      { action: `${explorer}.delete`, subject: 'api::home.home', conditions: ['admin::is-creator', 'plugin::a.b'] },
    ]
    const server = await started()
    const made = await server.app.entries('admin::role').create({ name: 'Old', code: 'old' })
    for (const row of rows) await server.app.entries('admin::permission').create({ ...row, role: Number(made.id) })
    const tab = new Tab()
    await editor(server.app, 'old@example.test')
    await tab.signIn(server.app, 'old@example.test')
    const { body } = await tab.ask(server.app, 'GET', `/console/roles/${made.id}`)
    await server.app.close()
    const text = editorsText(body, draftsOf(body))
    assert.match(text, /update: \{ fields: \['title', 'blocks.words'\], locales: \[\] \}/)
    assert.match(text, /not written here: home\.delete: the condition plugin::a\.b/)
    // The condition of the project is what code cannot say: the plan has the permission without it.
    const lines = (await planned(text)).filter(line => !/ delete api::home\.home /.test(line))
    assert.deepEqual(lines, [])
  })
})

it('names the nearest permission of a plugin for one that is wrong', async () => {
  const wrong = {
    a: { 'plugin::leger': ['write'] },
    b: { 'plugin::ledger': ['wirte', 'nothing'] },
    c: { 'plugin::ledger.book.close': true },
    d: { 'plugin::users-permissions.auth': ['register'] },
  }
  const said = await createTestApp({
    plugins: [admin, ledger],
    config: { permissions: { editors: wrong } },
  }).then(
    () => '',
    error => String(error.message),
  )
  for (const sentence of [
    'a.plugin::leger is neither a content type nor the beginning of an action such as plugin::upload.read; did you mean plugin::ledger?',
    'b.plugin::ledger has no action "wirte"; did you mean "write"?',
    'b.plugin::ledger has no action "nothing"; there are write, watch, book.close',
    'c.plugin::ledger.book.close is neither a content type nor the beginning of an action such as plugin::upload.read; did you mean "plugin::ledger": ["book.close"]?',
    'd.plugin::users-permissions.auth is neither',
  ])
    assert.ok(said.includes(`config/permissions: editors.${sentence}`), `${sentence}\n\n${said}`)
})

it('takes the permissions of plugins that are disabled', async () => {
  const folder = folderOf({
    'config/plugins.js': 'export default { admin: true }',
    'config/permissions.js': `export default { editors: { a: { 'plugin::openapi': ['read'] } } }`,
  })
  const app = await createTestApp({ app: folder })
  onTestFinished(() => app.close())
  const { lines } = await command(app, 'admin roles plan')
  assert.ok(lines.includes('a  + plugin::openapi.read'), lines.join('\n'))
})
