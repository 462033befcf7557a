import assert from 'node:assert/strict'
import { describe, it, onTestFinished } from 'vitest'
import { createTestApp, definePlugin, type TestAppOptions } from '../../../core/index.js'
import { bulk } from '../../../plugins/bulk/index.js'
import { draftAndPublish } from '../../../plugins/draft-and-publish/index.js'
import { events } from '../../../plugins/events/index.js'
import type { Events } from '../../../plugins/events/service.js'
import { i18n } from '../../../plugins/i18n/index.js'
import { patch } from '../../../plugins/patch/index.js'
import { trash } from '../../../plugins/trash/index.js'
import { versions } from '../../../plugins/versions/index.js'
import { typesOf } from '../../client/world.js'
import { documentOf } from '../../openapi/outline.js'
import { type Body, contract, refused, type World } from '../../support/contract.js'

const clock = { now: Date.parse('2031-05-01T12:00:00.000Z') }
const localized = { pluginOptions: { i18n: { localized: true } } }

/** A hook that refuses what it is told to, once everything is written. */
const refuser = definePlugin({
  name: 'refuser',
  appliesTo: ({ uid }) => uid === 'api::page.page',
  hooks: {
    async afterWrite(row) {
      if (row.title === 'refused') throw Object.assign(new Error('refused'), { status: 400 })
    },
  },
})

const world: World = {
  time: () => clock.now,
  types: {
    page: {
      options: { draftAndPublish: true },
      ...localized,
      attributes: {
        title: { type: 'string', ...localized },
        shared: { type: 'integer', pluginOptions: { i18n: { localized: false } } },
      },
    },
  },
  plugins: [
    events,
    draftAndPublish,
    [i18n, { locales: ['fr'] }],
    [trash, { all: true }],
    [versions, { all: true }],
    bulk,
    patch,
    refuser,
  ],
}

contract('versions beside other plugins', world, api => {
  const make = (title: string, more: object = {}) => api.make('/pages', { title, ...more })
  const list = async (id: number) => (await api.get(`/pages/${id}/versions`)).body.data as Body[]
  const titleOf = async (id: number, number: number) =>
    (await api.get(`/pages/${id}/versions/${number}`)).body.data.attributes.title
  const restore = (id: number, number: number) => api.send('POST', `/pages/${id}/versions/${number}/actions/restore`)

  it('are kept of every way to write', async () => {
    const id = await make('0')
    await api.send('PATCH', `/pages/${id}`, { data: { title: '1' } })
    await api.send('POST', '/pages/bulk', {
      operations: [
        { update: id, data: { title: '2' } },
        { update: id, data: { title: '3' } },
      ],
    })
    await api.app.entries('api::page.page').update(id, { title: '4' })
    await api.send('POST', `/pages/${id}/actions/publish`)
    const found = await list(id)
    assert.deepEqual(
      found.map(({ number, action }) => `${number} ${action}`),
      ['5 publish', '4 update', '3 update', '2 update', '1 update'],
    )
    assert.deepEqual(await Promise.all([1, 2, 3, 4, 5].map(number => titleOf(id, number))), ['0', '1', '2', '3', '4'])
    assert.equal(found[1].by, 'system')
  })

  it('are not kept of a write that is undone', async () => {
    const id = await make('kept')
    assert.ok((await api.put(`/pages/${id}`, { title: 'refused' })).status >= 400)
    assert.deepEqual(await list(id), [])
    assert.deepEqual(await api.rows('stele_versions', ['id'], { entry: id }), [])
  })

  it('are kept of localizations that change along, and restored to all', async () => {
    const en = await make('en', { shared: 1 })
    const data = { locale: 'fr', title: 'fr', publishedAt: '2030-01-01T00:00:00.000Z' }
    const fr = (await api.send('POST', `/pages/${en}/localizations`, { data })).body.data.id
    await api.put(`/pages/${en}`, { shared: 2, title: 'other' })
    const [version] = await list(fr)
    assert.equal((await restore(fr, version.number)).status, 200)
    const shown = async (id: number) => {
      const { title, shared } = (await api.get(`/pages/${id}`)).body.data.attributes
      return [title, shared]
    }
    assert.deepEqual(
      [await shown(en), await shown(fr)],
      [
        ['other', 1],
        ['fr', 1],
      ],
    )
  })

  it('are told to others as updates, and versions themselves are not', async () => {
    const found = api.app.plugins.find(({ spec }) => spec.name === 'events')
    const { outbox } = (found as { service: unknown }).service as Events
    const id = await make('told')
    await api.put(`/pages/${id}`, { title: 'two' })
    assert.equal((await restore(id, 1)).status, 200)
    while (await outbox.arrange());
    const told = (await outbox.after(0)).filter(({ uid, entry }) => uid === 'api::page.page' && entry === id)
    assert.deepEqual(
      told.map(({ event }) => event),
      ['entry.create', 'entry.update', 'entry.update'],
    )
    assert.deepEqual(
      (await outbox.after(0)).filter(({ uid }) => uid.startsWith('plugin::versions')),
      [],
    )
  })

  it('stay with an entry in the trash, and for a while after it was removed for good', async () => {
    const id = await make('first')
    await api.put(`/pages/${id}`, { title: 'second' })
    await api.delete(`/pages/${id}`)
    assert.deepEqual(
      (await list(id)).map(({ action }) => action),
      ['delete', 'update'],
    )
    refused(await restore(id, 1), { status: 400, message: /in the trash/ })
    assert.equal((await api.send('POST', `/pages/${id}/actions/restore`)).status, 200)
    assert.equal((await restore(id, 1)).status, 200)
    assert.equal((await api.get(`/pages/${id}`)).body.data.attributes.title, 'first')
    await api.delete(`/pages/${id}`)
    await api.delete(`/pages/${id}?trash=only`)
    assert.deepEqual(
      (await list(id)).map(({ action }) => action),
      ['delete', 'delete', 'update'],
    )
    clock.now += 31 * 86_400_000
    const other = await make('other')
    await api.put(`/pages/${other}`, { title: 'changed' })
    await api.app.runJob('versions/forget')
    assert.deepEqual(await api.rows('stele_versions', ['id'], { entry: id }), [])
    assert.equal((await list(other)).length, 1)
  })
})

