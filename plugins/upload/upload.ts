import { Files, type UploadHost } from './files.js'
import { maxAgeOf, missingStorage } from './settings.js'
import type { Serving } from './storage/serve.js'

/** The service of the plugin. */
export interface Upload {
  readonly host: UploadHost
  readonly files: Files
  readonly serving: Serving
  readonly legacy: boolean
}

export async function startUpload(host: UploadHost): Promise<Upload> {
  const files = new Files(host)
  const missing = missingStorage(host.config)
  if (missing !== undefined) host.log.warn(missing)
  if (host.purpose !== 'look') await files.start()
  return {
    host,
    files,
    serving: { folder: files.place.folder, maxAge: maxAgeOf(host.config) },
    legacy: host.config.legacy,
  }
}
