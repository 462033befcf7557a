import { BootError, type Host, optional, type Starting } from '../../../core/index.js'
import { upload } from '../../upload/index.js'
import { type GraphqlSettings, readSettings, type Settings } from '../settings.js'
import type { UploadPlace } from './multipart.js'
import { missingPackage } from './package.js'
import { loadPersisted, type PersistedDocuments } from './persisted.js'
import type { Runner } from './runner.js'

export type GraphqlHost = Host<Settings>

/** The service of the plugin, as its endpoint uses it. */
export interface EndpointService<Schema extends Runner = Runner> {
  readonly host: GraphqlHost
  readonly settings: GraphqlSettings
  /** Runs operations; a text says why nothing can be run. */
  readonly runner: Schema | string
  readonly persisted: PersistedDocuments
  /** The place of files that are on their way; undefined without the plugin upload. */
  readonly place: UploadPlace | undefined
}

/** The parts that need the package graphql, loaded at start. */
export interface LoadedParts<Schema extends Runner> {
  readonly package: () => Promise<object>
  readonly runner: (host: GraphqlHost, settings: GraphqlSettings) => Promise<Schema>
}

/** Starts the plugin. Without the package a project of another server is served all the same, but for this endpoint. */
export async function startGraphql<Schema extends Runner>(
  host: GraphqlHost,
  parts: LoadedParts<Schema>,
): Promise<EndpointService<Schema>> {
  const { config, app, log, outline } = host
  const { settings, notes } = readSettings(config, app, outline.dialectName)
  for (const note of notes) log.info(note)
  const missing = await missingPackage(parts.package)
  if (missing !== undefined) {
    // Commands that only look at the app come here without the check of the start.
    if (app.project === 'stele') throw new BootError(missing)
    log.warn(`${missing}; requests to ${settings.endpoint} get 501`)
  }
  return {
    host,
    settings,
    persisted: await loadPersisted(settings.http, app.appDir),
    place: host.service(optional(upload))?.files.place,
    runner: missing ?? (await parts.runner(host, settings)),
  }
}

/** Refuses what no request could be served with. */
export async function checkStart(
  { app, config, outline }: Pick<Starting<Settings>, 'app' | 'config' | 'outline'>,
  load: () => Promise<object>,
): Promise<void> {
  const missing = app.project === 'stele' ? await missingPackage(load) : undefined
  if (missing !== undefined) throw new BootError(missing)
  await loadPersisted(readSettings(config, app, outline.dialectName).settings.http, app.appDir)
}
