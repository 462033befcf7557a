import { BootError, NotFoundError, type RouteCall } from '../../core/index.js'
import { Files, type UploadHost } from './files.js'
import { Folders } from './folders/folders.js'
import { arrange, maxAgeOf, missingStorage } from './settings.js'
import { nameOf, type ServeOptions, send } from './storage/serve.js'
import { Variants } from './variants/variants.js'
import { asksForVariant, readSizes } from './variants/wish.js'

/** The service of the plugin. */
export interface Upload {
  readonly host: UploadHost
  readonly files: Files
  readonly folders: Folders
  readonly serving: ServeOptions
  /** Pictures in other sizes, where the settings say which. */
  readonly variants?: Variants
  readonly legacy: boolean
  close(): void
}

export async function startUpload(host: UploadHost): Promise<Upload> {
  const files = new Files(host)
  const missing = missingStorage(host.config, host.app)
  if (missing !== undefined) host.log.warn(missing)
  if (host.purpose !== 'look') await files.start()
  const variants = variantsOf(host, files)
  return {
    host,
    ...(variants && { variants }),
    files,
    folders: new Folders(host),
    serving: { folder: files.place.folder, maxAge: maxAgeOf(host.config) },
    legacy: host.config.legacy,
    close() {
      files.stop()
      variants?.close()
    },
  }
}

/** Refuses what the settings of storage and pictures do not allow. */
export function checkStart({ config, app }: Pick<UploadHost, 'config' | 'app'>): void {
  const { storages, provider } = arrange(config, app, { warn: () => undefined })
  if (config.variants && [...storages.values()].some(({ isPrivate }) => isPrivate))
    throw new BootError(
      `config/plugins: upload.config.variants would show every visitor the pictures that ${provider} keeps private; remove it, or let the bucket be read`,
    )
}

function variantsOf({ config, log }: UploadHost, { place }: Files): Variants | undefined {
  const { variants } = config
  if (!variants) return undefined
  const { folder, staging, images } = place
  const storages = [...place.storages.values()].reverse()
  const { sizes, formats, qualities, secret, cacheSize, pixelLimit } = variants
  return new Variants({
    rules: { sizes: readSizes(sizes), formats, qualities, secret },
    ...{ cacheSize, folder, staging, storages, log },
    images: { ...images, pixels: pixelLimit },
    maxAge: maxAgeOf(config),
  })
}

/** A file of the local storage, or a picture in another size. */
export function give(call: RouteCall<Upload>): Promise<void> {
  const { variants, serving } = call.service
  const name = nameOf(call.params.name)
  if (name === undefined) throw new NotFoundError()
  const isVariant = variants && asksForVariant(new URLSearchParams(call.ctx.querystring))
  return isVariant ? variants.serve(call, name) : send(call, name, serving)
}
