import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, onTestFinished } from 'vitest'
import { createTestApp, type TestAppOptions } from '../../../core/index.js'
import { i18n } from '../../../plugins/i18n/index.js'
import { trash } from '../../../plugins/trash/index.js'
import { typesOf } from '../../client/world.js'
import { documentOf } from '../../openapi/outline.js'
import { copyProject, openProject } from '../../strapi4/project.js'
import { type Body, refused, type Server, startOn, type World } from '../../support/contract.js'
import { onEveryEngine } from '../../support/every-engine.js'

const attributes = { title: { type: 'string' }, code: { type: 'string', unique: true }, slug: { type: 'uid' } }
const noteType = (options: object, more: object = {}) => ({ note: { options, attributes, ...more } })

describe('the settings of the trash', () => {
  const boot = async (options: TestAppOptions) => {
    const app = await createTestApp(options)
    onTestFinished(() => app.close())
    return app
  }
  const refuses = (options: TestAppOptions, message: RegExp) =>
    assert.rejects(boot(options), { name: 'BootError', message })

  it('are checked', async () => {
    await refuses({ types: noteType({ trash: true }), plugins: [[trash, { days: 0 }]] }, /trash.*days/)
    await refuses({ types: noteType({ trash: 'yes' }), plugins: [trash] }, /options.*trash/)
  })

  it('give every content type a trash, unless one says otherwise', async () => {
    const types = {
      note: { attributes },
      plain: { attributes, options: { trash: false } },
      home: { kind: 'singleType', attributes: { title: { type: 'string' } } },
    }
    const { types: all, outline } = await boot({ types, plugins: [[trash, { all: true }]] })
    const has = [...all.types.values()].filter(({ fields }) => fields.has('deletedAt')).map(({ uid }) => uid)
    assert.deepEqual(has, ['api::note.note', 'api::home.home'])
    const actions = outline.actions.flatMap(({ uid, action }) => (uid === 'api::note.note' ? [action] : []))
    assert.deepEqual(
      ['trash', 'restore', 'purge'].filter(action => !actions.includes(action)),
      [],
    )
  })

  it('leave types alone that say nothing, or while the plugin is disabled', async () => {
    const types = { ...noteType({}), other: { attributes, options: { trash: true } } }
    const enabled = await boot({ types, plugins: [trash] })
    assert.equal(enabled.types.get('api::note.note').fields.has('deletedAt'), false)
    const disabled = await boot({ types })
    assert.equal(disabled.types.get('api::other.other').fields.has('deletedAt'), false)
  })
})

onEveryEngine('a database that is older than the trash', engine => {
  const localized = { pluginOptions: { i18n: { localized: true } } }
  for (const [says, more, plugins, dialect] of [
    ['plain types', {}, [], 'spec'],
    ['localized types', localized, [i18n], 'spec'],
    ['localized types in the dialect of Strapi', localized, [i18n], 'strapi4'],
  ] as const)
    it(`frees unique values of ${says}, too, and hides nothing`, async () => {
      const { database, drop } = await engine.fresh()
      onTestFinished(drop)
      const during = async (world: World, work: (server: Server) => Promise<void>) => {
        const server = await startOn(database, world)
        await work(server).finally(() => server.app.close())
      }
      const without: World = { types: noteType({}, more), plugins: [...plugins, trash], rest: { dialect } }
      const having: World = { ...without, types: noteType({ trash: true }, more) }
      let ids: number[] = []
      await during(without, async server => {
        ids = [await server.make('/notes', { code: 'a', slug: 'a' }), await server.make('/notes', { code: 'b' })]
      })
      const [first = 0] = ids
      await during(having, async server => {
        assert.equal((await server.get('/notes')).body.meta.pagination.total, 2)
        refused(await server.post('/notes', { code: 'a' }), { status: 400 })
        assert.equal((await server.delete(`/notes/${first}`)).status, 200)
        await server.make('/notes', { code: 'a', slug: 'a' })
        refused(await server.post('/notes', { code: 'a' }), { status: 400 })
        refused(await server.send('POST', `/notes/${first}/actions/restore`), { status: 400 })
      })
      await assert.rejects(
        during(without, async () => undefined),
        { name: 'BootError', message: /1 entry in the trash of api::note\.note, which trash has hidden/ },
      )
      await during(having, async server => {
        const kept = await server.get('/notes?trash=only')
        assert.equal(kept.body.meta.pagination.total, 1)
        assert.equal((await server.delete(`/notes/${first}?trash=only`)).status, 200)
      })
      await during(without, async server => {
        assert.equal((await server.get('/notes')).body.meta.pagination.total, 2)
        await server.make('/notes', { code: 'while it was away' })
      })
      await during(having, async server => {
        refused(await server.post('/notes', { code: 'while it was away' }), { status: 400 })
        assert.equal((await server.get('/notes')).body.meta.pagination.total, 3)
      })
    })
})

describe('the description of an app with a trash', () => {
  it('has the parameter, the route and the attribute', async () => {
    const app = await createTestApp({ types: noteType({ trash: true }), plugins: [trash] })
    onTestFinished(() => app.close())
    const { paths, components } = (await documentOf(app.outline)) as Body
    const named = (path: string, method: string) =>
      (paths[path]?.[method]?.parameters ?? []).map(({ name, $ref }: { name?: string; $ref?: string }) => name ?? $ref)
    for (const [path, method] of [
      ['/api/notes', 'get'],
      ['/api/notes/{id}', 'get'],
      ['/api/notes/{id}', 'delete'],
    ] as const)
      assert.ok(JSON.stringify(named(path, method)).includes('trash'), `${method} ${path}`)
    assert.ok(paths['/api/notes/{id}/actions/restore']?.post)
    assert.match(JSON.stringify(components.schemas), /"deletedAt"/)
    assert.doesNotMatch(JSON.stringify(components.schemas), /trashKey|trashNote/)
    assert.match(typesOf(app), /deletedAt/)
  })
})

describe('a project of Strapi 4', () => {
  it('is refused a trash, as Strapi would bring back what was deleted', async () => {
    const project = copyProject()
    onTestFinished(project.remove)
    const folder = join(project.folder, 'config/env/production')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'plugins.js'), 'module.exports = { trash: { enabled: true, config: { all: true } } }')
    await assert.rejects(openProject(project), {
      name: 'BootError',
      message: /trash does not work in the database of strapi4/,
    })
  })
})
