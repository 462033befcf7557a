import assert from 'node:assert/strict'
import { describe, it } from 'vitest'
import { createTestApp, definePlugin } from '../../core/index.js'

const anonymous = { scope: 'visitor' } as const
const thing = {
  ...{ uid: 'plugin::actor.thing', source: 'a test' },
  schema: { info: { singularName: 'thing', pluralName: 'things' }, attributes: { name: { type: 'string' } } },
}

/** A plugin that does something beside a write, in one transaction. */
const actor = definePlugin({
  name: 'actor',
  contentTypes: [thing],
  register: ({ entries, record, store }) => ({
    count: () => entries(thing.uid).count({}),
    act: () =>
      store.transaction(async session => {
        await entries(thing.uid, session).create({ name: 'done' })
        await record(
          { event: 'thing.turn', caller: anonymous, changes: { side: { from: 'left', to: 'right' } } },
          session,
        )
      }),
  }),
})

const serviceOf = (app: Awaited<ReturnType<typeof createTestApp>>) =>
  app.plugins.find(({ spec }) => spec.name === 'actor')?.service as { count(): Promise<number>; act(): Promise<void> }

describe('an action that a plugin tells of', () => {
  it('comes to every service that records, with the name of the plugin, in the transaction of the action', async () => {
    const heard: unknown[] = []
    const keeper = (name: string) =>
      definePlugin({
        name,
        register: ({ entries }) => ({
          own: name,
          async keepRecord(this: { own: string }, action: object, session: Parameters<typeof entries>[1]) {
            heard.push([this.own, action, await entries(thing.uid, session).count({})])
          },
        }),
      })
    const app = await createTestApp({ plugins: [keeper('one'), actor, keeper('two')] })
    await serviceOf(app).act()
    const action = {
      ...{ plugin: 'actor', event: 'thing.turn', caller: anonymous },
      changes: { side: { from: 'left', to: 'right' } },
    }
    assert.deepEqual(heard, [
      ['one', action, 1],
      ['two', action, 1],
    ])
  })

  it('is not done where it cannot be recorded', async () => {
    const keepRecord = () => {
      throw new Error('the record is full')
    }
    const app = await createTestApp({
      plugins: [actor, definePlugin({ name: 'full', register: () => ({ keepRecord }) })],
    })
    await assert.rejects(serviceOf(app).act(), /the record is full/)
    assert.equal(await serviceOf(app).count(), 0)
  })

  // Services often have all that the host has.
  const spread = definePlugin({ name: 'spread', register: host => ({ ...host }) })
  it('needs no plugin that records', async () => {
    const app = await createTestApp({ plugins: [actor, spread] })
    await serviceOf(app).act()
    assert.equal(await serviceOf(app).count(), 1)
  })
})
