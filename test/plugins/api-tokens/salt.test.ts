import assert from 'node:assert/strict'
import { afterEach, describe, it, onTestFinished } from 'vitest'
import { createTestApp, type TestApp, type TestAppOptions } from '../../../core/index.js'
import { apiTokens } from '../../../plugins/api-tokens/index.js'
import { mint } from './world.js'

const hashesBy = async (options: TestAppOptions): Promise<string> => {
  const app: TestApp = await createTestApp({ plugins: [apiTokens], ...options })
  onTestFinished(() => app.close())
  const { id, accessKey } = await mint(app, 'a')
  const [row] = await app.entries('admin::api-token').find({ where: { id: { $eq: id } }, fields: ['accessKey'] })
  const { createHmac } = await import('node:crypto')
  const salts = ['of the settings', 'of config/admin', 'of the environment']
  return (
    salts.find(salt => createHmac('sha512', salt).update(accessKey).digest('hex') === row?.accessKey) ?? 'of nobody'
  )
}
const admin = (salt: unknown) => ({ foreign: { admin: { apiToken: { salt } } } })

describe('the salt', () => {
  afterEach(() => void delete process.env.API_TOKEN_SALT)

  it("is the plugin's setting before anything else", async () => {
    process.env.API_TOKEN_SALT = 'of the environment'
    const plugins = [[apiTokens, { salt: 'of the settings' }]] as const
    assert.equal(await hashesBy({ plugins, config: admin('of config/admin') }), 'of the settings')
  })
  it('is what config/admin of an older project says, as that project would read it', async () => {
    process.env.API_TOKEN_SALT = 'of the environment'
    assert.equal(await hashesBy({ config: admin('of config/admin') }), 'of config/admin')
  })
  for (const salt of ['', undefined, 1, null, {}])
    it(`is the variable API_TOKEN_SALT where config/admin says ${JSON.stringify(salt)}`, async () => {
      process.env.API_TOKEN_SALT = 'of the environment'
      assert.equal(await hashesBy({ config: admin(salt) }), 'of the environment')
    })
  it('is made where a test says nothing', async () => {
    assert.equal(await hashesBy({}), 'of nobody')
  })
  it('is asked for in production', async () => {
    await assert.rejects(createTestApp({ plugins: [apiTokens], config: { environment: 'production' } }), {
      name: 'BootError',
      message: /plugin api-tokens could not start: it needs a secret to hash tokens with: set API_TOKEN_SALT, or/,
    })
  })
  it('is text', async () => {
    await assert.rejects(createTestApp({ plugins: [[apiTokens, { salt: 1 }]] }), /api-tokens\.config\.salt/)
  })
})
