import assert from 'node:assert/strict'
import { it } from 'vitest'
import { createTestApp } from '../../../core/index.js'
import { createLog } from '../../../core/log.js'
import { contract } from '../../support/contract.js'
import { onEveryEngine } from '../../support/every-engine.js'
import { account, as, fieldError, login, mailbox, outside, plainError, world } from './people.js'

const mail = mailbox()

contract(
  'addresses that must be confirmed',
  world({
    accounts: { alice: {}, carl: { confirmed: false }, bob: { confirmed: false, blocked: true } },
    config: { server: { url: 'https://api.example.test' } },
    settings: {
      email: mail.email,
      advanced: { email_confirmation: true, email_confirmation_redirection: 'https://front.example.test/welcome' },
    },
  }),
  api => {
    const confirm = (code: string) => api.get(`/auth/email-confirmation?confirmation=${encodeURIComponent(code)}`)
    const link = /https:\/\/api\.example\.test\/api\/auth\/email-confirmation\?confirmation=([0-9a-f]{40})/
    const codeOf = async (address: string, count = 1) => link.exec((await mail.to(address, count)).text)?.[1] ?? ''
    const own = (name: string) => `${name}-${api.engine.name}@example.test`

    it('a newcomer gets a mail and no token, and a token after the link of it', async () => {
      const body = { username: 'zed', email: own('zed'), password: 'secret-1' }
      const { status, body: answer } = await api.send('POST', '/auth/local/register', body, {
        host: 'evil.example.test',
        'x-forwarded-host': 'evil.example.test',
      })
      assert.equal(status, 200)
      assert.deepEqual(Object.keys(answer), ['user'])
      assert.equal(answer.user.confirmed, false)
      assert.equal((await login(api, 'zed', 'secret-1')).body.error.message, 'Your account email is not confirmed')
      const code = await codeOf(own('zed'))
      const followed = await confirm(code)
      assert.equal(followed.status, 302)
      assert.equal(followed.headers.location, 'https://front.example.test/welcome')
      const signedIn = await login(api, 'zed', 'secret-1')
      assert.equal((await api.get('/users/me', as(signedIn.body.jwt))).body.confirmed, true)
      assert.deepEqual((await confirm(code)).body, plainError(400, 'ValidationError', 'Invalid token'))
    })

    it('the link can be sent again', async () => {
      await outside(api.app, `update up_users set email = '${own('carl')}' where username = 'carl'`)
      const { status, body } = await api.send('POST', '/auth/send-email-confirmation', { email: own('carl') })
      assert.equal(status, 200)
      assert.deepEqual(body, { email: own('carl'), sent: true })
      assert.equal((await confirm(await codeOf(own('carl')))).status, 302)
      assert.equal((await login(api, 'carl')).status, 200)
    })

    it('gives unknown, blocked and confirmed addresses the same response, without a mail', async () => {
      for (const email of ['nobody@example.test', 'bob@example.test', 'alice@example.test']) {
        const { status, body } = await api.send('POST', '/auth/send-email-confirmation', { email })
        assert.equal(status, 200)
        assert.deepEqual(body, { email, sent: true })
        assert.deepEqual(
          mail.read().filter(({ to }) => to === email),
          [],
        )
      }
    })

    it('refuses what is missing, wrong or no text', async () => {
      const invalid = plainError(400, 'ValidationError', 'Invalid token')
      assert.deepEqual((await confirm('wrong')).body, invalid)
      assert.deepEqual(
        (await api.get('/auth/email-confirmation')).body,
        fieldError('confirmation', 'confirmation is required'),
      )
      assert.equal((await api.get('/auth/email-confirmation?confirmation[$ne]=x')).status, 400)
      assert.deepEqual(
        (await api.send('POST', '/auth/send-email-confirmation', {})).body,
        fieldError('email', 'email is required'),
      )
    })
  },
)

contract(
  'confirmed addresses with revealConfirmed',
  world({
    accounts: { alice: {}, carl: { confirmed: false } },
    settings: { email: mail.email, revealConfirmed: true },
  }),
  api => {
    it('are reported as confirmed', async () => {
      const { status, body } = await api.send('POST', '/auth/send-email-confirmation', { email: 'alice@example.test' })
      assert.equal(status, 400)
      assert.deepEqual(body, plainError(400, 'ApplicationError', 'Already confirmed'))
      const unknown = await api.send('POST', '/auth/send-email-confirmation', { email: 'nobody@example.test' })
      assert.deepEqual(unknown.body, { email: 'nobody@example.test', sent: true })
    })
  },
)

onEveryEngine('mail for an address', engine => {
  // Mail of this engine only: that of another would end the wait for it before its statements have been run.
  const mail = mailbox()

  it('is prepared after the response, which tells nothing by its time', async () => {
    const fresh = await engine.fresh()
    const events: string[] = []
    const note = (line: string) => {
      const { msg, sql = '' } = JSON.parse(line)
      if (msg === 'request' || (msg === 'statement' && sql.includes('up_users'))) events.push(msg)
    }
    const { plugins = [] } = world({ settings: { email: mail.email } })
    const log = createLog('trace', { destination: { write: note } })
    const app = await createTestApp({ plugins, config: { database: fresh.database }, log })
    try {
      await account(app, 'dora', { confirmed: false })
      for (const [index, route] of ['send-email-confirmation', 'forgot-password'].entries()) {
        events.length = 0
        const payload = { email: 'dora@example.test' }
        assert.equal((await app.inject({ method: 'POST', url: `/api/auth/${route}`, payload })).statusCode, 200)
        await mail.to('dora@example.test', index + 1)
        assert.equal(events[0], 'request')
        assert.ok(events.includes('statement'))
      }
    } finally {
      await app.close()
      await fresh.drop()
    }
  })
})
