import assert from 'node:assert/strict'
import { afterAll, afterEach, beforeAll, describe, it, onTestFinished } from 'vitest'
import type { TestApp } from '../../../core/index.js'
import { createLog } from '../../../core/log.js'
import { audit } from '../../../plugins/audit/index.js'
import type { AuditRecord } from '../../../plugins/audit/records.js'
import { type Server, startOn } from '../../support/contract.js'
import type { FreshDatabase } from '../../support/engines.js'
import { onEveryEngine } from '../../support/every-engine.js'
import { run } from '../../support/run.js'

const uid = 'api::note.note'
const world = {
  types: { note: { attributes: { text: { type: 'string' } } } },
  plugins: [[audit, { secret: 'a secret of this test, long enough' }]],
} as const

onEveryEngine('seals of the audit record', engine => {
  let fresh: FreshDatabase
  let server: Server
  const lines: string[] = []
  const log = createLog('error', { destination: { write: (line: string) => void lines.push(line) } })
  const begin = async () => {
    fresh = await engine.fresh()
    server = await startOn(fresh.database, { ...world, log })
  }
  const end = async () => {
    await server?.app.close()
    await fresh?.drop()
  }
  /** For tests that need a record of their own. */
  const anew = async () => {
    await begin()
    onTestFinished(end)
  }
  const sealsOf = ({ plugins }: TestApp) => {
    const running = plugins.find(({ spec }) => spec.name === 'audit')
    return ((running?.service as AuditRecord | undefined) ?? assert.fail()).seals
  }
  const seal = () => server.app.runJob('audit/seal')
  const write = async (count: number) => {
    for (let at = 0; at < count; at += 1) await server.app.entries(uid).create({ text: `${at}` })
  }
  /** Records in so many seals, and as many without one. */
  const recorded = async (times: number, count = 3) => {
    for (let time = 0; time < times; time += 1) {
      await write(count)
      await seal()
    }
    await write(count)
  }
  const found = async (head?: string) => {
    const rows: Readonly<Record<string, unknown>>[] = []
    const command = server.app.commands.find(({ name }) => name === 'audit')
    const options = { verify: true, ...(head !== undefined && { head }) }
    const call = { args: [], options, json: true, interactive: false, print: () => undefined }
    const problems = await Promise.resolve(command?.run({ ...call, table: all => void rows.push(...all) })).then(
      () => '',
      (error: Error) => error.message,
    )
    return { ...rows[0], problems } as Readonly<Record<string, string | number>> & { problems: string; last: string }
  }
  const change = (sql: string) => run(fresh.database, sql)

  it('are made of all records that writers at the same time have left, by two processes at once', async () => {
    await anew()
    const other = await startOn(fresh.database, world)
    onTestFinished(() => other.app.close())
    const notes = [server, other].flatMap(({ app }) =>
      Array.from({ length: 30 }, (_, at) => app.entries(uid).create({ text: `${at}` })),
    )
    const signal = new AbortController().signal
    const making = [server, other].map(({ app }) => sealsOf(app).run(signal))
    await Promise.all([...notes, ...making])
    await Promise.all([server, other].map(({ app }) => sealsOf(app).run(signal)))
    const { last, ...rest } = await found()
    assert.deepEqual(
      { ...rest, seals: Number(rest.seals) > 0 },
      { records: 60, unsealed: 0, seals: true, problems: '' },
    )
    assert.match(last, /^\d+:[0-9a-f]{32}$/)
    assert.equal((await found(last)).problems, '')
  })

  const tampering = [
    {
      says: 'a record that was deleted',
      sql: 'delete from stele_audit where id = 5',
      finds: /1 of the 3 records of seal 2 are missing/,
    },
    {
      says: 'a record that was changed',
      sql: "update stele_audit set actor = 'x' where id = 5",
      finds: /record 5 is not as it was written/,
    },
    {
      says: 'a record without a seal that was changed',
      sql: "update stele_audit set actor = 'x' where id = 10",
      finds: /record 10 is not/,
    },
    {
      says: 'a record that was taken out of its seal',
      sql: 'update stele_audit set batch = null where id = 5',
      finds: /1 of the 3 records of seal 2/,
    },
    {
      says: 'a record that another one replaced',
      sql: 'update stele_audit set id = 1000 where id = 5',
      finds: /seal 2 is not as it was written, or its records are not/,
    },
    {
      says: 'a seal that was deleted with its records',
      sql: 'delete from stele_audit where batch = 2; delete from stele_audit_seals where number = 2',
      finds: /seal 2 is missing/,
    },
    {
      says: 'the first seal, deleted with its records',
      sql: 'delete from stele_audit where batch = 1; delete from stele_audit_seals where number = 1',
      finds: /seal 1 is missing/,
    },
    {
      says: 'records whose seal was deleted',
      sql: 'delete from stele_audit_seals where number = 3',
      finds: /3 records belong to seals that are not there/,
    },
    {
      says: 'records that are said to have been old',
      sql: "delete from stele_audit where batch <= 2; delete from stele_audit_seals where number = 1; update stele_audit_seals set ended = 'x' where number = 2",
      finds: /nothing proves that seals up to 2 ended for their age/,
    },
  ]
  describe('show', () => {
    const tables = ['stele_audit', 'stele_audit_seals']
    beforeAll(async () => {
      await begin()
      await recorded(3)
      assert.deepEqual([(await found()).problems, (await found()).records], ['', 12])
      for (const table of tables) await change(`create table kept_${table} as select * from ${table}`)
    })
    afterAll(end)
    afterEach(async () => {
      for (const table of tables) {
        await change(`delete from ${table}`)
        await change(`insert into ${table} select * from kept_${table}`)
      }
    })

    for (const { says, sql, finds } of tampering)
      it(says, async () => {
        assert.equal((await found()).problems, '')
        for (const statement of sql.split('; ')) await change(statement)
        assert.match((await found()).problems, finds)
      })

    it('a seal of another past, with its records', async () => {
      await change('delete from stele_audit where batch > 1')
      await change('delete from stele_audit_seals where number > 1')
      await seal()
      assert.deepEqual([(await found()).problems, (await found()).seals], ['', 2])
      await change('insert into stele_audit select * from kept_stele_audit where batch = 3')
      await change('insert into stele_audit_seals select * from kept_stele_audit_seals where number = 3')
      assert.match((await found()).problems, /seal 3 is not as it was written/)
    })
  })

  it('show that the last ones were cut off to people who have noted one of them', async () => {
    await anew()
    await recorded(3)
    const { last } = await found()
    await change('delete from stele_audit where batch = 3')
    await change('delete from stele_audit_seals where number = 3')
    assert.equal((await found()).problems, '')
    assert.match((await found(last)).problems, /seal 3 is not there: records were cut off/)
    lines.length = 0
    await write(1)
    await seal()
    assert.match((await found(last)).problems, /seal 3 is another one than was noted/)
    // The process that made it tells without being asked.
    assert.equal(lines.filter(line => line.includes('seals of the audit record were removed or changed')).length, 1)
    assert.match((await found('3')).problems, /--head is "3"; expected a seal as --verify prints it/)
  })

  it('go on where records were deleted for their age', async () => {
    await anew()
    await recorded(2)
    const { last: noted } = await found()
    const { signal } = new AbortController()
    await sealsOf(server.app).prune(new Date(Date.now() + 60_000), signal)
    const after = await found()
    assert.deepEqual([after.problems, after.records, after.seals], ['', 0, 1])
    await recorded(1)
    const more = await found()
    assert.deepEqual([more.problems, more.records, more.seals], ['', 6, 2])
    assert.match((await found(noted)).problems, /seal 2 is not there/)
  })

  it('tell of records that were not as they were written when they were deleted for their age', async () => {
    await anew()
    await recorded(2)
    await change('delete from stele_audit where id = 2')
    const { signal } = new AbortController()
    await sealsOf(server.app).prune(new Date(Date.now() + 60_000), signal)
    assert.match((await found()).problems, /1 seals that ended for their age were not as they were written/)
    await change('update stele_audit_seals set broken = 0')
    assert.match((await found()).problems, /nothing proves that seals up to 3 ended/)
  })
})
