import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { type Body, LongText } from '../../loop/long-text.js'
import type { Codings } from './static-body.js'

type Coding = keyof Codings

/** Bytes in a coding that the client accepts. */
export interface EncodedBody {
  readonly coding: Coding
  readonly bytes: Buffer
}

/** Below it, a response is one packet anyhow. */
const least = 1024

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)
// Levels at which a response that is sent once is compressed in about the time that gzip takes.
const run = {
  br: (bytes: string | Buffer) => brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (bytes: string | Buffer) => zip(bytes, { level: 6 }),
}

/** Cached responses are compressed once; the bytes stored beside one are never more than those of the response itself. */
const codingsOf = new WeakMap<Buffer, Map<Coding, Promise<Buffer | undefined>>>()

/** The response in the best coding that the client accepts, compressed in a thread; undefined if it is sent as it is. */
export function compressed(accepted: string | undefined, body: Body): Promise<EncodedBody | undefined> | undefined {
  const coding = accepted === undefined ? undefined : chosen(accepted)
  if (coding === undefined) return undefined
  const length =
    typeof body === 'string' ? Buffer.byteLength(body) : body instanceof LongText ? body.byteLength : body.length
  return length < least ? undefined : inCoding(coding, body, length)
}

async function inCoding(coding: Coding, body: Body, length: number): Promise<EncodedBody | undefined> {
  const bytes = await (Buffer.isBuffer(body) ? once(coding, body) : compress(coding, body))
  return bytes && bytes.length < length ? { coding, bytes } : undefined
}

function once(coding: Coding, body: Buffer): Promise<Buffer | undefined> {
  const codings = codingsOf.get(body) ?? new Map<Coding, Promise<Buffer | undefined>>()
  codingsOf.set(body, codings)
  const known = codings.get(coding)
  if (known) return known
  const made = compress(coding, body).then(bytes => (bytes.length * 2 > body.length ? undefined : bytes))
  codings.set(coding, made)
  made.catch(() => codings.delete(coding))
  return made
}

const compress = (coding: Coding, body: Body): Promise<Buffer> =>
  run[coding](body instanceof LongText ? body.toBuffer() : body)

const choices = new Map<string, Coding | undefined>()
const mostChoices = 200

/** The coding that `Accept-Encoding` prefers, `br` if several are equal; undefined for no coding. */
function chosen(accepted: string): Coding | undefined {
  if (choices.has(accepted)) return choices.get(accepted)
  const weights = new Map<string, number>()
  for (const part of accepted.toLowerCase().split(',')) {
    const [name = '', ...params] = part.split(';').map(text => text.trim())
    const [, weight = '1'] = params.map(param => /^q=([\d.]+)$/.exec(param)).find(Boolean) ?? []
    weights.set(name === 'x-gzip' ? 'gzip' : name, Number(weight))
  }
  const weightOf = (name: string) => weights.get(name) ?? weights.get('*') ?? 0
  const plain = weights.get('identity') ?? 0
  const [best] = (['br', 'gzip'] as const)
    .filter(name => weightOf(name) > 0 && weightOf(name) >= plain)
    .sort((a, b) => weightOf(b) - weightOf(a))
  if (choices.size >= mostChoices) choices.clear()
  choices.set(accepted, best)
  return best
}
