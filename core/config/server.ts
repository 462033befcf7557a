import { BootError } from '../errors.js'
import type { CorsConfig, DeepPartial, ServerConfig } from './types.js'
import type { ReadVariable } from './variables.js'

const KiB = 1024
const MiB = 1024 * KiB

/** What `config/server` may say. */
type ServerFile = Omit<DeepPartial<ServerConfig>, 'port' | 'cors'> & {
  readonly port?: number | string
  readonly cors?: Omit<DeepPartial<CorsConfig>, 'origin'> & { readonly origin?: string | readonly string[] }
}

export function readServer(value: unknown, variable: ReadVariable): ServerConfig {
  const file = (value ?? {}) as ServerFile
  return {
    host: file.host ?? variable('HOST') ?? '0.0.0.0',
    port: Number(file.port ?? variable('PORT') ?? 1337),
    // An empty url is how older projects say that there is none.
    ...(file.url && { url: file.url }),
    proxy: file.proxy ?? false,
    shutdownDeadline: file.shutdownDeadline ?? 10_000,
    ...timeoutsOf(file),
    keepAliveTimeout: file.keepAliveTimeout ?? 5_000,
    body: {
      json: file.body?.json ?? MiB,
      form: file.body?.form ?? 56 * KiB,
      text: file.body?.text ?? 56 * KiB,
      multipart: file.body?.multipart ?? 200 * MiB,
    },
    cors: corsOf(file.cors ?? {}),
    overload: { maxDelay: file.overload?.maxDelay ?? 200 },
    idempotency: { maxAge: file.idempotency?.maxAge ?? 86_400, answer: file.idempotency?.answer ?? 64 * KiB },
  }
}

/** Node refuses to listen when the headers may take longer than the whole request; said here, it names the setting. */
function timeoutsOf(file: ServerFile): Pick<ServerConfig, 'requestTimeout' | 'headersTimeout'> {
  const requestTimeout = file.requestTimeout ?? Math.max(300_000, file.headersTimeout ?? 0)
  const headersTimeout = file.headersTimeout ?? Math.min(10_000, requestTimeout || 10_000)
  if (requestTimeout > 0 && headersTimeout > requestTimeout) {
    throw new BootError(
      `config/server: headersTimeout is ${headersTimeout}, more than requestTimeout, which is ${requestTimeout}`,
    )
  }
  return { requestTimeout, headersTimeout }
}

function corsOf(file: NonNullable<ServerFile['cors']>): CorsConfig {
  const listed = [file.origin ?? '*'].flat()
  const origin = listed.includes('*') ? '*' : listed
  const credentials = file.credentials ?? false
  // Browsers refuse this pair, and answering any origin by name instead would let every site act for the visitor.
  if (credentials && origin === '*') {
    throw new BootError('config/server: cors.credentials is true while cors.origin is "*"; list the origins')
  }
  return { enabled: file.enabled ?? true, origin, maxAge: file.maxAge ?? 86_400, credentials }
}
