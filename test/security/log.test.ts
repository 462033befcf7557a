import assert from 'node:assert/strict'
import { it, onTestFinished } from 'vitest'
import { createTestApp, definePlugin } from '../../core/index.js'
import { createLog } from '../../core/log.js'
import { apiTokens } from '../../plugins/api-tokens/index.js'
import { usersPermissions } from '../../plugins/users-permissions/index.js'
import { onEveryEngine } from '../support/every-engine.js'

/** A mark in every secret that is sent. */
const mark = 'h1dd3nS3cr3tV4lu3'
const failing = definePlugin({
  name: 'failing',
  routes: [
    {
      method: 'GET',
      path: '/failing/:key',
      action: null,
      run: ({ ctx }) => {
        throw Object.assign(new Error('on purpose'), { token: mark, headers: ctx.headers, sql: `select '${mark}'` })
      },
    },
  ],
})

const json = { 'content-type': 'application/json' }
const account = { username: 'ann', email: 'ann@example.com', password: mark }

onEveryEngine('the log at any level', engine => {
  for (const level of ['info', 'trace'])
    it(`has nothing secret of what clients send: ${level}`, async () => {
      const fresh = await engine.fresh()
      const lines: string[] = []
      const attributes = { title: { type: 'string', unique: true }, pin: { type: 'password' } } as const
      const app = await createTestApp({
        types: { book: { attributes } },
        plugins: [failing, apiTokens, [usersPermissions, { jwtSecret: mark.repeat(3) }]],
        config: {
          database: fresh.database,
          permissions: { roles: { public: { book: ['find', 'findOne', 'create'] } } },
        },
        log: createLog(level, { destination: { write: line => void lines.push(line) } }),
      })
      onTestFinished(async () => {
        await app.close()
        await fresh.drop()
      })
      const register = { method: 'POST', url: '/api/auth/local/register', payload: account } as const
      const { jwt } = (await app.inject(register)).json()
      const book = (title: string) => ({
        method: 'POST' as const,
        url: '/api/books',
        payload: { data: { title, pin: mark } },
      })
      const requests: Parameters<typeof app.inject>[0][] = [
        ...['', '/1'].map(rest => ({ url: `/api/books${rest}`, headers: { authorization: `Bearer ${mark}` } })),
        { url: '/api/books', headers: { authorization: `Bearer ${jwt}`, cookie: `session=${mark}` } },
        { url: '/api/books', headers: { 'x-request-id': `${mark} "` } },
        `/api/books?filters[title]=${mark}&token=${mark}`,
        `/api/books?sort=${mark}`,
        `/api/auth/email-confirmation?confirmation=${mark}`,
        `/nowhere/${mark}?code=${mark}`,
        `/api/failing/${mark}?token=${mark}`,
        { url: '/api/failing/1', headers: { authorization: `Bearer ${jwt}`, cookie: mark } },
        { method: 'POST', url: '/api/auth/local', payload: { identifier: 'ann', password: `not ${mark}` } },
        {
          method: 'POST',
          url: '/api/auth/reset-password',
          payload: { code: mark, password: mark, passwordConfirmation: mark },
        },
        { method: 'POST', url: '/api/books', payload: `{"data":{"pin":"${mark}`, headers: json },
        book(mark),
        book(mark),
      ]
      for (const request of requests) await app.inject(request)
      await app.store.transaction(async session => void (await session.run('drop table books', [])))
      await app.inject(book(`${mark} again`))
      await app.inject(`/api/books?filters[title]=${mark}`)
      const text = lines.join('')
      assert.ok(lines.filter(line => line.includes('"msg":"request"')).length > requests.length, text)
      assert.ok(lines.some(line => line.includes('"msg":"a request failed"') && line.includes('"sql"')))
      for (const secret of [mark, jwt]) {
        const told = lines.filter(line => line.includes(secret))
        assert.deepEqual(told, [])
      }
    })
})
