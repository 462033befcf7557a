import assert from 'node:assert/strict'
import { it } from 'vitest'
import { serve } from '../support/contract.js'
import { onEveryEngine } from '../support/every-engine.js'

onEveryEngine('a snapshot', place => {
  const world = serve(place, { types: { note: { attributes: { text: { type: 'string' } } } } })

  it('shows one state of the database, while others write', async () => {
    const { entries, engine, store } = world.app
    const notes = entries('api::note.note')
    await notes.create({ text: 'first' })
    const statement = store.knex('notes').select('text').orderBy('id').toString()
    await engine.snapshot(async session => {
      assert.deepEqual(await session.all(statement, []), [['first']])
      await notes.create({ text: 'second' })
      await notes.update(1, { text: 'changed' })
      assert.deepEqual(await session.all(statement, []), [['first']])
    })
    assert.deepEqual(await store.reader.all(statement, []), [['changed'], ['second']])
  })

  it('ends with its work, also when that fails', async () => {
    const { engine } = world.app
    for (let index = 0; index < 15; index += 1)
      await assert.rejects(
        engine.snapshot(async session => {
          await session.all('select 1', [])
          throw new Error('enough')
        }),
        /enough/,
      )
    assert.equal(await engine.snapshot(async () => 'done'), 'done')
    assert.equal((await world.post('/notes', { text: 'later' })).status, 200)
  })
})
