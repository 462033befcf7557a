import { STATUS_CODES } from 'node:http'

/** A status of the protocol that refuses: its text, the name of its error, and the function of `ctx` that answers with it. */
export interface RefusalStatus {
  readonly status: number
  readonly text: string
  readonly error: string
  readonly method: string
}

const words = (text: string): string =>
  text
    .split(' ')
    .map(word => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
    .replace(/[^ _0-9a-z]/gi, '')

/** `URITooLong` is `uriTooLong`. */
const camel = (name: string): string =>
  name
    .replace(/^[A-Z]+(?=[A-Z][a-z])|^[A-Z]+$/, start => start.toLowerCase())
    .replace(/^[A-Z]/, first => first.toLowerCase())

const refusing = (status: number, text: string): RefusalStatus => {
  const name = words(text)
  return { status, text, error: name.endsWith('Error') ? name : `${name}Error`, method: camel(name) }
}

export const refusals: readonly RefusalStatus[] = Object.entries(STATUS_CODES)
  .map(([status, text]) => [Number(status), text ?? ''] as const)
  .filter(([status]) => status >= 400)
  .map(([status, text]) => refusing(status, text))

const byStatus = new Map(refusals.map(one => [one.status, one]))

/** The words of a status; of one that the protocol does not know, those of its class. */
export const wordsOf = (status: number): RefusalStatus =>
  byStatus.get(status) ?? { ...(byStatus.get(status < 500 ? 400 : 500) as RefusalStatus), status }
