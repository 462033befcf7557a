import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import inject from 'light-my-request'
import { afterAll, beforeAll, describe, it, vi } from 'vitest'
import { findPlugins, loadConfig } from '../../core/boot/load-config.js'
import { type App, boot } from '../../core/kernel.js'
import { createLog } from '../../core/log.js'
import { wings } from '../../core/wings.js'
import { stele } from '../support/command.js'
import type { FreshDatabase } from '../support/engines.js'
import { onEveryEngine, onEveryEngineAtLength } from '../support/every-engine.js'
import { folderOf } from '../support/terminal.js'
import { loadDump, type Rows, tablesOf } from './dump.js'

const fixtures = path.join(import.meta.dirname, '../fixtures/eras')
const eras = readdirSync(fixtures).sort()

interface EraRecord {
  readonly account?: { readonly username: string; readonly password: string }
  readonly key?: string
  readonly written: { readonly article: number }
  readonly uploads: Readonly<Record<string, string>>
  readonly responses: readonly { readonly as: 'visitor' | 'token'; readonly url: string; readonly body: unknown }[]
}

interface Era {
  readonly secrets: Readonly<Record<string, string>>
  readonly files: Readonly<Record<string, string>>
}

const textOf = (era: string, name: string): string =>
  gunzipSync(readFileSync(path.join(fixtures, era, `${name}.gz`))).toString()

for (const [index, era] of eras.entries()) {
  // The oldest and the newest one differ most; the others take their time on other engines.
  const declare = index === 0 || index === eras.length - 1 ? onEveryEngine : onEveryEngineAtLength
  declare(`a database of ${era}`, engine => {
    const { secrets, files } = JSON.parse(textOf(era, 'app.json')) as Era
    const recorded = JSON.parse(textOf(era, `${engine.name}.json`)) as EraRecord
    let fresh: FreshDatabase
    let folder: string
    let env: Record<string, string>
    let app: App
    let before: Rows

    beforeAll(async () => {
      fresh = await engine.fresh()
      await loadDump(fresh.database, textOf(era, `${engine.name}.sql`))
      before = await tablesOf(fresh.database)
      folder = folderOf({ ...files, ...recorded.uploads })
      for (const [name, value] of Object.entries(secrets)) vi.stubEnv(name, value)
      env = { ...fresh.env, NODE_ENV: 'era' }
      const config = await loadConfig(folder, { env })
      app = await boot({ wings, config, log: createLog('silent'), plugins: await findPlugins(config) })
    })
    afterAll(async () => {
      await app?.close()
      await fresh.drop()
      vi.unstubAllEnvs()
    })

    const send = async (
      method: 'GET' | 'POST' | 'PUT' | 'DELETE',
      url: string,
      payload?: object,
      as = recorded.key,
    ) => {
      const headers = as === undefined ? {} : { authorization: `Bearer ${as}` }
      const response = await inject(app.koa.callback(), {
        method,
        url: `/api${url}`,
        headers,
        ...(payload && { payload }),
      })
      return { status: response.statusCode, body: response.payload === '' ? null : JSON.parse(response.payload) }
    }

    it('keeps every row of every table when it is opened', async () => {
      const after = await tablesOf(fresh.database)
      for (const [table, rows] of before) {
        // Tables of stele itself may get more rows.
        if (table.startsWith('stele_')) assert.ok(after.get(table), `${table} is there`)
        else assert.deepEqual(shared(after.get(table), rows), rows, table)
      }
    })

    it('answers everything as it did then', async () => {
      for (const { as, url, body } of recorded.responses) {
        const { status, body: now } = await send('GET', url, undefined, as === 'token' ? recorded.key : '')
        assert.equal(status, 200, url)
        assert.deepEqual(now, body, url)
      }
    })

    it('takes writes, and accounts of that time sign in', async () => {
      const article = `/articles/${recorded.written.article}`
      const made = await send('POST', '/articles', { data: { title: 'Written today', author: 1, tags: [2, 1] } })
      assert.equal(made.status, 200, JSON.stringify(made.body))
      const changed = await send('PUT', article, { data: { summary: 'changed today', tags: { connect: [4] } } })
      assert.equal(changed.status, 200, JSON.stringify(changed.body))
      const { body } = await send('GET', `${article}?populate[tags][fields][0]=id&fields[0]=summary`)
      assert.equal(body.data.attributes.summary, 'changed today')
      assert.deepEqual(
        body.data.attributes.tags.data.map(({ id }: { id: number }) => id),
        [3, 1, 2, 4],
      )
      assert.equal((await send('DELETE', `/articles/${made.body.data.id}`)).status, 200)
      if (!recorded.account) return
      const { username: identifier, password } = recorded.account
      const signedIn = await send('POST', '/auth/local', { identifier, password }, '')
      assert.equal(signedIn.status, 200, JSON.stringify(signedIn.body))
      assert.equal((await send('GET', '/users/me', undefined, signedIn.body.jwt)).body.username, identifier)
    })

    it('is one in which doctor finds nothing wrong', async () => {
      const { stdout, stderr } = await stele(['doctor', '--json', '--app', folder], { env })
      const { findings } = JSON.parse(stdout || stderr) as { findings: { severity: string; says: string }[] }
      assert.deepEqual(
        findings.filter(({ severity }) => severity !== 'note'),
        [],
      )
    })
  })
}

/** Rows as far as they have these columns: a version may add columns. */
function shared(found: readonly Record<string, unknown>[] | undefined, wanted: readonly Record<string, unknown>[]) {
  const columns = Object.keys(wanted[0] ?? {})
  return found?.map(row => Object.fromEntries(columns.map(column => [column, row[column]])))
}

describe('the recorded databases', () => {
  it('are there for every engine', () => {
    for (const era of eras)
      assert.deepEqual(readdirSync(path.join(fixtures, era)).sort(), [
        'app.json.gz',
        ...['mysql', 'postgres', 'sqlite'].flatMap(engine => [`${engine}.json.gz`, `${engine}.sql.gz`]),
      ])
    assert.ok(eras.length >= 6)
  })
})
