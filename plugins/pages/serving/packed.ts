import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { StaticBody } from '../../../core/plugin-kit.js'

/** Compresses texts made while the server runs: less tightly than a build would, and quickly. */
export async function packed(type: string, text: string): Promise<StaticBody> {
  const plain = Buffer.from(text)
  const params = { [constants.BROTLI_PARAM_QUALITY]: 5 }
  const [br, gz] = await Promise.all([promisify(brotliCompress)(plain, { params }), promisify(gzip)(plain)])
  return new StaticBody(type, plain, { br, gzip: gz })
}
