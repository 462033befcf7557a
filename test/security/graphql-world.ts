import { strict as assert } from 'node:assert'
import { createHmac } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vi } from 'vitest'
import { createTestApp, type TestApp, type TestAppOptions } from '../../core/index.js'
import { createLog } from '../../core/log.js'
import { apiTokens } from '../../plugins/api-tokens/index.js'
import { draftAndPublish } from '../../plugins/draft-and-publish/index.js'
import { graphql } from '../../plugins/graphql/index.js'
import { i18n } from '../../plugins/i18n/index.js'
import { upload } from '../../plugins/upload/index.js'
import { usersPermissions } from '../../plugins/users-permissions/index.js'
import { type FilledWorld, fill, salt, secret, type Who, words } from './whole/fill.js'
import { components, permissions, types } from './whole/schema.js'
import { inside } from './world.js'

type Json = Readonly<Record<string, unknown>>

export interface Answered {
  readonly status: number
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: the shape of an answer is what tests are about
  readonly body: any
  readonly headers: Json
  /** Milliseconds of this process's processors, from the request to the response. */
  readonly cpu: number
  /** `code: message` of each error. */
  readonly errors: readonly string[]
}

export interface GraphqlWorld {
  readonly app: TestApp
  readonly known: FilledWorld
  /** The lines of the log that tell of faults of the server. */
  readonly faults: readonly string[]
  ask(who: Who, query: string, variables?: Json): Promise<Answered>
  send(who: Who, body: unknown, headers?: Readonly<Record<string, string>>): Promise<Answered>
  get(who: Who, path: string): Promise<Answered>
  close(): Promise<void>
}

interface Parts {
  readonly dialect?: 'spec' | 'strapi4'
  readonly settings?: Json
  readonly accounts?: Json
  readonly config?: NonNullable<TestAppOptions['config']>
}

/** The world of the attacks from outside, with GraphQL, in this process. */
export async function graphqlWorld({ dialect = 'spec', settings = {}, accounts = {}, config = {} }: Parts = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'stele-graphql-'))
  const faults: string[] = []
  const app = await createTestApp({
    types,
    components,
    plugins: [
      [i18n, { locales: ['fr', 'de'] }],
      draftAndPublish,
      [usersPermissions, { jwtSecret: secret, ratelimit: { enabled: false }, ...accounts }],
      [upload, { folder: join(folder, 'uploads') }],
      [apiTokens, { salt }],
      [graphql, { apolloServer: { introspection: false }, ...settings }],
    ],
    config: { permissions, ...config, api: { ...config.api, rest: { dialect, ...config.api?.rest } } },
    log: createLog('error', { destination: { write: line => faults.push(line) } }),
  })
  const known = await fill(app)
  const roles = ['plugin::users-permissions.role.find']
  await token(app, 'roles', roles)
  const last = 'roles-and-accounts'
  await token(app, last, [...roles, 'plugin::users-permissions.user.find'])
  // Tokens that stand in the database become known within a second.
  await vi.waitFor(
    async () => {
      const { statusCode } = await app.inject({ url: '/api/tags', headers: { authorization: `Bearer ${last}` } })
      assert.notEqual(statusCode, 401)
    },
    { timeout: 20_000 },
  )
  const request = async (who: Who, method: 'GET' | 'POST', url: string, payload?: string, headers = {}) => {
    const credentials = who === 'visitor' ? {} : { authorization: `Bearer ${known.tokens[who]}` }
    const from = process.cpuUsage()
    const response = await app.inject({
      ...{ method, url },
      headers: { ...credentials, ...(payload !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(payload !== undefined && { payload }),
    })
    const { user, system } = process.cpuUsage(from)
    const body = parsed(response.payload)
    look(who, response.payload, payload ?? url)
    assert.ok(response.statusCode < 500, response.payload)
    return {
      status: response.statusCode,
      text: response.payload,
      body,
      headers: response.headers,
      cpu: (user + system) / 1000,
      errors: ((body?.errors ?? []) as { message: string; extensions: { code: string } }[]).map(
        ({ message, extensions }) => `${extensions.code}: ${message}`,
      ),
    }
  }
  const world: GraphqlWorld = {
    ...{ app, known, faults },
    ask: (who, query, variables) => world.send(who, { query, variables }),
    send: (who, body, headers) =>
      request(who, 'POST', '/graphql', typeof body === 'string' ? body : JSON.stringify(body), headers),
    get: (who, path) => request(who, 'GET', path),
    async close() {
      await app.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
  return world
}

/** A token that may do these actions, whose name is its key. */
async function token({ entries }: TestApp, name: string, actions: readonly string[]): Promise<void> {
  const accessKey = createHmac('sha512', salt).update(name).digest('hex')
  const { id } = await entries('admin::api-token').create({ name, type: 'custom', accessKey })
  for (const action of actions) await entries('admin::api-token-permission').create({ action, token: Number(id) })
}

/** No word that this caller may not read, and nothing of what the server is made of, but for what the caller has said. */
function look(who: Who, text: string, sent: string): void {
  const reads = who === 'fullToken' || who === 'readToken'
  const kept = [
    words.hidden,
    '$2b$',
    ...(reads ? [] : [words.vault]),
    ...(reads || who === 'bob' ? [] : [words.ofBob]),
    ...(reads || who === 'alice' ? [] : [words.ofAlice]),
  ]
  for (const word of kept)
    assert.ok(sent.includes(word) || !text.includes(word), `${who} was told ${word}: ${sent.slice(0, 300)}`)
  if (text.includes('"errors"'))
    for (const word of inside)
      assert.doesNotMatch(
        text.replace('"Syntax Error: ', ''),
        word,
        `${who} was told of insides: ${sent.slice(0, 300)}`,
      )
}

function parsed(text: string) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
