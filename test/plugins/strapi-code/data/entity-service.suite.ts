import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Loose } from '../../../../plugins/strapi-code/types.js'
import { defaultTypes, type World, type WorldOptions } from './world.js'

const item = 'api::item.item'
const tag = 'api::tag.tag'
const page = 'api::page.page'

const types = {
  ...defaultTypes,
  page: {
    pluginOptions: { i18n: { localized: true } },
    attributes: {
      title: { type: 'string', pluginOptions: { i18n: { localized: true } } },
      shared: { type: 'integer' },
    },
  },
  setting: { kind: 'singleType', attributes: { name: { type: 'string' } } },
}

/** The same on any database. */
export function entityServiceSuite(world: (options?: WorldOptions) => Promise<World>): void {
  describe('strapi.entityService', () => {
    let app: World
    let service: Loose
    beforeAll(async () => {
      app = await world({ types, plugins: { 'draft-and-publish': {}, i18n: { locales: ['en', 'de'] } } })
      service = app.entityService
      for (const name of ['red', 'green', 'blue']) await service.create(tag, { data: { name } })
      const publishedAt = new Date('2024-01-01')
      await service.create(item, {
        data: { title: 'Alpha', count: 1, tags: [2, 1], main: { id: 1 }, publishedAt, hidden: 'h', secret: 'word' },
      })
      await service.create(item, { data: { title: 'Beta', count: 2, tags: { connect: [{ id: 3 }] } } })
      await service.create(item, { data: { title: 'Gamma', count: 3, publishedAt } })
    })
    afterAll(() => app?.close())

    const titles = async (params: unknown) =>
      (await service.findMany(item, params)).map((one: { title: string }) => one.title)

    test('finds all rows, drafts too, without a limit of its own', async () => {
      expect(await titles({})).toEqual(['Alpha', 'Beta', 'Gamma'])
      expect(await titles({ publicationState: 'live' })).toEqual(['Alpha', 'Gamma'])
      expect(await service.count(item, { publicationState: 'live' })).toBe(2)
      expect(await titles({ limit: 0, sort: 'title:desc' })).toEqual(['Gamma', 'Beta', 'Alpha'])
      expect(
        await titles({ page: 2, pageSize: 1, pagination: { pageSize: 1 }, limit: 1, start: 1, sort: ['title'] }),
      ).toEqual(['Beta'])
      await expect(titles({ limit: 'x' })).rejects.toThrow(
        'convertLimitQueryParams expected a positive integer got NaN',
      )
      expect(await service.findMany('api::setting.setting')).toBe(null)
      await expect(service.findMany('api::nope.nope')).rejects.toThrow('Model api::nope.nope not found')
    })

    test('entries have private values and hashes; relations only where they are populated', async () => {
      const entry = await service.findOne(item, 1)
      expect(entry).toMatchObject({ id: 1, hidden: 'h', count: 1, publishedAt: '2024-01-01T00:00:00.000Z' })
      expect(entry.secret).toMatch(/^\$2[aby]\$10\$/)
      expect(entry).not.toHaveProperty('tags')
      expect(await service.findOne(item, 'abc')).toBe(null)
      expect(await service.findOne(item, 99, { populate: '*' })).toBe(null)
      await expect(service.findOne(item, undefined)).rejects.toThrow()
    })

    test('names and operators that there are not are dropped from filters, and refused elsewhere', async () => {
      expect(await titles({ filters: { nope: 1, title: { $nope: 2 }, $or: [{ x: 1 }], tags: { y: 2 } } })).toEqual([
        'Alpha',
        'Beta',
        'Gamma',
      ])
      expect(await titles({ filters: { tags: { name: { $eqi: 'RED' } } } })).toEqual(['Alpha'])
      expect(await titles({ filters: { secret: 'x' } })).toEqual(['Alpha', 'Beta', 'Gamma'])
      await expect(titles({ fields: ['nope'] })).rejects.toThrow(/nope/)
      await expect(titles({ sort: 'nope' })).rejects.toThrow('Attribute nope not found on model api::item.item')
      await expect(titles({ sort: ['title', { id: 'asc' }] })).rejects.toThrow(
        'Invalid order. order can only be one of asc|desc|ASC|DESC',
      )
      await expect(titles({ populate: true })).rejects.toThrow(
        'Invalid populate parameter. Expected a string, an array of strings, a populate object',
      )
    })

    test('fields and populate in their forms', async () => {
      const one = (params: unknown) => service.findOne(item, 1, params)
      expect(await one({ fields: 'title' })).toEqual({ id: 1, title: 'Alpha' })
      const names = [
        { id: 2, name: 'green' },
        { id: 1, name: 'red' },
      ]
      expect(await one({ fields: ['id'], populate: { tags: { fields: ['name'] } } })).toEqual({ id: 1, tags: names })
      expect(
        await one({
          fields: ['id'],
          populate: { tags: { fields: ['name'], sort: 'name:desc', limit: 1 }, nope: true, main: false },
        }),
      ).toEqual({ id: 1, tags: [names[1]] })
      expect(await one({ fields: ['id'], populate: { tags: { count: true } } })).toEqual({ id: 1, tags: { count: 2 } })
      expect((await one({ fields: ['id'], populate: ['main.items', 'tags'] })).main.items).toEqual([
        expect.objectContaining({ title: 'Alpha' }),
      ])
      expect(Object.keys(await one({ populate: '*' }))).toEqual(
        expect.arrayContaining(['tags', 'main', 'part', 'boxes', 'zone', 'createdBy', 'updatedBy']),
      )
      expect(Object.keys(await one({ fields: ['id'], populate: 'tags, main' }))).toEqual(['id', 'tags', 'main'])
    })

    test('pages', async () => {
      expect(await service.findPage(item, { page: 2, pageSize: 2, fields: ['title'], sort: 'id' })).toEqual({
        results: [{ id: 3, title: 'Gamma' }],
        pagination: { page: 2, pageSize: 2, pageCount: 2, total: 3 },
      })
      expect((await service.findPage(item)).pagination).toEqual({ page: 1, pageSize: 10, pageCount: 1, total: 3 })
      await expect(service.findPage(item, { page: 0 })).rejects.toMatchObject({ name: 'PaginationError' })
    })

    test('writes are checked against the schema, drafts less so', async () => {
      const wrong = (data: unknown) =>
        service
          .create(item, { data })
          .catch((error: Loose) => [
            error.name,
            error.message,
            error.details?.errors?.map(({ path }: Loose) => path.join('.')),
          ])
      expect(await wrong({})).toEqual(['ValidationError', 'title must be defined.', ['title']])
      expect(await wrong({ title: 'x', count: -1, kind: 'c' })).toEqual([
        'ValidationError',
        '3 errors occurred',
        ['title', 'count', 'kind'],
      ])
      expect(await wrong({ title: 'xy', count: 'abc' })).toEqual([
        'ValidationError',
        'count must be a `number` type, but the final value was: `NaN` (cast from the value `"abc"`).',
        ['count'],
      ])
      expect(await wrong({ title: 'xy', main: 99 })).toEqual([
        'ValidationError',
        '1 relation(s) of type api::tag.tag associated with this entity do not exist',
        [''],
      ])
      expect(await wrong({ title: 'xy', boxes: [{ inner: {} }] })).toEqual([
        'ValidationError',
        'boxes[0].inner.label must be defined.',
        ['boxes.0.inner.label'],
      ])
      expect((await wrong({ publishedAt: null, count: -1 }))[1]).toBe('count must be greater than or equal to 0')
      const draft = await service.create(item, { data: { publishedAt: null, slug: 's' } })
      expect([draft.title, draft.open, draft.publishedAt]).toEqual([null, true, null])
      expect((await wrong({ title: 'xy', slug: 's' }))[1]).toBe('This attribute must be unique')
      expect(await service.update(item, draft.id, { data: { slug: 's', title: '' }, fields: ['slug'] })).toEqual({
        id: draft.id,
        slug: 's',
      })
      await expect(service.update(item, 1, { data: { title: '' } })).rejects.toThrow(
        'title must be at least 2 characters',
      )
      await expect(service.create(item, {})).rejects.toThrow('cannot create')
      await expect(service.update(item, 1, {})).rejects.toMatchObject({
        name: 'ValidationError',
        message:
          'Invalid payload submitted for the update of an entity of type item. Expected an object, but got undefined',
      })
      await expect(service.create('api::nope.nope', { data: {} })).rejects.toMatchObject({
        name: 'ValidationError',
        message: 'Invalid relations',
      })
      expect(await service.delete(item, draft.id)).toMatchObject({ id: draft.id, slug: 's' })
      expect(await service.delete(item, draft.id)).toBe(null)
      expect(await service.update(item, draft.id, { data: {} })).toBe(null)
    })

    test('dates that cannot be read are refused by name', async () => {
      const wrong = (data: object) =>
        service
          .create(item, { data: { title: 'dated', ...data } })
          .catch(({ name, message, details }: Loose) => [name, message, details])
      expect(await wrong({ at: '2024-02-30' })).toEqual([
        'ValidationError',
        'Invalid format, expected a timestamp or an ISO date',
        {},
      ])
      expect(await wrong({ day: '2024-02-30' })).toEqual(['ValidationError', 'Invalid date', {}])
      expect(await wrong({ day: '1.2.2024' })).toEqual(['ValidationError', 'Invalid format, expected yyyy-MM-dd', {}])
      expect(await wrong({ time: '25:00:00' })).toEqual([
        'ValidationError',
        'Invalid time format, expected HH:mm:ss.SSS',
        {},
      ])
      expect(await wrong({ time: 5 })).toEqual(['ValidationError', 'Expected a string, got a number', {}])
      await expect(service.findMany(item, { filters: { at: 'x' } })).rejects.toMatchObject({ name: 'ValidationError' })
      await expect(app.db.query(item).findMany({ where: { at: 'x' } })).rejects.toMatchObject({
        name: 'InvalidDatetimeFormat',
      })
      const made = await service.create(item, {
        data: { title: 'dated', at: '2024-02-29 10:00:00+02', day: '2024-02-29T23:00:00Z', time: '01:02:03.4' },
      })
      expect([made.at, made.day, made.time]).toEqual(['2024-02-29T08:00:00.000Z', '2024-02-29', '01:02:03.400'])
      await service.deleteMany(item, { filters: { title: 'dated' } })
    })

    test('of many that want a unique value at once, one gets it', async () => {
      const wish = (at: number) =>
        service.create(item, { data: { title: `wish ${at}`, slug: 'wanted', part: { label: 'x' } } })
      const done = await Promise.allSettled(Array.from({ length: 20 }, (_, at) => wish(at)))
      expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      for (const one of done)
        if (one.status === 'rejected') expect(one.reason.message).toBe('This attribute must be unique')
      expect(
        await app.rows(
          "select count(*) from items where slug = 'wanted' union all select count(*) from components_c_parts",
        ),
      ).toEqual([[1], [1]])
      await service.deleteMany(item, { filters: { slug: 'wanted' } })
    })

    test('ids and times are taken as they are given', async () => {
      const made = await service.create(tag, { data: { id: 50, name: 'given', createdAt: '2020-01-01', nope: 1 } })
      expect(made).toMatchObject({ id: 50, createdAt: '2020-01-01T00:00:00.000Z' })
      await service.delete(tag, 50)
    })

    test('components are kept by their ids, and foreign ones refused', async () => {
      const data = {
        title: 'Parts',
        part: { label: 'p', tag: 1 },
        boxes: [{ size: 1, inner: { label: 'a' } }, { size: 2 }],
        zone: [
          { __component: 'c.box', size: 3 },
          { __component: 'c.part', label: 'z' },
        ],
      }
      const populate = { part: { populate: ['tag'] }, boxes: { populate: '*' }, zone: true }
      const made = await service.create(item, { data, populate })
      expect(made).toMatchObject({
        part: { label: 'p', tag: { name: 'red' } },
        boxes: [
          { size: 1, inner: { label: 'a' } },
          { size: 2, inner: null },
        ],
        zone: [
          { __component: 'c.box', size: 3 },
          { __component: 'c.part', label: 'z' },
        ],
      })
      const [, second] = made.boxes
      const changed = await service.update(item, made.id, {
        data: {
          boxes: [{ id: second.id, size: 5 }, { size: 6 }],
          zone: [{ __component: 'c.part', id: made.zone[1].id, label: 'z2' }],
          part: null,
        },
        populate,
      })
      expect(changed).toMatchObject({
        part: null,
        boxes: [{ id: second.id, size: 5 }, { size: 6 }],
        zone: [{ label: 'z2' }],
      })
      await expect(service.update(item, made.id, { data: { boxes: [{ id: 99 }] } })).rejects.toMatchObject({
        name: 'ApplicationError',
        message: 'Some of the provided components in boxes are not related to the entity',
      })
      await service.delete(item, made.id)
      expect(
        await app.rows(
          'select count(*) from components_c_parts union all select count(*) from components_c_boxs union all select count(*) from items_components',
        ),
      ).toEqual([[0], [0], [0]])
    })

    test('locales: lists are of the default one unless they say which', async () => {
      const en = await service.create(page, { data: { title: 'en', shared: 1 } })
      const de = await service.create(page, {
        data: { title: 'de', locale: 'de', localizations: [en.id], shared: 1 },
        populate: ['localizations'],
      })
      expect([en.locale, de.locale, de.localizations.map(({ id }: Loose) => id)]).toEqual(['en', 'de', [en.id]])
      const found = async (params: unknown) => (await service.findMany(page, params)).map(({ title }: Loose) => title)
      expect(await found({})).toEqual(['en'])
      expect(await found({ locale: 'de' })).toEqual(['de'])
      expect(await found({ locale: 'all', sort: 'id' })).toEqual(['en', 'de'])
      expect([
        await found({ locale: undefined }),
        await found({ locale: null }),
        await found({ locale: 'xx' }),
      ]).toEqual([[], [], []])
      expect(await service.count(page)).toBe(1)
      expect(
        (await service.findOne(page, de.id, { locale: 'en', populate: ['localizations'] })).localizations,
      ).toMatchObject([{ title: 'en' }])
      expect((await service.findOne(page, en.id, { populate: ['localizations'] })).localizations).toMatchObject([
        { title: 'de' },
      ])
      await expect(service.create(page, { data: { locale: 'xx' } })).rejects.toMatchObject({
        name: 'ApplicationError',
        message: "This locale doesn't exist",
      })
      await service.update(page, en.id, { data: { locale: 'de', shared: 2 }, populate: ['localizations'] })
      expect(await service.findMany(page, { locale: 'all', fields: ['locale', 'shared'], sort: 'id' })).toEqual([
        { id: en.id, locale: 'en', shared: 2 },
        { id: de.id, locale: 'de', shared: 2 },
      ])
      expect((await app.db.query(page).create({ data: { title: 'by query' } })).locale).toBe('en')
      expect(await service.deleteMany(page, { locale: 'all' })).toEqual({ count: 3 })
    })

    test('the event hub hears of its writes, without what is private', async () => {
      app.emitted.length = 0
      const made = await service.create(item, { data: { title: 'Heard', hidden: 'x', secret: 'y' } })
      await service.update(item, made.id, { data: { count: 9 } })
      await app.db.query(item).update({ where: { id: made.id }, data: { count: 10 } })
      await service.delete(item, made.id)
      expect(app.emitted.map(([event]) => event)).toEqual(['entry.create', 'entry.update', 'entry.delete'])
      expect(app.emitted[0]?.[1]).toMatchObject({ model: 'item', uid: item, entry: { title: 'Heard' } })
      for (const name of ['hidden', 'secret']) expect(app.emitted[0]?.[1].entry).not.toHaveProperty(name)
    })

    test('clone, load and pages behind a link', async () => {
      const made = await service.clone(item, 1, { data: { title: 'Clone' }, populate: ['tags'] })
      expect(made).toMatchObject({ title: 'Clone', count: 1, tags: [{ id: 2 }, { id: 1 }] })
      expect(await service.load(item, made, 'tags', { fields: ['name'], sort: 'name:desc' })).toEqual([
        { id: 1, name: 'red' },
        { id: 2, name: 'green' },
      ])
      expect(await service.loadPages(item, made, 'tags', { fields: ['name'] }, { page: 2, pageSize: 1 })).toEqual({
        results: [{ id: 1, name: 'red' }],
        pagination: { page: 2, pageSize: 1, pageCount: 2, total: 2 },
      })
      expect(
        (await service.findWithRelationCounts(item, { filters: { id: made.id }, populate: { tags: true } }))[0].tags,
      ).toEqual({ count: 2 })
    })
  })
}
