import assert from 'node:assert/strict'
import { it } from 'vitest'
import { audit } from '../../../plugins/audit/index.js'
import type { AuditRecord } from '../../../plugins/audit/records.js'
import { draftAndPublish } from '../../../plugins/draft-and-publish/index.js'
import { events } from '../../../plugins/events/index.js'
import type { Events } from '../../../plugins/events/service.js'
import { i18n } from '../../../plugins/i18n/index.js'
import { trash } from '../../../plugins/trash/index.js'
import { upload } from '../../../plugins/upload/index.js'
import { type Answer, type Body, contract, each, refused, type World } from '../../support/contract.js'

const day = 86_400_000
const clock = { now: Date.parse('2031-05-01T12:00:00.000Z') }

const world: World = {
  time: () => clock.now,
  types: {
    page: {
      options: { draftAndPublish: true, scheduling: true },
      pluginOptions: { i18n: { localized: true } },
      attributes: {
        title: { type: 'string', required: true, pluginOptions: { i18n: { localized: true } } },
        code: { type: 'string', unique: true, pluginOptions: { i18n: { localized: true } } },
        shared: { type: 'integer', pluginOptions: { i18n: { localized: false } } },
        cover: { type: 'media' },
      },
    },
  },
  // The order is that in which hooks see writes: some are before the trash, others after it.
  plugins: [
    events,
    draftAndPublish,
    [trash, { all: true, days: 7 }],
    [i18n, { locales: ['fr', 'de'] }],
    upload,
    [audit, { secret: 'a secret of this test, long enough' }],
  ],
}

