import { ValidationError } from '../../core/index.js'

export type Body = Readonly<Record<string, unknown>>

/** Reads a body: its `data`, as in the rest of the API, or the body as it is. */
export function unwrapped(body: unknown): Body {
  const sent = bare(body)
  return Object.hasOwn(sent, 'data') ? bare(sent.data) : sent
}

/** The whole body as data. */
export function bare(body: unknown): Body {
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Body
  throw new ValidationError('The request body must be a JSON object')
}
