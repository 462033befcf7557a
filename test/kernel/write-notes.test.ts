import { strict as assert } from 'node:assert'
import { it } from 'vitest'
import { createTestApp, definePlugin, type Host, type Session } from '../../core/index.js'
import { onEveryEngine } from '../support/every-engine.js'

const types = { note: { attributes: { text: { type: 'text' } } } }

/** Runs statements on the connection of writes. */
const operator = definePlugin({
  name: 'operator',
  register: (host: Host) => host,
  routes: [
    {
      method: 'POST',
      path: '/operator',
      action: null,
      async run({ service: { store }, body }) {
        const asks = (sql: string) => /^(pragma|select)/.test(sql)
        for (const sql of body as string[])
          await store.transaction(async (session: Session) => session[asks(sql) ? 'all' : 'run'](sql, []))
        return 'done'
      },
    },
  ],
})

onEveryEngine('a database that has no room left', engine => {
  // A full disk on each engine, by a limit of its file, and by triggers with its own error number.
  const full = {
    sqlite: ['pragma max_page_count = 1'],
    mysql: ["create trigger full before insert on notes for each row signal sqlstate 'HY000' set mysql_errno = 1021"],
    postgres: [
      "create function full_disk() returns trigger language plpgsql as $$ begin raise exception using errcode = '53100'; end $$",
      'create trigger full_disk before insert on notes for each row execute function full_disk()',
    ],
  }[engine.name]
  const roomy = {
    sqlite: ['pragma max_page_count = 1000000'],
    mysql: ['drop trigger full'],
    postgres: ['drop trigger full_disk on notes'],
  }[engine.name]

  it('is told in the notes of a server that is ready, from the first write that fails to one that is stored', async () => {
    const fresh = await engine.fresh()
    const app = await createTestApp({
      types,
      plugins: [operator],
      config: { database: fresh.database, api: { rest: { public: true } } },
    })
    try {
      const ready = async () => {
        const { statusCode, payload } = await app.inject('/_health/ready')
        return { status: statusCode, ...JSON.parse(payload) }
      }
      const post = (url: string, payload: object) => app.inject({ method: 'POST', url: `/api${url}`, payload })
      const create = async (text: string) => (await post('/notes', { data: { text } })).statusCode
      // More than there is room for in the pages that the file has.
      const large = 'x'.repeat(200_000)
      const well = { status: 200, ready: true, problems: [] }
      assert.equal(await create('first'), 200)
      assert.deepEqual(await ready(), well)
      assert.equal((await post('/operator', full)).statusCode, 200)
      assert.deepEqual(await ready(), well, 'nothing is known before a write')
      const before = Date.now()
      for (const _ of [1, 2]) assert.equal(await create(large), 503)
      const told = await ready()
      assert.deepEqual({ ...told, notes: undefined }, { ...well, notes: undefined })
      assert.equal(told.notes.length, 1)
      const [, since = ''] = /^no write has been stored since (\S+), /.exec(told.notes[0]) ?? []
      assert.ok(Date.parse(since) >= before && Date.parse(since) <= Date.now(), told.notes[0])
      assert.doesNotMatch(told.notes[0], /53100|1021|trigger|sqlstate/i, 'what the database said is for the log')
      assert.equal((await app.inject('/api/notes')).statusCode, 200)
      assert.deepEqual((await ready()).notes, told.notes, 'reads change nothing about it')
      assert.equal((await post('/operator', ['select 1'])).statusCode, 200)
      assert.equal((await post('/notes', { data: { txt: 'refused' } })).statusCode, 400)
      assert.deepEqual((await ready()).notes, told.notes, 'nor does a write that is refused before it')
      assert.equal((await post('/operator', roomy)).statusCode, 200)
      assert.equal(await create(large), 200)
      assert.deepEqual(await ready(), well)
    } finally {
      await app.close()
      await fresh.drop()
    }
  })
})
