import { strict as assert } from 'node:assert'
import { createHmac } from 'node:crypto'
import type { TestApp } from '../../../core/index.js'
import { apiTokens } from '../../../plugins/api-tokens/index.js'
import type { Api, Body, World } from '../../support/contract.js'
import { passTime } from '../../support/time.js'

export const salt = 'a salt for tests'

/** Visitors have no permissions: a request beyond those of the token is refused. */
export const world = {
  types: {
    article: {
      attributes: {
        title: { type: 'string', required: true },
        secret: { type: 'string', private: true },
        author: { type: 'relation', relation: 'manyToOne', target: 'api::author.author', inversedBy: 'articles' },
        memo: { type: 'relation', relation: 'oneToOne', target: 'api::memo.memo' },
      },
    },
    author: {
      attributes: {
        name: { type: 'string' },
        pin: { type: 'password' },
        articles: { type: 'relation', relation: 'oneToMany', target: 'api::article.article', mappedBy: 'author' },
      },
    },
    memo: { attributes: { text: { type: 'string' } } },
  },
  plugins: [[apiTokens, { salt }]],
  rest: { public: [] },
  rows: async ({ entries }) => {
    const author = await entries('api::author.author').create({ name: 'Ann', pin: 'TOPSECRET' })
    const memo = await entries('api::memo.memo').create({ text: 'a memo' })
    await entries('api::memo.memo').create({ text: 'to be changed' })
    await entries('api::author.author').create({ name: 'to be deleted' })
    await entries('api::article.article').create({
      ...{ title: 'A', secret: 'TOPSECRET', author: author.id, memo: memo.id },
    })
  },
} as const satisfies World

/** The stored hash of a key, computed here once more as Strapi 4 does it. */
export const hashOf = (key: string): string => createHmac('sha512', salt).update(key).digest('hex')

export const bearer = (key: string): Record<string, string> => ({ authorization: `Bearer ${key}` })

/** Runs a command of the app and gives what it printed, as JSON. */
export async function command(
  app: Pick<TestApp, 'commands'>,
  name: string,
  args: readonly string[],
  options: Readonly<Record<string, string>> = {},
): Promise<Body> {
  const found = app.commands.find(one => one.name === name)
  assert.ok(found, name)
  const printed: string[] = []
  await found.run({
    args,
    options,
    json: true,
    interactive: false,
    print: line => printed.push(line),
    table: rows => printed.push(JSON.stringify(rows)),
  })
  return JSON.parse(printed.join(''))
}

/** A new token: its id and its key. */
export async function mint(
  app: Pick<TestApp, 'commands'>,
  name: string,
  options: Readonly<Record<string, string>> = {},
): Promise<{ id: number; accessKey: string; expiresAt: string }> {
  return command(app, 'token create', [name], { type: 'full-access', lifespan: 'unlimited', ...options })
}

const tokenUid = 'admin::api-token'

/** A token as another program leaves it in the tables: this server learns of it when it looks again. */
export async function planted(app: TestApp, key: string, columns: Readonly<Record<string, unknown>>): Promise<number> {
  const entry = await app.entries(tokenUid).create({ accessKey: hashOf(key), type: 'full-access', ...columns })
  return Number(entry.id)
}

/** Asks a second later, and until the answer is the wanted one; fails with the last one after a deadline. */
export async function until<T>(ask: () => Promise<T>, is: (answer: T) => boolean, deadline = 10_000): Promise<T> {
  await passTime(1000)
  const began = performance.now()
  for (;;) {
    const answer = await ask()
    if (is(answer)) return answer
    if (performance.now() - began > deadline) assert.fail(`not in time: ${JSON.stringify(answer)}`)
    await new Promise(setImmediate)
  }
}

export const status = (api: Pick<Api, 'get'>, path: string, key: string) => async (): Promise<number> =>
  (await api.get(path, bearer(key))).status
