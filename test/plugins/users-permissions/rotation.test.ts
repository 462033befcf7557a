import assert from 'node:assert/strict'
import { it, onTestFinished, vi } from 'vitest'
import { createTestApp } from '../../../core/index.js'
import { apiTokens } from '../../../plugins/api-tokens/index.js'
import { usersPermissions } from '../../../plugins/users-permissions/index.js'
import { onEveryEngine } from '../../support/every-engine.js'
import { mint } from '../api-tokens/world.js'

const [older, newer] = ['0b2c7d1e9f8a6b5c4d3e2f1a0b9c8d7e', '9z8y7x6w5v4u3t2s1r0q9p8o7n6m5l4k']
const types = { note: { attributes: { text: { type: 'string' } } } }
type Settings = Readonly<Record<string, unknown>>
const account = { username: 'ann', email: 'ann@example.com', password: 'a long password' }

onEveryEngine('secrets that change', engine => {
  it('leave tokens valid while the former one is named, and sign with the new one', async () => {
    const fresh = await engine.fresh()
    onTestFinished(() => fresh.drop())
    const open = async (signing: Settings, salting: Settings) => {
      const app = await createTestApp({
        types,
        plugins: [
          [usersPermissions, signing],
          [apiTokens, salting],
        ],
        config: {
          database: fresh.database,
          permissions: { roles: { authenticated: { note: ['find'] } } },
        },
      })
      const status = async (token: string) => {
        const headers = { authorization: `Bearer ${token}` }
        return (await app.inject({ url: '/api/notes', headers })).statusCode
      }
      return { app, status }
    }
    const first = await open({ jwtSecret: older }, { salt: older })
    const register = { method: 'POST', url: '/api/auth/local/register', payload: account } as const
    const oldJwt = (await first.app.inject(register)).json().jwt
    const oldKey = (await mint(first.app, 'old')).accessKey
    assert.deepEqual([await first.status(oldJwt), await first.status(oldKey)], [200, 200])
    await first.app.close()

    const second = await open({ jwtSecret: newer, formerJwtSecrets: [older] }, { salt: newer, formerSalts: [older] })
    assert.deepEqual([await second.status(oldJwt), await second.status(oldKey)], [200, 200])
    const payload = { identifier: 'ann', password: account.password }
    const newJwt = (await second.app.inject({ method: 'POST', url: '/api/auth/local', payload })).json().jwt
    const newKey = (await mint(second.app, 'new')).accessKey
    await second.app.close()

    // The new secret is the only one from here on.
    const third = await open({ jwtSecret: newer }, { salt: newer })
    assert.deepEqual([await third.status(newJwt), await third.status(newKey)], [200, 200])
    assert.deepEqual([await third.status(oldJwt), await third.status(oldKey)], [401, 401])
    await third.app.close()

    vi.stubEnv('JWT_SECRET_FORMER', `${'x'.repeat(8)}\n${older}`)
    vi.stubEnv('API_TOKEN_SALT_FORMER', older)
    onTestFinished(() => void vi.unstubAllEnvs())
    const fourth = await open({ jwtSecret: newer }, { salt: newer })
    assert.deepEqual([await fourth.status(oldJwt), await fourth.status(oldKey)], [200, 200])
    await fourth.app.close()
  })

  it('must not have been weak, as a guessed one still opens everything', async () => {
    const config = { environment: 'production' } as const
    await assert.rejects(
      createTestApp({
        types,
        plugins: [[usersPermissions, { jwtSecret: newer, formerJwtSecrets: ['secret'] }]],
        config,
      }),
      /the secret that was used to sign tokens with .*; set JWT_SECRET_FORMER, or users-permissions\.config\.formerJwtSecrets/,
    )
  })
})
