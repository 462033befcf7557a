import { createHmac } from 'node:crypto'

const prefix = 'whsec_'

/** The bytes of a secret as Standard Webhooks spells it: `whsec_` and base64. Undefined where it is something else. */
export function keyOf(secret: string): Buffer | undefined {
  const bare = secret.startsWith(prefix) ? secret.slice(prefix.length) : secret
  const key = Buffer.from(bare, 'base64')
  return /^[\w+/-]+={0,2}$/.test(bare) && key.length >= 24 && key.length <= 64 ? key : undefined
}

/** The headers of Standard Webhooks 1.0. While a secret is replaced there are two, and a signature by each. */
export function signed(
  { id, body, at }: { readonly id: string; readonly body: string; readonly at: Date },
  secrets: readonly string[],
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const signatures = secrets.map(secret => {
    const hmac = createHmac('sha256', keyOf(secret) ?? '').update(`${id}.${timestamp}.${body}`)
    return `v1,${hmac.digest('base64')}`
  })
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    ...(signatures.length > 0 && { 'webhook-signature': signatures.join(' ') }),
  }
}
