import assert from 'node:assert/strict'
import { it, onTestFinished, vi } from 'vitest'
import { createLog } from '../../core/log.js'
import { stele } from '../support/command.js'
import { onEveryEngineAtLength } from '../support/every-engine.js'
import { grantRows } from '../support/rows-only.js'
import { run } from '../support/run.js'
import { pristineOn } from './databases.js'
import { keyOf } from './fixture.js'
import { openProject } from './project.js'

vi.setConfig({ testTimeout: 180_000 })
const account = { user: 'only_rows', password: 'pass-of-only-rows' }

onEveryEngineAtLength('a database of Strapi 4 that is opened as somebody who may not make tables', engine => {
  async function opened() {
    const { project, variables, database, drop } = await pristineOn(engine)
    onTestFinished(drop)
    assert.ok(database.client !== 'sqlite')
    const { client } = database
    // As Strapi left it.
    const place = client === 'mysql' ? 'database()' : 'current_schema()'
    const own = await run(
      database,
      `select table_name as name from information_schema.tables where table_schema = ${place} and table_name like 'stele%'`,
    )
    for (const { name: table } of own) await run(database, `drop table ${table}`)
    const grant = () => grantRows(database, account)
    await grant()
    return {
      project,
      variables,
      limited: { ...variables, DATABASE_USERNAME: account.user, DATABASE_PASSWORD: account.password },
      grant,
    }
  }

  // A file of SQLite has no users.
  it.skipIf(engine.name === 'sqlite')(
    'is read; a write is refused with a reason, and goes well once somebody else has applied what is missing',
    async () => {
      const { project, variables, limited, grant } = await opened()
      const lines: string[] = []
      const write = async (title: string) => {
        const log = createLog('warn', { destination: { write: line => lines.push(line) } })
        const { send, get, close } = await openProject(project, limited, log)
        try {
          const headers = { authorization: `Bearer ${keyOf('full')}`, 'idempotency-key': title }
          const payload = { data: { name: title } }
          const { statusCode } = await get('/api/articles/1')
          const reply = await send({ method: 'POST', url: '/api/tags', headers, payload })
          return { read: statusCode, status: reply.statusCode, body: JSON.parse(reply.payload) }
        } finally {
          await close()
        }
      }
      const refused = await write('early')
      assert.equal(refused.read, 200)
      assert.equal(refused.status, 503, JSON.stringify(refused.body))
      assert.match(refused.body.error.message, /the operator has to prepare the database/)
      assert.match(lines[0] ?? '', /nothing can be written: .*run `stele apply` as a user who may/)
      assert.match(lines.join(), /the first write cannot add to the database what it needs/)
      const doctor = await stele(['doctor', '--app', project.folder], { env: limited })
      assert.equal(doctor.status, 1, doctor.stderr)
      assert.match(doctor.stdout, /^error: rights: the user of the database may not add what is missing in it/m)
      const denied = await stele(['apply', '--app', project.folder], { env: limited })
      assert.equal(denied.status, 1)
      assert.match(denied.stderr, /denied/)
      assert.doesNotMatch(denied.stderr, /^\s+at /m)

      const applied = await stele(['apply', '--app', project.folder], { env: variables })
      assert.equal(applied.status, 0, applied.stderr)
      await grant()
      const written = await write('late')
      assert.equal(written.status, 200, JSON.stringify(written.body))
      assert.equal((await stele(['doctor', '--app', project.folder], { env: limited })).status, 0)
    },
  )
})
