import assert from 'node:assert/strict'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, it } from 'vitest'
import { onEveryEngine } from '../support/every-engine.js'
import { run } from '../support/run.js'
import { passTime } from '../support/time.js'
import { difference, withoutFileIds } from './compare.js'
import { type Pristine, pristineOn } from './databases.js'
import { differentSteps } from './exceptions.js'
import { type RecordedRequest, type RecordedResponse, recordedScripts, type Script } from './fixture.js'
import { wrongIn } from './layout.js'
import { type OpenProject, openProject } from './project.js'
import { requestOf } from './requests.js'

const scripts = recordedScripts()

/** Strapi 4 gives an id to an entry that it then refuses; before these steps one goes that way here, too. */
const wasted: Readonly<Record<string, Readonly<Record<number, string>>>> = { 'upload-entry': { 5: 'articles' } }

onEveryEngine('a project of Strapi 4 is written as it was recorded', engine => {
  let pristine: Pristine
  let agreed = 0
  let listed = 0
  beforeAll(async () => {
    pristine = await pristineOn(engine)
  })
  afterAll(async () => {
    await pristine?.drop()
    const all = scripts.flatMap(({ steps }) => steps.filter(({ request }) => request)).length
    console.info(`${engine.name}: ${agreed} of ${all} recorded writes agree, ${listed} differ as listed`)
  })

  for (const script of scripts)
    it(
      script.name,
      async () => {
        await pristine.restore()
        const mails = join(pristine.project.folder, '.tmp/mails.jsonl')
        process.env.STELE_MAIL_FILE = mails
        const project = await openProject(pristine.project, pristine.variables)
        try {
          const wrong = await replay(script, project)
          assert.deepEqual(wrong, [])
        } finally {
          await project.close()
          delete process.env.STELE_MAIL_FILE
        }
        assert.deepEqual(await wrongIn(pristine.database), [], 'the layout of the rows')
      },
      timeLimit,
    )

  async function replay({ name, steps }: Script, project: OpenProject): Promise<string[]> {
    const wrong: string[] = []
    const exceptions = differentSteps(engine.name, name)
    for (const [index, { sql, request, response }] of steps.entries()) {
      const table = wasted[name]?.[index]
      if (table !== undefined) await wasteId(project, table)
      if (sql !== undefined) await write(project, sql)
      if (!request || !response) continue
      const expected = engine.name === 'postgres' ? withPrintedTimes(response) : response
      const differs = difference(expected, await project.send(requestOf(request)), settleIds(name))
      const isListed = exceptions.includes(index)
      if (differs === undefined) agreed += 1
      else if (isListed) listed += 1
      if ((differs !== undefined) !== isListed)
        wrong.push(`${index} ${shown(request)}\n  ${differs ?? 'it agrees, and is listed as different'}`)
    }
    return wrong
  }

  /** Writes to the database past the server; its cached values are a second old at most. */
  async function write(project: OpenProject, sql: string): Promise<void> {
    await run(pristine.database, engine.name === 'mysql' ? sql.replace(' key=', ' `key`=') : sql)
    await passTime(1000)
    await project.get('/api/tags/1')
    await setImmediate()
  }

  async function wasteId({ app: { store } }: OpenProject, table: string): Promise<void> {
    const made = store.knex(table).insert({ locale: 'en' })
    const insert = (engine.name === 'postgres' ? made.returning('id') : made).toSQL().toNative()
    await store.transaction(async session => {
      const { id } = await session.run(insert.sql, insert.bindings)
      const remove = store.knex(table).where({ id }).delete().toSQL().toNative()
      await session.run(remove.sql, remove.bindings)
    })
  }
})

/** Milliseconds: a machine may have other things to do. */
const timeLimit = 120_000

/** A response recorded on SQLite with its times as PostgreSQL prints them: Strapi 4 responds with what it reads again. */
function withPrintedTimes({ body, ...response }: RecordedResponse): RecordedResponse {
  const printed = (_: string, value: unknown) =>
    typeof value === 'string' && /^\d\d:\d\d:\d\d\.\d{3}$/.test(value) ? value.replace(/\.?0+$/, '') : value
  return { ...response, ...(body !== undefined && { body: JSON.parse(JSON.stringify(body), printed) }) }
}

const settleIds = (script: string) => (script.startsWith('upload') ? withoutFileIds : undefined)

const shown = ({ auth, method, path, body, raw, multipart }: RecordedRequest): string =>
  `${auth} ${method} ${path} ${JSON.stringify(body ?? raw ?? multipart)?.slice(0, 200)}`
