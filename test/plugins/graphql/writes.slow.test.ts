import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { InjectOptions } from 'light-my-request'
import { afterAll, beforeAll, it } from 'vitest'
import { type Pristine, pristineOn } from '../../strapi4/databases.js'
import { fixture, keyOf, type Multipart } from '../../strapi4/fixture.js'
import { type OpenProject, openProject } from '../../strapi4/project.js'
import { multipartOf } from '../../strapi4/requests.js'
import { onEveryEngine } from '../../support/every-engine.js'
import { run } from '../../support/run.js'
import { passTime } from '../../support/time.js'
import { eventually } from '../users-permissions/people.js'
import { differenceOf, operationRequest, type RecordedAnswer, type RecordedOperation, withGraphql } from './replay.js'

/** Requests to one fresh copy of the project, each with its answer. */
interface Script {
  readonly name: string
  readonly steps: readonly Step[]
}

interface Step {
  /** Run on the database before the next request. */
  readonly sql?: string
  readonly request?: Pick<RecordedOperation, 'auth' | 'query' | 'variables'> & { readonly multipart?: Multipart }
  readonly response?: { readonly status: number; readonly body: RecordedAnswer }
}

const scripts = readFileSync(join(fixture, 'recorded-graphql-writes.jsonl'), 'utf8')
  .split('\n')
  .filter(line => line !== '')
  .map(line => JSON.parse(line) as Script)

/** Steps in which this server means to differ, by their scripts: a new password ends the sessions of its account. */
const different: Readonly<Record<string, readonly number[]>> = { passwords: [8, 9, 10] }

onEveryEngine('mutations that Strapi 4 has answered', engine => {
  let pristine: Pristine
  let agreed = 0
  beforeAll(async () => {
    pristine = await pristineOn(engine)
    withGraphql(pristine.project)
  })
  afterAll(async () => {
    await pristine?.drop()
    const all = scripts.flatMap(({ steps }) => steps.filter(({ request }) => request)).length
    console.info(`${engine.name}: ${agreed} of ${all} recorded mutations agree`)
  })

  for (const script of scripts)
    it(script.name, async () => {
      await pristine.restore()
      const { project: folder, variables } = pristine
      process.env.STELE_MAIL_FILE = join(folder.folder, '.tmp/mails.jsonl')
      const project = await openProject(folder, variables)
      try {
        assert.deepEqual(await replay(script, project), [])
      } finally {
        await project.close()
        delete process.env.STELE_MAIL_FILE
      }
    }, 120_000)

  async function replay({ name, steps }: Script, project: OpenProject): Promise<string[]> {
    const wrong: string[] = []
    for (const [index, { sql, request, response }] of steps.entries()) {
      if (sql !== undefined) await write(project, sql)
      if (!request || !response) continue
      const recorded = { id: index, group: name, ...request, ...response } as RecordedOperation
      const { statusCode, payload } = await project.send(requestOf(request, recorded))
      const differs = differenceOf(asRecorded(recorded, payload), statusCode, payload)
      const isListed = different[name]?.includes(index) ?? false
      if (differs === undefined) agreed += 1
      if ((differs !== undefined) !== isListed)
        wrong.push(
          `${index} ${request.auth} ${request.query?.slice(0, 200) ?? 'a form'}\n  ${differs ?? 'it agrees, and is listed as different'}`,
        )
    }
    return wrong
  }

  /** Writes to the database past the server; its cached values are a second old at most. */
  async function write(project: OpenProject, sql: string): Promise<void> {
    if (sql.includes('reset_password_token')) await codeStored()
    await run(pristine.database, sql)
    await passTime(1000)
    await project.get('/api/tags/1')
    await setImmediate()
  }

  /** A code is stored after the response to the request for it. */
  const codeStored = () =>
    eventually(async () => {
      const sent = 'select count(*) as sent from up_users where reset_password_token is not null'
      const [row] = await run(pristine.database, sent)
      return Number(row?.sent) > 0 || undefined
    })
})

function requestOf({ auth, multipart }: NonNullable<Step['request']>, recorded: RecordedOperation): InjectOptions {
  if (!multipart) return operationRequest(recorded)
  const { payload, type } = multipartOf(multipart)
  const key = keyOf(auth)
  return {
    method: 'POST',
    url: '/graphql',
    headers: { 'content-type': type, ...(key !== undefined && { authorization: `Bearer ${key}` }) },
    payload,
  }
}

/** The recorded answer with the values of this run where it only tells of which kind a value is. */
function asRecorded(recorded: RecordedOperation, payload: string): RecordedOperation {
  const answer = payload.startsWith('{') ? (JSON.parse(payload) as RecordedAnswer) : {}
  const { body } = recorded
  return { ...recorded, ...(body && { body: { ...body, data: filled(body.data, answer.data) } }) }
}

const kinds: Readonly<Record<string, RegExp>> = {
  now: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  jwt: /^[\w-]+\.[\w-]+\.[\w-]+$/,
  hash: /^\$2/,
  text: /./,
}

function filled(was: unknown, is: unknown): unknown {
  if (Array.isArray(was)) return was.map((item, index) => filled(item, Array.isArray(is) ? is[index] : undefined))
  if (typeof was !== 'object' || was === null) return was
  const { $: kind } = was as { readonly $?: string }
  if (kind !== undefined) return typeof is === 'string' && kinds[kind]?.test(is) ? is : kind
  const values = Object(is) as Readonly<Record<string, unknown>>
  return Object.fromEntries(Object.entries(was).map(([name, value]) => [name, filled(value, values[name])]))
}
