import { BootError } from '../errors.js'
import { readRows, type Surroundings } from './setting.js'
import { server } from './settings.js'
import type { ServerConfig } from './types.js'

/** The settings of `config/server`, whose rows cannot describe the relation between two of them. */
export function readServer(said: unknown, around: Surroundings): ServerConfig {
  const config = readRows(server, said, around)
  const { credentials, origin } = config.cors
  // Browsers refuse this pair, and answering any origin by name instead would let every site act for the visitor.
  if (credentials && origin === '*')
    throw new BootError('config/server: cors.credentials is true while cors.origin is "*"; list the origins')
  return { ...config, ...timeoutsOf((said ?? {}) as Partial<ServerConfig>, config) }
}

/** Node refuses to listen when the headers may take longer than the whole request; said here, it names the setting. */
function timeoutsOf(
  said: Partial<ServerConfig>,
  usual: ServerConfig,
): Pick<ServerConfig, 'requestTimeout' | 'headersTimeout'> {
  const requestTimeout = said.requestTimeout ?? Math.max(usual.requestTimeout, said.headersTimeout ?? 0)
  const headersTimeout = said.headersTimeout ?? Math.min(usual.headersTimeout, requestTimeout || usual.headersTimeout)
  if (requestTimeout > 0 && headersTimeout > requestTimeout)
    throw new BootError(
      `config/server: headersTimeout is ${headersTimeout}, more than requestTimeout, which is ${requestTimeout}`,
    )
  return { requestTimeout, headersTimeout }
}
