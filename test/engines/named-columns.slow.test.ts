import assert from 'node:assert/strict'
import { it } from 'vitest'
import { createTestApp, definePlugin, type Host } from '../../core/index.js'
import { NamingValues } from '../../core/plugin-kit.js'
import { onEveryEngine } from '../support/every-engine.js'

onEveryEngine('the names of columns', engine => {
  it('are told of each statement that asks, inside a transaction and outside', async () => {
    const { database, drop } = await engine.fresh()
    let host!: Host
    const peek = definePlugin({
      name: 'peek',
      register(given) {
        host = given as Host
      },
    })
    const app = await createTestApp({
      plugins: [peek],
      config: { database },
      types: { tag: { attributes: { name: { type: 'string' }, grade: { type: 'integer' } } } },
    })
    const { store, entries } = host
    await entries('api::tag.tag').create({ name: 'a', grade: 3 })
    const ask = async (session: typeof store.reader) => {
      // The second time, the statement is known to the connection.
      for (let times = 0; times < 2; times += 1) {
        const values = NamingValues.from(['a'])
        const rows = await session.all('select name as called, grade + 1 as next from tags where name = ?', values)
        assert.deepEqual(
          values.columns.map(({ name }) => name),
          ['called', 'next'],
        )
        assert.deepEqual([rows[0]?.[0], Number(rows[0]?.[1])], ['a', 4])
      }
      const none = NamingValues.from([0])
      await session.all('select id from tags where id = ?', none)
      assert.deepEqual(
        none.columns.map(({ name }) => name),
        ['id'],
      )
    }
    await ask(store.reader)
    await store.transaction(async session => {
      // It is collected, and asked in one piece with the next one.
      void session.batch.run("insert into tags (name) values ('b')", [])
      await ask(session)
    })
    await app.close()
    await drop()
  })
})
