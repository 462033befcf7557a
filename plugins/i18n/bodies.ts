import { ValidationError } from '../../core/index.js'

export type Body = Readonly<Record<string, unknown>>

/** What was sent: in `data`, as the rest of the API takes it, or as it is. */
export function unwrapped(body: unknown): Body {
  const sent = bare(body)
  return Object.hasOwn(sent, 'data') ? bare(sent.data) : sent
}

/** What was sent, as it is. */
export function bare(body: unknown): Body {
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Body
  throw new ValidationError('The request body must be a JSON object')
}
