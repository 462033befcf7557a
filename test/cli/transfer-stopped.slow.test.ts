import assert from 'node:assert/strict'
import { join } from 'node:path'
import { afterAll, beforeAll, it } from 'vitest'
import { transferHost } from '../../core/tools/transfer/host.js'
import { importArchive } from '../../core/tools/transfer/import.js'
import { match } from '../../core/tools/transfer/match.js'
import { ImportRecord } from '../../core/tools/transfer/record.js'
import { headOf, verify } from '../../core/tools/transfer/verify.js'
import type { FreshDatabase } from '../support/engines.js'
import { onEveryEngineAtLength } from '../support/every-engine.js'
import { run } from '../support/run.js'
import { allRows, copyApp, openApp, place, type Row, stele, writeApp } from './transfer-app.js'
import { appFiles, fillApp } from './transfer-content.js'

const silent = { at: () => undefined, warn: () => undefined }
const everything = place()

onEveryEngineAtLength('an import that was stopped', engine => {
  const folder = join(everything, engine.name)
  const source = join(folder, 'source')
  const archive = join(folder, 'all.tar')
  let rows: Record<string, Row[]>
  const databases: FreshDatabase[] = []
  const fresh = async () => {
    const database = await engine.fresh()
    databases.push(database)
    return database
  }
  let count = 0
  const newApp = () => {
    count += 1
    return copyApp(source, join(folder, String(count)))
  }

  beforeAll(async () => {
    const database = await fresh()
    const app = await openApp(writeApp(source, appFiles), database)
    await fillApp(app)
    rows = await allRows(app)
    await app.close()
    const { code, errors } = await stele(['export', archive, '--app', source, '--with-accounts'], database)
    assert.equal(code, 0, errors)
  }, 120_000)
  afterAll(() => Promise.all(databases.map(database => database.drop())))

  /** Imports until something of this name has been done once, as far as a process that is killed then would have come. */
  async function importUntil(what: string | undefined, app: string, database: FreshDatabase): Promise<void> {
    const opened = await openApp(app, database)
    const host = transferHost(opened)
    try {
      const head = await headOf(archive)
      const record = await ImportRecord.begin(host.engine, { archive: head.id, file: archive, command: 'import' })
      const controller = new AbortController()
      const { tables } = await host.engine.introspect()
      const matched = match(head, host, tables)
      const manifest = await verify({ file: archive, head }, matched, host.engine, silent)
      const progress = { ...silent, at: (done: string) => void (done === what && controller.abort()) }
      if (what === undefined) controller.abort()
      const job = { file: archive, head, manifest, match: matched, host, record, progress, signal: controller.signal }
      await assert.rejects(importArchive(job), /stopped; the same command goes on/)
    } finally {
      await opened.close()
    }
  }

  async function assertWhole(app: string, database: FreshDatabase): Promise<void> {
    const opened = await openApp(app, database)
    try {
      const found = await allRows(opened)
      for (const [table, list] of Object.entries(rows)) assert.deepEqual(found[table], list, table)
    } finally {
      await opened.close()
    }
  }

  for (const [what, ...more] of [
    [undefined],
    ['rows removed', '--replace', '--yes'],
    ['articles'],
    ['articles', '--replace', '--yes'],
    ['i18n_locale'],
    ['up_permissions'],
    ['upload'],
  ] as const)
    it(`goes on after ${what ?? 'it has begun'} ${more.join(' ')}, to the same rows`, async () => {
      const app = newApp()
      const database = await fresh()
      await importUntil(what, app, database)
      const { code, errors } = await stele(['import', archive, '--app', app, ...more], database)
      assert.equal(code, 0, errors)
      assert.match(errors, /going on with the import/)
      await assertWhole(app, database)
    })

  it('lets no plugin write that was turned on meanwhile: neither at its start nor once for the database', async () => {
    const app = newApp()
    const database = await fresh()
    await importUntil('articles', app, database)
    const authors = "host.entries('api::author.author'"
    writeApp(app, {
      'config/plugins.json': { ...(appFiles['config/plugins.json'] as object), late: { resolve: './late.mjs' } },
      'late.mjs': `export const late = {
        name: 'late',
        register: async host => {
          if (host.purpose !== 'look') await ${authors}).create({ name: 'at the start' })
          return host
        },
        once: [{ name: 'once', run: (session, host) => ${authors}, session).create({ name: 'once' }) }],
      }`,
    })
    const { code, errors } = await stele(['import', archive, '--app', app], database)
    assert.equal(code, 0, errors)
    const found = await run(database.database, 'select name from authors order by id')
    assert.deepEqual(
      found.map(({ name }) => name),
      rows.authors?.map(({ name }) => name),
    )
  })

  it('keeps the app from being served, changed or exported, and doctor says so', async () => {
    const app = newApp()
    const database = await fresh()
    await importUntil('articles', app, database)
    const goesOn = `\`stele import ${archive}\` goes on with it`
    for (const command of [
      ['start', '--port', '0'],
      ['locale', 'add', 'it'],
      ['export', join(folder, 'half.tar')],
    ]) {
      const { code, errors } = await stele([...command, '--app', app], database)
      assert.equal(code, 65, command.join(' '))
      assert.ok(errors.includes('the database is half imported'), errors)
      assert.ok(errors.includes(goesOn), errors)
      assert.ok(errors.includes('--replace'), errors)
    }
    for (const more of [[], ['--fix']]) {
      const { code, out } = await stele(['doctor', '--app', app, ...more], database)
      assert.equal(code, 1)
      assert.match(out, /^error: import: the database is half imported/)
      assert.ok(out.includes(goesOn), out)
    }
    const { code, errors } = await stele(['import', archive, '--app', app], database)
    assert.equal(code, 0, errors)
    await assertWhole(app, database)
  })

  it('that is a restore is said to be one, and to go on with that command', async () => {
    const app = newApp()
    const database = await fresh()
    const plugins = appFiles['config/plugins.json'] as object
    // The restore has begun when the app starts, and comes no further.
    writeApp(app, {
      'config/plugins.json': { ...plugins, broken: { resolve: './broken.mjs' } },
      'broken.mjs': `export const broken = { name: 'broken', register: () => { throw new Error('on purpose') } }`,
    })
    assert.match((await stele(['restore', archive, '--app', app], database)).errors, /on purpose/)
    writeApp(app, { 'config/plugins.json': plugins })
    const { code, errors } = await stele(['start', '--port', '0', '--app', app], database)
    assert.equal(code, 65)
    assert.ok(errors.includes(`the database is half restored: the restore of ${archive} was stopped`), errors)
    assert.ok(errors.includes(`\`stele restore ${archive}\` goes on with it`), errors)
    const again = await stele(['restore', archive, '--app', app], database)
    assert.equal(again.code, 0, again.errors)
    assert.match(again.errors, /going on with the restore/)
    await assertWhole(app, database)
  })

  it('of an earlier version goes on, or is begun anew', async () => {
    for (const more of [[], ['--replace', '--yes']]) {
      const app = newApp()
      const database = await fresh()
      await importUntil('articles', app, database)
      await run(database.database, 'alter table stele_imports drop column command')
      const start = await stele(['start', '--port', '0', '--app', app], database)
      assert.ok(start.errors.includes(`\`stele import ${archive}\` goes on with it`), start.errors)
      const file = join(folder, `of-earlier-${more.length}.tar`)
      const from = databases[0] as FreshDatabase
      if (more.length > 0)
        assert.equal((await stele(['export', file, '--app', source, '--with-accounts'], from)).code, 0)
      const { code, errors } = await stele(
        ['import', more.length > 0 ? file : archive, '--app', app, ...more],
        database,
      )
      assert.equal(code, 0, errors)
      await assertWhole(app, database)
    }
  })

  it('begins anew with another archive where that is said', async () => {
    const app = newApp()
    const database = await fresh()
    await importUntil('articles', app, database)
    const other = join(folder, 'other.tar')
    const from = databases[0] as FreshDatabase
    assert.equal((await stele(['export', other, '--app', source, '--with-accounts'], from)).code, 0)
    const { code, errors } = await stele(['import', other, '--app', app, '--replace', '--yes'], database)
    assert.equal(code, 0, errors)
    await assertWhole(app, database)
  })
})
