import assert from 'node:assert/strict'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { engines, type FreshDatabase } from '../support/engines.js'
import { run } from '../support/run.js'
import { allRows, copyApp, membersOf, openApp, place, type Row, send, stele, writeApp } from './transfer-app.js'
import { appFiles, fillApp } from './transfer-content.js'

/** SQLite, MariaDB, PostgreSQL and SQLite again, as far as they are here: the first of them is the last. */
const present = engines.filter(({ available }) => available)
const stations = [...present, ...present.slice(0, 1)]

describe('a whole app', () => {
  const folder = place()
  const databases: FreshDatabase[] = []
  const rows: Record<string, Row[]>[] = []
  const archive = (index: number) => join(folder, `${index}.tar${index === 1 ? '.gz' : ''}`)
  const appAt = (index: number) => join(folder, `app-${index}`)

  beforeAll(async () => {
    for (const [index, engine] of stations.entries()) {
      const fresh = await engine.fresh()
      databases.push(fresh)
      if (index === 0) {
        const app = await openApp(writeApp(appAt(0), appFiles), fresh)
        await fillApp(app)
        await app.close()
      } else {
        copyApp(appAt(0), appAt(index))
        const { code, errors } = await stele(['import', archive(index - 1), '--app', appAt(index)], fresh)
        assert.equal(code, 0, errors)
      }
      const { code, errors } = await stele(['export', archive(index), '--app', appAt(index), '--with-accounts'], fresh)
      assert.equal(code, 0, errors)
      const app = await openApp(appAt(index), fresh)
      rows.push(await allRows(app))
      await app.close()
    }
  }, 240_000)
  afterAll(() => Promise.all(databases.map(database => database.drop())))

  it('has rows in all tables that can have some', () => {
    const empty = [
      'admin_users',
      'stele_sessions',
      'stele_user_stamps',
      'upload_folders',
      'tags_seen_morphs',
      'files_folder_links',
    ]
    const found = Object.entries(rows[0] ?? {}).filter(([, list]) => list.length === 0)
    assert.deepEqual(
      found.map(([name]) => name).filter(name => !empty.includes(name)),
      ['upload_folders_parent_links'],
    )
  })

  for (const [index, engine] of stations.entries())
    if (index > 0)
      it(`is the same on ${engine.name} (${index}), row for row`, () => {
        for (const [table, list] of Object.entries(rows[0] ?? {})) assert.deepEqual(rows[index]?.[table], list, table)
      })

  it.skipIf(present[0]?.name !== 'sqlite')(
    'comes back to SQLite as it was, down to how each value is stored',
    async () => {
      const app = await openApp(appAt(0), databases[0] as FreshDatabase)
      const { tables } = app
      await app.close()
      for (const { name, columns } of tables) {
        if (name === 'stele_upload_leftovers' || name === 'stele_login_codes') continue
        const quoted = ['id', ...columns.map(column => column.name)].map(column => `quote("${column}") as "${column}"`)
        const stored = (database: FreshDatabase | undefined) =>
          run((database as FreshDatabase).database, `select ${quoted.join(', ')} from "${name}" order by id`)
        assert.deepEqual(await stored(databases.at(-1)), await stored(databases[0]), name)
      }
    },
  )

  it('is the same in every archive, whatever engine it comes from', () => {
    const [first, ...others] = stations.map((_, index) => membersOf(archive(index)))
    for (const [index, other] of others.entries()) {
      assert.deepEqual([...other.keys()], [...(first?.keys() ?? [])])
      for (const [name, content] of other)
        if (name !== 'archive.json' && name !== 'manifest.json')
          assert.equal(content, first?.get(name), `${index} ${name}`)
    }
  })

  it('has its files, byte for byte', () => {
    for (const name of ['hill.txt', 'sea.txt', 'face.txt']) {
      const [first, ...others] = stations.map((_, index) => readFileSync(join(appAt(index), 'public/uploads', name)))
      for (const other of others) assert.ok(first?.equals(other), name)
    }
  })

  it('goes on where it was: no id is given twice, accounts sign in, languages and drafts are known', async () => {
    for (const [index, database] of databases.entries()) {
      const app = await openApp(appAt(index), database)
      try {
        const highest = Math.max(...(rows[0]?.authors ?? []).map(({ id }) => Number(id)))
        const { id } = await app.entries('api::author.author').create({ name: `new ${index}` })
        assert.equal(id, highest + 2)
        const { body } = await send(app, 'POST', '/api/auth/local', { identifier: 'ada', password: 'pass-word-1' })
        const find = async (query: string) =>
          (await send(app, 'GET', `/api/articles?${query}`, undefined, body.jwt)).body
        assert.equal((await find('publicationState=live')).data.length, 7)
        assert.equal((await find('publicationState=preview')).data.length, 12)
        const german = await find('locale=de&populate=localizations&publicationState=preview')
        assert.deepEqual(german.data[0].attributes.localizations.data[0].id, 1)
      } finally {
        await app.close()
      }
    }
  })

  it('is kept from others: an archive can be read by its owner alone', () => {
    assert.equal(statSync(archive(0)).mode & 0o777, 0o600)
    for (const rest of ['.part', '.spool']) assert.ok(!existsSync(archive(0) + rest))
  })
})
