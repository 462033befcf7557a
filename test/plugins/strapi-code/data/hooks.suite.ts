import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Call, definePlugin, type Row } from '../../../../core/index.js'
import { ApplicationError } from '../../../../plugins/strapi-code/packages/utils/errors.js'
import type { Bag, Loose } from '../../../../plugins/strapi-code/types.js'
import type { World, WorldOptions } from './world.js'

const tag = 'api::tag.tag'

type Open = (options?: WorldOptions) => Promise<World>

/** What a database says when it wants a transaction again; the one that has one writer never does. */
const conflicts: Record<string, string> = {
  postgres: "do $$ begin raise exception 'again' using errcode = '40001'; end $$",
  mysql: "signal sqlstate '40001' set mysql_errno = 1213, message_text = 'again'",
}

/** A plugin under which every third write has its transaction repeated, once. */
function repeating(engine: () => string | undefined) {
  const seen = new Set<string>()
  let count = 0
  const plugin = definePlugin({
    name: 'repeating',
    hooks: {
      async afterWrite(row: Row, { session, type }: Call) {
        if (type.uid !== tag) return
        const key = String(row.name)
        if (!/[0369]$/.test(key) || seen.has(key)) return
        seen.add(key)
        const sql = conflicts[engine() ?? '']
        if (sql === undefined) return
        count += 1
        await session.run(sql, [])
      },
    },
  })
  return { plugin, repeats: () => count }
}

const post = (app: World, path: string, data: Bag) =>
  app.inject({ method: 'POST', url: `/api/${path}`, payload: { data } })

