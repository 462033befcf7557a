import assert from 'node:assert/strict'
import { it } from 'vitest'
import { contract } from '../../support/contract.js'
import { as, fieldError, login, mailbox, outside, plainError, world } from './people.js'

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

    it('is answered the same for nobody and for blocked accounts, without a mail', async () => {
      for (const email of ['nobody@example.test', 'bob@example.test']) {
        const { status, body } = await api.send('POST', '/auth/send-email-confirmation', { email })
        assert.equal(status, 200)
        assert.deepEqual(body, { email, sent: true })
        assert.deepEqual(
          mail.read().filter(({ to }) => to === email),
          [],
        )
      }
    })

    it('is not sent to who has confirmed', async () => {
      const { status, body } = await api.send('POST', '/auth/send-email-confirmation', { email: 'alice@example.test' })
      assert.equal(status, 400)
      assert.deepEqual(body, plainError(400, 'ApplicationError', 'Already confirmed'))
    })

    it('refuses what is missing, wrong or no text', async () => {
      const invalid = plainError(400, 'ValidationError', 'Invalid token')
      assert.deepEqual((await confirm('wrong')).body, invalid)
      assert.deepEqual(
        (await api.get('/auth/email-confirmation')).body,
        fieldError('confirmation', 'confirmation is a required field'),
      )
      assert.equal((await api.get('/auth/email-confirmation?confirmation[$ne]=x')).status, 400)
      assert.deepEqual(
        (await api.send('POST', '/auth/send-email-confirmation', {})).body,
        fieldError('email', 'email is a required field'),
      )
    })
  },
)
