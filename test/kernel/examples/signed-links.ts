import { createHmac, timingSafeEqual } from 'node:crypto'
import { definePlugin, ForbiddenError } from '../../../core/index.js'
import { secretOf } from '../../../core/plugin-kit.js'

/** Links to unsubscribe that only this server can have made: `?email=ann@example.com&sign=...`. */
export const signedLinks = definePlugin({
  name: 'signed-links',
  config: { type: 'object', properties: { secret: { type: 'string' } } },
  async register({ config, app, log, entries }) {
    const asked = {
      configured: config.secret,
      variable: 'LINKS_SECRET',
      setting: 'signed-links.config.secret',
      purpose: 'to sign links with',
      file: 'links-secret',
    }
    const secret = await secretOf(asked, app, log)
    return { entries, sign: (email: string) => createHmac('sha256', secret).update(email).digest('base64url') }
  },
  routes: [
    {
      method: 'POST',
      path: '/unsubscribe',
      action: null,
      body: 'none',
      async run({ query, service: { entries, sign } }) {
        const [email, given, expected] = [String(query.email), Buffer.from(String(query.sign)), Buffer.alloc(43)]
        expected.write(sign(email))
        if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw new ForbiddenError()
        const readers = entries('api::reader.reader')
        for (const { id } of await readers.find({ where: { email } })) await readers.delete(Number(id))
      },
    },
  ],
})