describe('the settings of versions', () => {
  const boot = async (options: TestAppOptions) => {
    const app = await createTestApp(options)
    onTestFinished(() => app.close())
    return app
  }
  const attributes = { title: { type: 'string' } }
  const refuses = (options: TestAppOptions, message: RegExp) =>
    assert.rejects(boot(options), { name: 'BootError', message })

  it('are checked', async () => {
    const note = { attributes, options: { versions: true } }
    await refuses({ types: { note }, plugins: [[versions, { keep: 0 }]] }, /versions.*keep/)
    await refuses(
      { types: { note: { attributes, options: { versions: 1 } } }, plugins: [versions] },
      /options.*versions/,
    )
    await refuses({ components: { 'shared.note': note }, plugins: [versions] } as never, /versions/)
  })

  it('cost other types nothing', async () => {
    const types = { note: { attributes }, kept: { attributes, options: { versions: true } } }
    const { outline } = await boot({ types, plugins: [versions] })
    const routes = outline.routes
      .filter(({ plugin }) => plugin === 'versions')
      .map(({ method, path }) => `${method} ${path}`)
    assert.deepEqual(routes, [
      'GET /api/kepts/versions/deleted',
      'GET /api/kepts/:id/versions',
      'GET /api/kepts/:id/versions/:number',
      'GET /api/kepts/:id/versions/:number/changes',
      'POST /api/kepts/:id/versions/:number/actions/restore',
    ])
  })

  it('are described', async () => {
    const app = await boot({ types: { note: { attributes, options: { versions: true } } }, plugins: [versions] })
    const { paths } = (await documentOf(app.outline)) as Body
    assert.ok(paths['/api/notes/{id}/versions/{number}/changes'].get)
    assert.match(JSON.stringify(paths['/api/notes/{id}/versions/{number}/changes'].get.parameters), /"to"/)
    assert.match(typesOf(app), /note/)
  })
})
