import assert from 'node:assert/strict'
import { afterAll, beforeAll, describe, it, onTestFinished } from 'vitest'
import { loadConfig } from '../../core/boot/load-config.js'
import type { Session } from '../../core/engines/engine.js'
import { openEngine } from '../../core/engines/open.js'
import { createLog } from '../../core/log.js'
import { app } from '../config/app.js'
import type { DatabaseSettings } from '../support/engines.js'
import { mysql } from '../support/every-engine.js'
import { type DatabaseServer, mysqlKind, startMysqlKind } from '../support/servers.js'

describe.skipIf(!mysql.available)('the search for a plan', () => {
  it('looks at few orders of the joins of a filter that is nine relations deep', async () => {
    const fresh = await mysql.fresh()
    onTestFinished(() => fresh.drop())
    await on(fresh.database, async session => {
      assert.equal(await depthOf(session), 0)
      await session.run('create table link (id int unsigned auto_increment primary key, name varchar(255))', [])
      await session.run(
        'create table next (id int unsigned auto_increment primary key, link_id int unsigned, next_id int unsigned, unique (link_id, next_id), key (next_id))',
        [],
      )
      const rows = Array.from({ length: 12 }, (_, index) => index + 1)
      await session.run(`insert into link (id, name) values ${rows.map(id => `(${id}, 'n${id}')`)}`, [])
      await session.run(`insert into next (link_id, next_id) values ${rows.map(id => `(${id}, ${id + 1})`)}`, [])
      const joins = Array.from(
        { length: 9 },
        (_, at) =>
          ` left join next j${at} on j${at}.link_id = t${at}.id left join link t${at + 1} on t${at + 1}.id = j${at}.next_id`,
      )
      await session.all(`select t0.id from link t0${joins.join('')} where t9.name = 'n1'`, [])
      if (mysqlKind() !== 'mysql') return
      // MariaDB does not count them. Eight relations are twelve million without the limit.
      const [row] = await session.all("show session status like 'Last_query_partial_plans'", [])
      const plans = Number(row?.[1])
      assert.ok(plans > 0 && plans < 1_000_000, String(plans))
    })
  })

  describe('on a server whose operator has set its depth', () => {
    let server: DatabaseServer
    beforeAll(async () => {
      server = await startMysqlKind({ settings: { optimizer_search_depth: 5 } })
      await server.createDatabase('own')
    })
    afterAll(() => server?.stop())

    it('goes as deep as that', async () => {
      const { host, port, user, password } = server
      await on({ client: 'mysql', host, port, user, password, database: 'own' }, async session =>
        assert.equal(await depthOf(session), 5),
      )
    })
  })
})

const depthOf = async (session: Session): Promise<number> =>
  Number((await session.all('select @@session.optimizer_search_depth', []))[0]?.[0])

/** Work on one connection, as the server opens it. */
async function on(database: DatabaseSettings, work: (session: Session) => Promise<void>): Promise<void> {
  const config = await loadConfig(app({}), { env: {}, overrides: { database } })
  const engine = await openEngine(config.database, createLog('silent'))
  try {
    await engine.altering(work)
  } finally {
    await engine.close()
  }
}
