import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { LookupFunction } from 'node:net'
import { type AllowedAddresses, addressOf } from './addresses.js'

/** A receiver's response. */
export interface Reply {
  readonly status: number
  /** The first kilobyte of its body. */
  readonly text: string
  /** Milliseconds that the receiver wants to be left alone. */
  readonly retryAfter: number | undefined
}

interface WebhookRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly allowed: AllowedAddresses
  readonly signal: AbortSignal
}

/** Bytes of a response that are kept. */
const shown = 1024

/**
 * Posts a body to the address that was found for the host, and follows no redirect. The status decides, whether or not
 * the body arrives.
 */
export async function send({ url, headers, body, allowed, signal }: WebhookRequest): Promise<Reply> {
  const place = new URL(url)
  if (place.protocol !== 'http:' && place.protocol !== 'https:')
    throw new Error(`${url} is no address of http or https`)
  const found = await addressOf(place.hostname, allowed)
  signal.throwIfAborted()
  const pinned: LookupFunction = (_host, options, done) =>
    options.all ? done(null, [found]) : done(null, found.address, found.family)
  const options = {
    method: 'POST',
    // A connection of its own, as a kept one could lead elsewhere than to the checked address.
    agent: false as const,
    lookup: pinned,
    signal,
    headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
  }
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const request = (place.protocol === 'https:' ? httpsRequest : httpRequest)(place, options, resolve)
    // Errors are possible after the response too: a receiver may cut the connection while its body is read.
    request.on('error', reject)
    request.end(body)
  })
  const { statusCode: status = 0 } = response
  return { status, text: await beginOf(response), retryAfter: waitIn(response.headers['retry-after']) }
}

async function beginOf(response: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  let length = 0
  try {
    for await (const part of response as AsyncIterable<Buffer>) {
      parts.push(part)
      length += part.length
      if (length >= shown) break
    }
  } catch {
    // The status has arrived: a broken body does not undo the receiver's work.
  }
  response.destroy()
  return Buffer.concat(parts).subarray(0, shown).toString('utf8')
}

/** `Retry-After`, in seconds or as a date. */
function waitIn(header: string | undefined): number | undefined {
  if (header === undefined) return undefined
  const wait = /^\d{1,9}$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - Date.now()
  return Number.isFinite(wait) ? Math.max(0, wait) : undefined
}
