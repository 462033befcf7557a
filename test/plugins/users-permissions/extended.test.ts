import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'light-my-request'
import { describe, it, onTestFinished } from 'vitest'
import { loadConfig } from '../../../core/boot/load-config.js'
import { type App, boot } from '../../../core/kernel.js'
import { createLog } from '../../../core/log.js'
import { wings } from '../../../core/wings.js'
import { usersPermissions } from '../../../plugins/users-permissions/index.js'
import { secret } from './people.js'

const user = {
  attributes: {
    nickname: { type: 'string' },
    score: { type: 'integer', writable: false },
    note: { type: 'string', private: true },
    friend: { type: 'relation', relation: 'manyToOne', target: 'plugin::users-permissions.user' },
    card: { type: 'component', component: 'shared.card' },
  },
}
const card = {
  collectionName: 'components_shared_cards',
  attributes: { color: { type: 'string' }, rank: { type: 'integer', writable: false } },
}
const newcomer = {
  ...{ username: 'alice', email: 'alice@example.test', password: 'secret-1' },
  card: { color: 'red', rank: 9 },
  ...{ nickname: 'al', score: 9, note: 'psst', friend: 1, role: 2, confirmed: false, blocked: true, provider: 'x' },
}

/** An app whose schema file adds to the accounts. */
async function appWith(settings: object): Promise<App> {
  const folder = mkdtempSync(join(tmpdir(), 'stele-extended-'))
  mkdirSync(join(folder, 'content-types/plugins/users-permissions'), { recursive: true })
  writeFileSync(join(folder, 'content-types/plugins/users-permissions/user.json'), JSON.stringify(user))
  mkdirSync(join(folder, 'content-types/components/shared'), { recursive: true })
  writeFileSync(join(folder, 'content-types/components/shared/card.json'), JSON.stringify(card))
  const config = await loadConfig(folder, { env: { NODE_ENV: 'test', DATABASE_FILENAME: ':memory:' } })
  const plugins = [{ plugin: usersPermissions, enabled: true, config: { jwtSecret: secret, ...settings } }]
  const app = await boot({ wings, config, log: createLog('silent'), plugins })
  onTestFinished(async () => {
    await app.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return app
}

async function register(app: App) {
  const answer = await inject(app.koa.callback() as never, {
    method: 'POST',
    url: '/api/auth/local/register',
    payload: newcomer,
  })
  assert.equal(answer.statusCode, 200, answer.body)
  const users = app.entries('plugin::users-permissions.user')
  const fields = ['nickname', 'score', 'note', 'confirmed', 'blocked', 'provider']
  const stored = await users.first({
    where: { username: { $eq: 'alice' } },
    fields,
    populate: { friend: true, role: true, card: true },
  })
  return { shown: answer.json().user, stored: stored as Record<string, unknown> & { role: { type: string } } }
}

describe('attributes that an app adds to accounts', () => {
  it('are not taken from who registers, unless the settings list them', async () => {
    const { stored, shown } = await register(await appWith({}))
    assert.deepEqual([stored.nickname, stored.score, stored.note, stored.friend], [null, null, null, null])
    assert.equal(shown.nickname, null)
    assert.equal('note' in shown, false)
  })

  it('are taken where the settings list them, and never what is not the newcomer’s to say', async () => {
    const allowedFields = ['nickname', 'role', 'confirmed', 'blocked', 'provider', 'score', 'card']
    const { stored, shown } = await register(await appWith({ register: { allowedFields } }))
    assert.deepEqual([stored.nickname, shown.nickname, stored.note], ['al', 'al', null])
    assert.deepEqual(
      [stored.confirmed, stored.blocked, stored.provider, stored.role.type],
      [true, false, 'local', 'authenticated'],
    )
    assert.equal(stored.score, null)
    const { id: _, ...shownCard } = stored.card as Record<string, unknown>
    assert.deepEqual(shownCard, { color: 'red', rank: null })
  })

  it('are all taken with *, but relations and what is private or not writable', async () => {
    const { stored } = await register(await appWith({ register: { allowedFields: ['*'] } }))
    assert.deepEqual([stored.nickname, stored.score, stored.note, stored.friend], ['al', null, null, null])
    assert.equal(stored.role.type, 'authenticated')
  })
})

describe('the lifetime of tokens', () => {
  it('is what the settings say', async () => {
    const app = await appWith({ jwt: { expiresIn: '2h' } })
    const answer = await inject(app.koa.callback() as never, {
      method: 'POST',
      url: '/api/auth/local/register',
      payload: newcomer,
    })
    const [, claims = ''] = answer.json().jwt.split('.')
    const { iat, exp } = JSON.parse(Buffer.from(claims, 'base64url').toString())
    assert.equal(exp - iat, 7200)
  })

  it('stops the start where it is none', async () => {
    await assert.rejects(appWith({ jwt: { expiresIn: 'soon' } }), /jwt\.expiresIn is "soon"; it takes seconds, or text/)
  })
})
