import type { Bag, Loose } from '../types.js'
import { errorBody } from './errors.js'
import { refusals } from './status-names.js'

/** `ctx.badRequest('text', details)` and its kin: they answer, and what follows them runs on. */
const refusing = Object.fromEntries(
  refusals.map(({ status, text, error, method }) => [
    method,
    function refuse(this: Loose, message?: unknown, details: Loose = {}): void {
      const told = typeof message === 'string' && message !== '' ? message : text
      this.status = status
      this.body = errorBody({ status, name: error, message: told, details })
    },
  ]),
)

/** The functions of contexts beside Koa's own. */
export const answers: Bag = {
  ...refusing,
  send(this: Loose, body?: Loose, status = 200): void {
    this.status = status
    this.body = body
  },
  created(this: Loose, body?: Loose): void {
    this.status = 201
    this.body = body
  },
  deleted(this: Loose, body?: Loose): void {
    this.status = body === undefined || body === null ? 204 : 200
    this.body = body
  },
}