/** Writes that code does not do itself, on any database. */
export function hooksSuite(open: Open): void {
  describe('events of writes that come from elsewhere', () => {
    let app: World
    const heard: string[] = []
    let handlers: Bag
    beforeAll(async () => {
      app = await open({ plugins: { 'draft-and-publish': {}, bulk: {}, trash: {} } })
      app.db.lifecycles.subscribe((event: Bag) => {
        if (event.model.uid === tag) heard.push(event.action)
        return handlers[event.action]?.(event)
      })
    })
    afterAll(() => app?.close())

    test('before-events change and refuse, after-events see what is stored', async () => {
      const results: Loose[] = []
      handlers = {
        beforeCreate({ params }: Bag) {
          if (params.data.name === 'bad') throw new ApplicationError('refused', { name: 'bad' })
          params.data.rank = 7
        },
        afterCreate: ({ result, params }: Bag) => void results.push([result.name, result.rank, params.data.rank]),
        beforeDelete: ({ params }: Bag) => void results.push(params.where),
        afterDelete: ({ result }: Bag) => void results.push(result.name),
      }
      heard.length = 0
      const made = await post(app, 'tags', { name: 'new' })
      expect([made.statusCode, made.json().data.attributes.rank, results]).toEqual([200, 7, [['new', 7, 7]]])
      expect(heard).toEqual(['beforeCreate', 'beforeFindOne', 'afterFindOne', 'afterCreate'])
      const refused = await post(app, 'tags', { name: 'bad' })
      expect([refused.statusCode, refused.json().error]).toEqual([
        400,
        { status: 400, name: 'ApplicationError', message: 'refused', details: { name: 'bad' } },
      ])
      expect(await app.db.query(tag).count({ where: { name: 'bad' } })).toBe(0)
      const { id } = made.json().data
      heard.length = 0
      results.length = 0
      await app.inject({ method: 'PUT', url: `/api/tags/${id}`, payload: { data: { name: 'other' } } })
      expect(heard.splice(0)).toEqual(['beforeUpdate', 'beforeFindOne', 'afterFindOne', 'afterUpdate'])
      await app.inject({ method: 'DELETE', url: `/api/tags/${id}` })
      expect(heard).toEqual(['beforeDelete', 'beforeFindOne', 'afterFindOne', 'afterDelete'])
      expect(results).toEqual([{ id }, 'other'])
      handlers = {}
    })

    test('an error after the commit leaves the write, and the response', async () => {
      handlers = { afterCreate: () => Promise.reject(new Error('too late')) }
      const made = await post(app, 'tags', { name: 'late' })
      expect([made.statusCode, await app.db.query(tag).count({ where: { name: 'late' } })]).toEqual([200, 1])
      handlers = {}
    })

    test('handlers may read and write, and fire no events twice', async () => {
      handlers = {
        afterCreate: ({ result }: Bag) =>
          result.name === 'one' ? app.db.query(tag).create({ data: { name: 'two' } }) : undefined,
      }
      heard.length = 0
      await post(app, 'tags', { name: 'one' })
      expect(heard.filter(name => name === 'afterCreate')).toHaveLength(2)
      handlers = {}
    })

    test('who listens to the event hub hears of them, without what is private', async () => {
      handlers = {}
      app.emitted.length = 0
      await post(app, 'items', { title: 'unheard' })
      for (const name of ['create', 'update', 'delete']) app.listens.add(`entry.${name}`)
      const { id } = (await post(app, 'items', { title: 'heard', hidden: 'x' })).json().data
      await app.inject({ method: 'PUT', url: `/api/items/${id}`, payload: { data: { title: 'changed' } } })
      await app.inject({ method: 'DELETE', url: `/api/items/${id}` })
      app.listens.clear()
      expect(app.emitted.map(([event, { entry }]) => [event, entry.title])).toEqual([
        ['entry.create', 'heard'],
        ['entry.update', 'changed'],
        ['entry.delete', 'changed'],
      ])
      expect(app.emitted[0]?.[1].entry).not.toHaveProperty('hidden')
    })

    test('each entry of many at once has its own', async () => {
      heard.length = 0
      const payload = { operations: ['a', 'b', 'c'].map(name => ({ create: { name } })) }
      const made = await app.inject({ method: 'POST', url: '/api/tags/bulk', payload })
      expect(made.statusCode, made.body).toBe(200)
      expect(heard.filter(name => name === 'afterCreate')).toHaveLength(3)
    })
  })

  describe('after-events in the transaction', () => {
    let app: World
    let fails = false
    beforeAll(async () => {
      app = await open({ afterEvents: 'transaction' })
      app.db.lifecycles.subscribe({
        models: [tag],
        async afterCreate({ result }: Bag) {
          await app.db.query(tag).update({ where: { id: result.id }, data: { rank: 5 } })
          if (fails) throw new ApplicationError('undone')
        },
      })
    })
    afterAll(() => app?.close())

    test('write in it, and undo it by what they throw', async () => {
      const made = await post(app, 'tags', { name: 'x' })
      expect([made.statusCode, made.json().data.attributes.rank]).toEqual([200, 5])
      fails = true
      const undone = await post(app, 'tags', { name: 'y' })
      expect([undone.statusCode, undone.json().error.message]).toEqual([400, 'undone'])
      expect(await app.db.query(tag).count({ where: { name: 'y' } })).toBe(0)
    })
  })

  describe('after-events in the transaction, under many writers', () => {
    let app: World
    let repeats: () => number
    beforeAll(async () => {
      const again = repeating(() => app?.host.store.engine)
      repeats = again.repeats
      app = await open({ afterEvents: 'transaction', beside: [again.plugin] })
      app.db.lifecycles.subscribe({
        models: [tag],
        async afterCreate({ result }: Bag) {
          if (result.name.startsWith('shadow')) return
          await app.db.query(tag).create({ data: { name: `shadow of ${result.name}x` } })
          if (/5$/.test(result.name)) throw new ApplicationError('undone')
        },
      })
    })
    afterAll(() => app?.close())

    test('what they write is stored once with each write that is stored, and with no other', async () => {
      const names = Array.from({ length: 40 }, (_, at) => `made ${at}`)
      const answers = await Promise.all(names.map(name => post(app, 'tags', { name })))
      const kept = names.filter((_, at) => answers[at].statusCode === 200)
      expect(kept).toHaveLength(36)
      const stored = (await app.db.query(tag).findMany({ orderBy: 'id' })).map(({ name }: Bag) => name)
      expect(stored.sort()).toEqual([...kept, ...kept.map(name => `shadow of ${name}x`)].sort())
      if (conflicts[app.host.store.engine]) expect(repeats()).toBe(16)
    })
  })

  describe('after-events under many writers', () => {
    let app: World
    let repeats: () => number
    const counted = new Map<string, number>()
    const before = new Map<string, number>()
    const note = (map: Map<string, number>, key: string) => void map.set(key, (map.get(key) ?? 0) + 1)
    beforeAll(async () => {
      const again = repeating(() => app?.host.store.engine)
      repeats = again.repeats
      app = await open({ beside: [again.plugin] })
      app.db.lifecycles.subscribe({
        models: [tag],
        beforeCreate({ params }: Bag) {
          note(before, params.data.name)
          if (/5$/.test(params.data.name)) throw new ApplicationError('no')
        },
        afterCreate: ({ result }: Bag) => note(counted, result.name),
        afterUpdate: ({ result }: Bag) => note(counted, `update ${result.name}`),
        afterDelete: ({ result }: Bag) => note(counted, `delete ${result.name}`),
      })
    })
    afterAll(() => app?.close())

    /** The writers by name whose write is stored. */
    const stored = async (start: string): Promise<string[]> =>
      (await app.db.query(tag).findMany({ where: { name: { $startsWith: start } } }))
        .map(({ name }: Bag) => name)
        .sort()
    const names = (start: string) => Array.from({ length: 60 }, (_, index) => `${start}${index}`)
    const once = (list: readonly string[]) => Object.fromEntries(list.map(name => [name, 1]))
    const heardOf = (map: Map<string, number>, start: string) =>
      Object.fromEntries([...map].filter(([name]) => name.startsWith(start)))

    test('requests: each that is stored has one, however often it was repeated', async () => {
      const answers = await Promise.all(names('rest').map(name => post(app, 'tags', { name })))
      const kept = await stored('rest')
      expect(answers.filter(({ statusCode }: Loose) => statusCode === 200)).toHaveLength(54)
      expect(kept).toHaveLength(54)
      expect(heardOf(counted, 'rest')).toEqual(once(kept))
      expect(heardOf(before, 'rest')).toEqual(once(names('rest')))
      if (conflicts[app.host.store.engine]) expect(repeats()).toBe(24)
    })

    test('code: each that is stored has one, however often it was repeated', async () => {
      const done = await Promise.allSettled(names('code').map(name => app.db.query(tag).create({ data: { name } })))
      const kept = await stored('code')
      expect([done.filter(({ status }) => status === 'fulfilled').length, kept.length]).toEqual([54, 54])
      expect(heardOf(counted, 'code')).toEqual(once(kept))
      if (conflicts[app.host.store.engine]) expect(repeats()).toBe(48)
    })

    test('updates and deletes of the same rows from both sides', async () => {
      const rows: Bag[] = await app.db.query(tag).findMany({ where: { name: { $startsWith: 'rest' } }, orderBy: 'id' })
      const some = rows.slice(0, 20)
      const updates = some.flatMap(({ id, name }) => [
        app
          .inject({ method: 'PUT', url: `/api/tags/${id}`, payload: { data: { rank: 1 } } })
          .then(({ statusCode }: Loose) => statusCode === 200 && name),
        app.db
          .query(tag)
          .update({ where: { id }, data: { rank: 2 } })
          .then((result: Loose) => result && name),
      ])
      const updated = (await Promise.all(updates)).filter(Boolean)
      expect(updated).toHaveLength(40)
      expect(heardOf(counted, 'update rest')).toEqual(Object.fromEntries(some.map(({ name }) => [`update ${name}`, 2])))
      const deletes = some.map(({ id, name }) =>
        app
          .inject({ method: 'DELETE', url: `/api/tags/${id}` })
          .then(({ statusCode }: Loose) => statusCode === 200 && name),
      )
      expect((await Promise.all(deletes)).filter(Boolean)).toHaveLength(20)
      expect(heardOf(counted, 'delete rest')).toEqual(once(some.map(({ name }) => `delete ${name}`)))
    })

    test('transactions of code: rows are those of the ones that were not rolled back', async () => {
      const done = await Promise.allSettled(
        names('trx').map((name, index) =>
          app.db.transaction(async () => {
            await app.db.query(tag).create({ data: { name } })
            if (index % 2 === 1) throw new Error('back')
            return name
          }),
        ),
      )
      const kept = done.flatMap(one => (one.status === 'fulfilled' ? [one.value as string] : []))
      expect(await stored('trx')).toEqual(kept.sort())
      for (const name of kept) expect([name, counted.get(name)]).toEqual([name, 1])
      // What code has done in its own transaction is not done again.
      for (const [, times] of Object.entries(heardOf(counted, 'trx'))) expect(times).toBe(1)
    })
  })
}
