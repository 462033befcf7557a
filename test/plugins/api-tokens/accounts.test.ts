import assert from 'node:assert/strict'
import { beforeAll, it } from 'vitest'
import { apiTokens } from '../../../plugins/api-tokens/index.js'
import { usersPermissions } from '../../../plugins/users-permissions/index.js'
import { contract, refused } from '../../support/contract.js'
import { bearer, mint, salt, world } from './world.js'

const accounts = [usersPermissions, { jwtSecret: 'a secret for tests' }] as const

for (const plugins of [
  [accounts, [apiTokens, { salt }]],
  [[apiTokens, { salt }], accounts],
] as const)
  contract(
    `beside accounts, ${plugins[0] === accounts ? 'behind' : 'before'} them`,
    { ...world, plugins, rest: {} },
    api => {
      const words: Record<string, string> = {}
      beforeAll(async () => {
        const person = { username: 'alice', email: 'alice@example.test', password: 'a password' }
        const answer = await api.send('POST', '/auth/local/register', person)
        assert.equal(answer.status, 200, answer.text)
        words.account = answer.body.jwt
        words.full = (await mint(api.app, 'full')).accessKey
        words.reader = (await mint(api.app, 'reader', { type: 'read-only' })).accessKey
        words.forged = `${words.account?.slice(0, -3)}abc`
      })
      const table: readonly (readonly [string, Readonly<Record<string, number>>])[] = [
        ['/memos/1', { full: 200, reader: 200, account: 403, forged: 401 }],
        ['/users', { full: 200, reader: 200, account: 403, forged: 401 }],
        ['/users/1', { full: 200, reader: 200, account: 403, forged: 401 }],
        ['/users/count', { full: 200, reader: 403, account: 403, forged: 401 }],
        ['/users/me', { full: 401, reader: 403, forged: 401 }],
        ['/users-permissions/roles', { full: 200, reader: 200, account: 403, forged: 401 }],
        ['/api-tokens', { full: 200, reader: 403, account: 403, forged: 401 }],
      ]
      for (const [path, outcomes] of table)
        for (const [who, wanted] of Object.entries(outcomes))
          it(`GET ${path} with ${who} is ${wanted}`, async () => {
            const answer = await api.get(path, bearer(words[who] as string))
            assert.equal(answer.status, wanted, answer.text)
            assert.doesNotMatch(answer.text, /password|accessKey|\$2[aby]\$/i)
          })
      it('visitors are asked for credentials where tokens are managed, and keep the rights of their role', async () => {
        refused(await api.get('/api-tokens'), { status: 401, name: 'UnauthorizedError' })
        assert.ok([401, 403].includes((await api.get('/memos/1')).status))
      })
    },
  )
