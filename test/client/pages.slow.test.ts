import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, it, vi } from 'vitest'
import type { App } from '../../core/kernel.js'
import { type AnySchema, createClient, type Result, unwrap } from '../../plugins/typescript/client/index.js'
import { bootSample, password, root } from '../sample/sample.js'
import { stele } from '../support/command.js'
import { compiled } from './compiled.js'
import { fetchOf, url } from './fetch.js'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 })

const blocksOf = (page: string): string[] =>
  [...readFileSync(join(root, page), 'utf8').matchAll(/```ts\n([\s\S]*?)```/g)].map(([, block = '']) => block)

const first = blocksOf('README.md').filter(block => block.includes('stele/client'))
const blocks = [...first, ...blocksOf('plugins/typescript/README.md')]

/** The surroundings of a block that shows only a part of a program. */
const around = `import { createClient, unwrap } from 'stele/client'
import type { Schema } from './schema.js'
export { unwrap }
export const api = createClient<Schema>({ url: 'http://localhost:1337/api' })
export declare const password: string
`

describe('the examples of the client', () => {
  let schema: string
  let app: App
  beforeAll(async () => {
    schema = (await stele(['types', '--ts', '--app', root])).stdout
    app = await bootSample({ env: { DATABASE_CLIENT: 'sqlite', DATABASE_FILENAME: ':memory:' } })
  })
  afterAll(() => app?.close())

  it('compile with the types of the sample app', async () => {
    assert.ok(first.length === 1 && blocks.length >= 7)
    const files = blocks.map((block, index) => [
      `block${index}.ts`,
      block.startsWith('import') ? block : `${around}${block}`,
    ])
    const { errors } = await compiled({ ...Object.fromEntries(files), 'schema.ts': schema })
    // An example may leave what it got unused.
    assert.deepEqual(
      errors.filter(line => !line.includes('TS6133')),
      [],
    )
  })

  it('prints, as the README shows it first, what the sample app has', async () => {
    const lines: string[] = []
    const console = { log: (...words: string[]) => lines.push(words.join(' ')), error: assert.fail }
    const code = first[0]?.replace(/^import .*$/gm, '').replace('<Schema>', '') ?? ''
    const run = Object.getPrototypeOf(async () => undefined).constructor('createClient', 'console', code)
    await run((settings: { url: string }) => createClient({ ...settings, fetch: fetchOf(app) }), console)
    assert.deepEqual(lines.sort(), ['Bread that waits for you Ben Okafor', 'Bread with four ingredients Ben Okafor'])
  })

  it('read an entry by its slug', async () => {
    const [block = '', ...others] = blocks.filter(one => one.includes("'GET /articles/by/:field/:value'"))
    assert.equal(others.length, 0)
    const lines: string[] = []
    const console = { log: (...words: string[]) => lines.push(words.join(' ')) }
    const run = Object.getPrototypeOf(async () => undefined).constructor('api', 'console', block)
    await run(createClient({ url, fetch: fetchOf(app) }), console)
    assert.deepEqual(lines, ['Bread that waits for you'])
  })

  it('read the account that has signed in by its route, as one entry and not as a list', async () => {
    assert.match(schema, /^ {4}'GET \/users\/me': \{ query\?: .*; entry: UsersPermissionsUserType \}$/m)
    assert.doesNotMatch(schema, /users\/me'?: \{ collection/)
    const signedIn: { token?: string } = {}
    const api = createClient<AnySchema>({ url, token: () => signedIn.token, fetch: fetchOf(app) }) as unknown as (
      route: string,
      call?: object,
    ) => Promise<Result<{ jwt: string; username: string }>>
    assert.equal((await api('GET /users/me')).error?.name, 'ForbiddenError')
    const signIn = await api('POST /auth/local', { body: { identifier: 'ben', password } })
    signedIn.token = unwrap(signIn).jwt
    assert.equal(unwrap(await api('GET /users/me')).username, 'ben')
  })
})
