import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Bag, Loose } from '../../../../plugins/strapi-code/types.js'
import { defaultTypes, type World, type WorldOptions } from './world.js'

const user = 'plugin::users-permissions.user'
const role = 'plugin::users-permissions.role'
const permission = 'plugin::users-permissions.permission'
const store = 'strapi::core-store'
const doc = 'api::doc.doc'

/** Models that are no types of the app, on any database. */
export function modelsSuite(open: (options?: WorldOptions) => Promise<World>): void {
  describe('models of plugins and of the server', () => {
    let app: World
    let query: (uid: string) => Loose
    beforeAll(async () => {
      const types = {
        ...defaultTypes,
        doc: {
          attributes: {
            name: { type: 'string' },
            files: { type: 'media', multiple: true },
            cover: { type: 'media' },
            author: { type: 'relation', relation: 'manyToOne', target: user },
          },
        },
      }
      const plugins = {
        'draft-and-publish': {},
        i18n: {},
        upload: {},
        'users-permissions': { jwtSecret: 'f'.repeat(40) },
      }
      app = await open({ types, plugins })
      query = app.db.query
    })
    afterAll(() => app?.close())

    test('roles and permissions', async () => {
      const open = await query(role).findOne({ where: { type: 'public' } })
      const made = await query(permission).create({
        data: { action: 'api::doc.doc.find', role: open.id },
        populate: ['role'],
      })
      expect([made.action, made.role.type]).toEqual(['api::doc.doc.find', 'public'])
      const whole = await query(role).findOne({
        where: { id: open.id },
        populate: { permissions: { where: { action: { $startsWith: 'api::' } } } },
      })
      expect(whole.permissions.map(({ action }: Bag) => action)).toEqual(['api::doc.doc.find'])
      expect((await query(role).update({ where: { id: open.id }, data: { description: 'changed' } })).description).toBe(
        'changed',
      )
      expect(
        await query(permission).deleteMany({ where: { role: { type: 'public' }, action: 'api::doc.doc.find' } }),
      ).toEqual({ count: 1 })
    })

    test('accounts: hashed by entityService alone, and stored as they are given', async () => {
      const data = { username: 'ada', email: 'Ada@Example.test', password: 'secret1' }
      const made = await app.entityService.create(user, { data, populate: ['role'] })
      expect([made.email, made.role]).toEqual(['Ada@Example.test', null])
      expect(made.password).toMatch(/^\$2[aby]\$10\$/)
      const plain = await query(user).create({ data: { ...data, username: 'bo', password: 'as it is' } })
      expect([plain.password, plain.confirmed, plain.blocked]).toEqual(['as it is', false, false])
      const changed = await app.entityService.update(user, plain.id, {
        data: { password: 'secret2', role: 1 },
        populate: ['role'],
      })
      expect([changed.password === 'secret2', changed.role.id]).toEqual([false, 1])
      const author = await app.entityService.create(doc, {
        data: { name: 'by', author: made.id },
        populate: { author: { fields: ['username'] } },
      })
      expect(author.author).toEqual({ id: made.id, username: 'ada' })
      expect(await query(doc).count({ where: { author: { username: 'ada' } } })).toBe(1)
    })

    test('files and what they belong to', async () => {
      const file = { hash: 'h', mime: 'text/plain', size: 1, url: '/u', provider: 'local' }
      const ids: number[] = []
      for (const name of ['a', 'b', 'c'])
        ids.push((await query('plugin::upload.file').create({ data: { ...file, name } })).id)
      const [a, b, c] = ids
      const made = await app.entityService.create(doc, {
        data: { name: 'd', files: [c, a], cover: b },
        populate: ['files', 'cover'],
      })
      expect([made.files.map(({ id }: Bag) => id), made.cover.id]).toEqual([[c, a], b])
      const one = await query('plugin::upload.file').findOne({ where: { id: b }, populate: ['related'] })
      expect(one.related).toMatchObject([{ __type: doc, id: made.id, name: 'd' }])
      const changed = await query(doc).update({
        where: { id: made.id },
        data: { files: [b], cover: null },
        populate: ['files', 'cover'],
      })
      expect([changed.files.map(({ name }: Bag) => name), changed.cover]).toEqual([['b'], null])
      await app.entityService.delete(doc, made.id)
      expect(await app.rows('select count(*) from files_related_morphs')).toEqual([[0]])
    })

    test('who made an entry', async () => {
      const admin = await query('admin::user').create({ data: { firstname: 'Root', password: 'kept' } })
      expect([admin.firstname, admin.password, admin.createdAt === null]).toEqual(['Root', 'kept', false])
      const made = await app.entityService.create(doc, {
        data: { name: 'made', createdBy: admin.id, updatedBy: admin.id },
        populate: '*',
      })
      expect([made.createdBy.firstname, made.updatedBy.id]).toEqual(['Root', admin.id])
      expect(await query(doc).findMany({ where: { createdBy: { firstname: 'Root' } }, select: ['name'] })).toEqual([
        { name: 'made' },
      ])
    })

    test('the store of settings', async () => {
      const made = await query(store).create({ data: { key: 'plugin_mine_k', value: '{"a":1}', type: 'object' } })
      expect(made).toMatchObject({
        key: 'plugin_mine_k',
        value: '{"a":1}',
        type: 'object',
        environment: null,
        tag: null,
      })
      expect(
        await query(store).update({ where: { key: 'plugin_mine_k' }, data: { value: '2' }, select: ['value'] }),
      ).toEqual({ value: '2' })
      expect((await query(store).findOne({ where: { key: 'plugin_i18n_default_locale' } })).value).toBe('"en"')
      await query(store).delete({ where: { id: made.id } })
      expect(await query(store).count({ where: { key: 'plugin_mine_k' } })).toBe(0)
    })

    test('an account whose password code has changed has no sessions any more', async () => {
      const { id } = await query(user).findOne({ where: { username: 'ada' } })
      await app.entityService.update(user, id, { data: { password: 'another1' } })
      expect(
        await app.rows(
          `select count(*) from stele_user_stamps where ${app.host.store.knex.client.wrapIdentifierImpl('user')} = ${id}`,
        ),
      ).toEqual([[1]])
    })
  })
}
