import assert from 'node:assert/strict'
import { it } from 'vitest'
import { serve } from '../support/contract.js'
import { onEveryEngine } from '../support/every-engine.js'

const types = { note: { attributes: { name: { type: 'string' } } } }

onEveryEngine('statements that stay prepared', engine => {
  const server = serve(engine, { types })
  const place = engine.name === 'postgres' ? '$1' : '?'
  const texts = Array.from({ length: 1002 }, (_, number) => `select ${number}, name from notes where id = ${place}`)

  it('are prepared again when a thousand others came after them', async () => {
    const id = await server.make('/notes', { name: 'kept' })
    const found = await server.app.store.transaction(async session => {
      const rows: unknown[] = []
      // A number in a statement is of the widest type on MySQL, and arrives as text.
      for (const text of [...texts, ...texts.slice(0, 2)])
        for (const [number, name] of await session.all(text, [id])) rows.push([Number(number), name])
      return rows
    })
    assert.deepEqual(
      found,
      [...texts.keys(), 0, 1].map(number => [number, 'kept']),
    )
  })

  it('are not given up while they are used, whatever comes between', async () => {
    const id = await server.make('/notes', { name: 'kept' })
    const again = `select name from notes where id = ${place}`
    await server.app.store.transaction(async session => {
      for (const text of texts) {
        await session.all(text, [id])
        assert.deepEqual(await session.all(again, [id]), [['kept']])
      }
    })
  })
})
