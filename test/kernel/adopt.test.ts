import { strict as assert } from 'node:assert'
import { it } from 'vitest'
import { createTestApp, definePlugin, type Written } from '../../core/index.js'
import type { DatabaseSettings } from '../support/engines.js'
import { onEveryEngine } from '../support/every-engine.js'
import { run } from '../support/run.js'

const types = {
  note: { attributes: { text: { type: 'string' } } },
  other: { attributes: { text: { type: 'string' } } },
}

onEveryEngine('a plugin that begins to apply to a type', engine => {
  /** Starts an app with the plugin applying to these types, and tells what it adopted since when. */
  const adoptions = async (database: DatabaseSettings, applies: readonly string[] | undefined, fails = false) => {
    const told: (readonly [string, Date | undefined])[] = []
    const keeper = definePlugin({
      name: 'keeper',
      appliesTo: ({ singularName }) => applies?.includes(singularName) ?? false,
      register: ({ store }) => store,
      once: [
        {
          forEach: 'type',
          async run({ type, since, session }, { knex }) {
            told.push([type.singularName, since])
            const { sql, bindings } = knex(type.table).insert({ text: 'adopted' }).toSQL().toNative()
            await session.run(sql, bindings)
            if (fails) throw new Error('too heavy')
          },
        },
      ],
    })
    const app = await createTestApp({ types, config: { database }, plugins: applies ? [keeper] : [] })
    await app.close()
    return told
  }
  const count = async (database: DatabaseSettings) =>
    Number((await run(database, 'select count(*) as n from notes'))[0]?.n)

  it('adopts it once, and again after a time without it', async () => {
    const { database, drop } = await engine.fresh()
    try {
      assert.deepEqual(await adoptions(database, ['note']), [['note', undefined]])
      assert.deepEqual(await adoptions(database, ['note']), [])
      assert.deepEqual(await adoptions(database, ['note', 'other']), [['other', undefined]])
      const before = Date.now()
      assert.deepEqual(await adoptions(database, ['other']), [])
      const after = Date.now()
      assert.deepEqual(await adoptions(database, undefined), [])
      const [[name, since] = ['', undefined]] = await adoptions(database, ['note'])
      assert.equal(name, 'note')
      // From the first start without it, not from the last.
      assert.ok(since && since.getTime() >= before && since.getTime() <= after, `${since?.toISOString()}`)
      assert.equal(await count(database), 2)
    } finally {
      await drop()
    }
  })
  it('stops the start where it cannot, and does it at the next one', async () => {
    const { database, drop } = await engine.fresh()
    try {
      await assert.rejects(adoptions(database, ['note'], true), {
        name: 'BootError',
        message: 'keeper could not adopt api::note.note: too heavy',
      })
      assert.equal(await count(database), 0)
      assert.deepEqual(await adoptions(database, ['note']), [['note', undefined]])
      assert.equal(await count(database), 1)
    } finally {
      await drop()
    }
  })
})

it('a parameter has a value of its own for code, that code may set', async () => {
  const asked: unknown[] = []
  const loud = definePlugin({
    name: 'loud',
    params: { volume: { read: Number, default: 1, byCode: 2 } },
    hooks: {
      beforeFind(query, { params }) {
        asked.push(params.volume)
        return query
      },
    },
  })
  const app = await createTestApp({ types, plugins: [loud] })
  await app.inject('/api/notes')
  const notes = app.entries('api::note.note')
  await notes.find()
  await notes.find({ params: { volume: 3 } })
  assert.deepEqual(asked, [1, 2, 3])
  await app.close()
})

it('hooks after a write see how it was shaped', async () => {
  const seen: Written['write'][] = []
  const shaper = definePlugin({
    name: 'shaper',
    hooks: {
      beforeWrite: write => ({ ...write, data: { ...write.data, text: 'shaped' } }),
      afterWrite: (_, { write }) => void seen.push(write),
    },
  })
  const app = await createTestApp({ types, plugins: [shaper] })
  await app.inject({ method: 'POST', url: '/api/notes', payload: { data: { text: 'sent' } } })
  assert.deepEqual(
    seen.map(({ action, data }) => [action, data]),
    [['create', { text: 'shaped' }]],
  )
  await app.close()
})
