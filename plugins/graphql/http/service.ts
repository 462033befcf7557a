import { BootError, type Host, optional, type Starting } from '../../../core/index.js'
import { events, type Feed } from '../../events/index.js'
import { upload } from '../../upload/index.js'
import type { SchemaDescription } from '../described.js'
import { type Extension, Extensions } from '../extend/extensions.js'
import type { SdlParts } from '../extend/sdl-parts.js'
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
  /** Tells of changes; undefined where there are no subscriptions. */
  readonly feed: Feed | undefined
  /** Adds types and fields to the schema: while plugins register, since it is made when all have. */
  readonly extend: (extension: Extension | SdlParts) => void
  /** The schema, for those who write documents; undefined where nothing can be run. It is made once all plugins have registered. */
  describe(): SchemaDescription | undefined
  begin(): Promise<void>
}

/** The parts that need the package graphql, loaded at start. */
export interface LoadedParts<Schema extends Runner> {
  readonly package: () => Promise<object>
  readonly runner: (host: GraphqlHost, settings: GraphqlSettings, extensions: Extensions) => Promise<Schema>
  /** Runs once all plugins have registered, where the app is to be served. */
  readonly begin?: (runner: Schema) => Promise<void>
}

/** Starts the plugin. Without the package, or a schema, a project of another server is served all the same, but for this endpoint. */
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
  const extensions = new Extensions()
  let runner = missing ?? (await parts.runner(host, settings, extensions))
  return {
    host,
    settings,
    persisted: await loadPersisted(settings.http, app.appDir),
    place: host.service(optional(upload))?.files.place,
    get runner() {
      return runner
    },
    feed: settings.subscriptions ? host.service(optional(events))?.feed : undefined,
    extend: extension => extensions.add(extension),
    describe: () => (typeof runner === 'string' ? undefined : runner.describe?.()),
    begin: async () => {
      if (typeof runner === 'string') return
      try {
        await parts.begin?.(runner)
      } catch (error) {
        if (app.project === 'stele') throw error
        const reason = (error as Error).message.replace(/^graphql: /, '')
        log.warn({ err: error }, `graphql: no schema can be made: ${reason}; requests to ${settings.endpoint} get 501`)
        const seen = app.environment === 'production' ? 'the log of the server says why' : reason
        runner = `No schema can be made: ${seen}`
      }
    },
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
