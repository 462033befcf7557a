import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'
import { onTestFinished } from 'vitest'

export interface Delivery {
  readonly from: string
  readonly to: readonly string[]
  readonly message: string
  readonly user: string | undefined
}

/** A mail server on a free port that keeps what it is given; `answer` holds every mail back until it resolves. */
export async function mailServer(answer: Promise<void> = Promise.resolve()) {
  const deliveries: Delivery[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth({ username, password }, _session, done) {
      if (password === 'right') done(null, { user: username })
      else done(new Error('wrong user name or password'))
    },
    async onData(stream, { envelope, user }, done) {
      const message = await text(stream)
      await answer
      const { mailFrom, rcptTo } = envelope
      deliveries.push({
        from: mailFrom ? mailFrom.address : '',
        to: rcptTo.map(({ address }) => address),
        message,
        user: user as string | undefined,
      })
      done()
    },
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  onTestFinished(() => new Promise<void>(done => server.close(() => done())))
  return { port: (server.server.address() as AddressInfo).port, deliveries }
}