contract('the trash beside other plugins', world, api => {
  const make = (title: string, more: object = {}) => api.make('/pages', { title, ...more })
  const localize = async (id: number, locale: string, more: object = {}): Promise<number> => {
    const data = { locale, title: locale, publishedAt: '2030-01-01T00:00:00.000Z', ...more }
    const answer = await api.send('POST', `/pages/${id}/localizations`, { data })
    assert.equal(answer.status, 200, answer.text)
    return answer.body.data.id
  }
  const remove = async (id: number) => assert.equal((await api.delete(`/pages/${id}`)).status, 200)
  const restore = (id: number) => api.send('POST', `/pages/${id}/actions/restore?populate=cover`)
  const one = async (id: number, query = '') => (await api.get(`/pages/${id}?populate=localizations${query}`)).body.data
  const familyOf = async (id: number) => {
    const { attributes, meta } = await one(id)
    const ids = attributes.localizations.data.map((entry: Body) => entry.id).sort()
    assert.deepEqual(meta.availableLocales.map((entry: Body) => entry.id).sort(), ids)
    return ids
  }
  const serviceOf = <Service>(name: string) =>
    api.app.plugins.find(({ spec }) => spec.name === name)?.service as Service

  let seen = 0
  const recorded = async () => {
    const { outbox } = serviceOf<Events>('events')
    while (await outbox.arrange());
    const found = await outbox.after(seen)
    seen = found.at(-1)?.position ?? seen
    return found.filter(({ uid }) => uid === 'api::page.page').map(({ event, entry }) => `${event} ${entry}`)
  }
  /** The relations of what was recorded since the last time. */
  const ends = async () => {
    const { outbox } = serviceOf<Events>('events')
    while (await outbox.arrange());
    return (await outbox.after(seen)).map(event => event.ends)
  }
  const audited = async (entry: number) => {
    const all = await serviceOf<AuditRecord>('audit').list({ limit: 50, uid: 'api::page.page', entry })
    return all.map(({ event }) => event).reverse()
  }

  it('keeps drafts as drafts', async () => {
    const draft = await make('draft', { publishedAt: null })
    await remove(draft)
    const list = (query: string) => api.get(`/pages?filters[title]=draft${query}`).then(({ body }) => each('id')(body))
    assert.deepEqual(await list('&trash=only'), [])
    assert.deepEqual(await list('&trash=only&publicationState=preview'), [draft])
    assert.equal((await restore(draft)).status, 200)
    refused(await api.get(`/pages/${draft}`), { status: 404 })
    assert.deepEqual(await list('&publicationState=preview'), [draft])
    await remove(draft)
    refused(await api.send('POST', `/pages/${draft}/actions/publish`), { status: 404 })
  })

  it('leaves the other localizations, which list it no longer', async () => {
    const en = await make('en', { shared: 1, code: 'same' })
    const fr = await localize(en, 'fr', { code: 'same' })
    await remove(en)
    assert.deepEqual(await familyOf(fr), [])
    refused(await api.send('POST', `/pages/${en}/localizations`, { data: { locale: 'de', title: 'de' } }), {
      status: 404,
    })
    assert.equal((await api.put(`/pages/${fr}`, { shared: 2 })).status, 200)
    const de = await localize(fr, 'de')
    assert.equal((await restore(en)).status, 200)
    assert.deepEqual(await familyOf(en), [fr, de])
    assert.deepEqual(await familyOf(fr), [en, de])
    assert.deepEqual(await familyOf(de), [en, fr])
    assert.equal((await one(en)).attributes.shared, 2)
  })

  it('gives its place to another entry in its locale', async () => {
    const en = await make('en', { code: 'place' })
    const fr = await localize(en, 'fr', { code: 'place' })
    await remove(fr)
    const other = await localize(en, 'fr', { code: 'place' })
    refused(await restore(fr), { status: 400 })
    await remove(other)
    assert.equal((await restore(fr)).status, 200)
    assert.deepEqual(await familyOf(en), [fr])
  })

  it('is not published by its time in the trash, and is once it is restored', async () => {
    const publishAt = new Date(clock.now + day).toISOString()
    const id = await make('planned', { publishAt })
    await remove(id)
    clock.now += 2 * day
    await api.app.runJob('draft-and-publish/schedule')
    assert.equal((await restore(id)).status, 200)
    await api.app.runJob('draft-and-publish/schedule')
    const { publishedAt } = (await one(id)).attributes
    assert.equal(publishedAt, publishAt)
  })

  it('is nothing that doctor finds wrong', async () => {
    const en = await make('en')
    const fr = await localize(en, 'fr')
    await remove(en)
    await localize(fr, 'de')
    const found: string[] = []
    for (const { spec, service } of api.app.plugins)
      for (const check of spec.name === 'i18n' ? (spec.checks ?? []) : [])
        if ('run' in check) await check.run(service, ({ says }) => found.push(says))
    assert.deepEqual(
      found.filter(says => says.includes('side')),
      [],
    )
  })

  it('is a delete and a create to those who are notified, and its emptying is nothing to them', async () => {
    await recorded()
    const id = await make('told')
    await remove(id)
    assert.equal((await restore(id)).status, 200)
    await remove(id)
    clock.now += 8 * day
    await api.app.runJob('trash/empty')
    assert.deepEqual(
      await recorded(),
      ['create', 'delete', 'create', 'delete'].map(verb => `entry.${verb} ${id}`),
    )
    assert.deepEqual(
      await audited(id),
      ['create', 'delete', 'restore', 'delete', 'purge'].map(verb => `entry.${verb}`),
    )
  })

  it('is emptied of what is older than the settings say', async () => {
    const [old, back, young, here] = [await make('old'), await make('back'), await make('young'), await make('here')]
    await remove(old)
    await remove(back)
    assert.equal((await restore(back)).status, 200)
    clock.now += 7 * day
    await remove(young)
    await api.app.runJob('trash/empty')
    assert.deepEqual(await api.rows('pages', ['id'], { id: old }), [{ id: old }], 'seven days are not over')
    clock.now += 1
    await api.app.runJob('trash/empty')
    const left = await Promise.all([old, back, young, here].map(id => api.rows('pages', ['id'], { id })))
    assert.deepEqual(
      left.map(({ length }) => length),
      [0, 1, 1, 1],
    )
  })

  it('keeps files that its entries show', async () => {
    const boundary = 'xx'
    const payload = `--xx\r\nContent-Disposition: form-data; name="files"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\ntext\r\n--xx--\r\n`
    const sent = await api.app.inject({
      ...{ method: 'POST', url: '/api/upload', payload },
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    })
    const [file] = sent.json()
    const id = await make('with a file', { cover: file.id })
    await remove(id)
    const shown = ({ body }: Answer) => body.data.attributes.cover.data?.id
    assert.equal(shown(await api.get(`/pages/${id}?trash=only&populate=cover`)), file.id)
    await recorded()
    assert.equal(shown(await restore(id)), file.id)
    const [event] = await ends()
    assert.deepEqual(
      event?.filter(({ attribute }) => attribute === 'cover').map(({ id: other }) => other),
      [file.id],
    )
  })
})
