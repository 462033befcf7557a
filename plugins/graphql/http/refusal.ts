import { codes, refusalSaying } from '../errors.js'

/** A response without a single field: what the endpoint sends for an operation. */
export interface Sent {
  readonly status: number
  readonly text: string
  /** The media type, where that is not the one of responses. */
  readonly type?: string
  readonly headers?: Readonly<Record<string, string>>
}

interface RefusalParts {
  readonly status?: number
  /** With it the response is JSON, and otherwise a text: the request is none of GraphQL. */
  readonly code?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** A request that is refused before there is a document. */
export class Refusal extends Error {
  readonly #parts: RefusalParts

  constructor(message: string, parts: RefusalParts = {}) {
    super(message)
    this.#parts = parts
  }

  /** The whole response. */
  alone(): Sent {
    const { status = 400, code, headers = {} } = this.#parts
    if (code === undefined) return { status, text: this.message, type: 'text/plain; charset=utf-8', headers }
    return { status, text: refusalSaying(this.message, code), headers }
  }

  /** The response of one operation among others. */
  inBatch(): Sent {
    const { code = codes.request } = this.#parts
    return { status: 200, text: refusalSaying(this.message, code) }
  }
}
