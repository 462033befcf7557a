import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, onTestFinished, vi } from 'vitest'
import { createLog } from '../../../../core/log.js'
import { createMailer, type MailSettings } from '../../../../plugins/users-permissions/mail/index.js'
import { freePort } from '../../../support/free-port.js'
import { mailServer } from './mail-server.js'

const mail = { to: 'ada@example.com', subject: 'Hello', text: 'plain words', html: '<p>rich words</p>' }
const none: MailSettings = { providerOptions: {}, settings: {} }

/** A mailer in a folder of its own, and what it wrote to the log. */
function mailer(settings: Partial<MailSettings> = {}, production = true) {
  const appDir = mkdtempSync(join(tmpdir(), 'stele-mail-'))
  const lines: string[] = []
  const log = createLog('info', { destination: { write: line => lines.push(line) } })
  const made = createMailer({ ...none, ...settings }, { production, appDir, log })
  onTestFinished(async () => {
    await made.close()
    rmSync(appDir, { recursive: true })
  })
  return { mailer: made, appDir, lines }
}

const smtp = (port: number, more: object = {}): Partial<MailSettings> => ({
  provider: 'smtp',
  providerOptions: { host: '127.0.0.1', port, ...more },
})

const linesOf = (file: string): unknown[] =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line))

describe('without a provider', () => {
  it('the log shows a mail while an app is developed', async () => {
    const { mailer: made, lines } = mailer({}, false)
    made.check()
    await made.send(mail)
    const { to, subject, text } = JSON.parse(lines[0] as string)
    assert.deepEqual({ to, subject, text }, { to: mail.to, subject: 'Hello', text: 'plain words' })
  })

  it('mail is refused in production; only the log learns which setting is missing', async () => {
    const refusal = (error: Error & { status?: number }) => {
      assert.deepEqual([error.status, error.message], [503, 'Mail cannot be sent: this server has no mail provider'])
      assert.match(String(error.cause), /users-permissions\.config\.email\.provider/)
      return true
    }
    const { mailer: made } = mailer()
    assert.throws(() => made.check(), refusal)
    await assert.rejects(made.send(mail), refusal)
  })
})

describe('a file for mail', () => {
  const written = { ...mail, from: 'no-reply@localhost' }

  it('gets one line of JSON for each mail', async () => {
    const { mailer: made, appDir } = mailer({ provider: 'file', providerOptions: { path: 'out/mail.jsonl' } })
    await made.send(mail)
    await made.send({ ...mail, subject: 'two\nlines' })
    assert.deepEqual(linesOf(join(appDir, 'out/mail.jsonl')), [written, { ...written, subject: 'two\nlines' }])
  })

  it('is named by STELE_MAIL_FILE too, which wins over the settings', async () => {
    vi.stubEnv('STELE_MAIL_FILE', 'from-environment.jsonl')
    onTestFinished(() => void vi.unstubAllEnvs())
    const { mailer: made, appDir } = mailer(smtp(1))
    await made.send(mail)
    assert.deepEqual(linesOf(join(appDir, 'from-environment.jsonl')), [written])
  })

  it('can be read by its owner only', async () => {
    const { mailer: made, appDir } = mailer({ provider: 'file', providerOptions: { path: 'mail.jsonl' } })
    await made.send(mail)
    assert.equal(statSync(join(appDir, 'mail.jsonl')).mode & 0o777, 0o600)
  })

  it('must have a name', () => {
    assert.throws(() => mailer({ provider: 'file' }), { name: 'BootError', message: /providerOptions\.path/ })
  })
})

describe('a mail server', () => {
  it('gets the mail with both of its forms, and the addresses of the settings', async () => {
    const { port, deliveries } = await mailServer()
    const { mailer: made } = mailer({
      ...smtp(port),
      settings: { defaultFrom: 'Stele <stele@example.com>', defaultReplyTo: 'help@example.com' },
    })
    await made.send(mail)
    const [{ from, to, message } = assert.fail('no mail came')] = deliveries
    assert.equal(from, 'stele@example.com')
    assert.deepEqual(to, ['ada@example.com'])
    for (const part of [
      /^From: Stele <stele@example.com>/m,
      /^Reply-To: help@example.com/m,
      /^Subject: Hello/m,
      /plain words/,
      /<p>rich words<\/p>/,
    ])
      assert.match(message, part)
  })

  it('gets the sender of the mail where it has one', async () => {
    const { port, deliveries } = await mailServer()
    const { mailer: made } = mailer(smtp(port))
    await made.send({ ...mail, from: 'office@example.com', replyTo: '' })
    assert.equal(deliveries[0]?.from, 'office@example.com')
    assert.doesNotMatch(deliveries[0]?.message ?? '', /^Reply-To/m)
  })

  it('is signed in to, and `nodemailer` names it too', async () => {
    const { port, deliveries } = await mailServer()
    const { mailer: made } = mailer({
      ...smtp(port, { auth: { user: 'stele', pass: 'right' } }),
      provider: 'nodemailer',
    })
    await made.send(mail)
    assert.equal(deliveries[0]?.user, 'stele')
  })

  const addresses = [
    'ada@example.com, eve@example.net',
    'ada@example.com\r\nBcc: eve@example.net',
    'eve@example.net <ada@example.com>',
    '"eve@example.net x"@example.com',
  ]
  for (const to of addresses)
    it(`gives nothing to the second address in ${JSON.stringify(to)}`, async () => {
      const { port, deliveries } = await mailServer()
      const { mailer: made } = mailer(smtp(port))
      await made.send({ ...mail, to }).catch(({ status }) => assert.equal(status, 503))
      for (const delivery of deliveries) {
        assert.ok(delivery.to.length === 1 && !delivery.to.includes('eve@example.net'), String(delivery.to))
        assert.doesNotMatch(delivery.message, /^Bcc/im)
      }
    })

  it('is not led to another header by a subject', async () => {
    const { port, deliveries } = await mailServer()
    const { mailer: made } = mailer(smtp(port))
    await made.send({ ...mail, subject: 'Hello\r\nX-Made-Up: yes' })
    assert.doesNotMatch(deliveries[0]?.message ?? 'X-Made-Up:', /^X-Made-Up:/m)
  })

  it('that refuses or is not there is a 503 without a word of it', async () => {
    const { port } = await mailServer()
    for (const settings of [smtp(await freePort()), smtp(port, { auth: { user: 'stele', pass: 'wr0ng' } })]) {
      const { mailer: made, lines } = mailer(settings)
      await assert.rejects(made.send(mail), { status: 503, message: 'The mail could not be sent, try again later' })
      assert.doesNotMatch(lines.join(''), /wr0ng/)
    }
  })

  it('is not waited for by `post`, only by `close`', async () => {
    let open = () => {}
    const { port, deliveries } = await mailServer(new Promise(resolve => (open = resolve)))
    const { mailer: made } = mailer(smtp(port))
    made.post(mail)
    assert.equal(deliveries.length, 0)
    const closed = made.close()
    open()
    await closed
    assert.equal(deliveries.length, 1)
  })

  it('that fails after `post` is a line in the log', async () => {
    const { mailer: made, lines } = mailer(smtp(await freePort()))
    made.post(mail)
    await made.close()
    assert.match(lines.join(''), /"level":"error".*a mail could not be sent/)
  })

  it('must have a host', () => {
    assert.throws(() => mailer({ provider: 'smtp' }), { name: 'BootError', message: /providerOptions\.host/ })
  })
})
