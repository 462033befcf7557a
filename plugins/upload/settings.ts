import path from 'node:path'
import { ApplicationError, BootError, type Config, type Log, type SettingsOf } from '../../core/index.js'
import type { PartLimits } from './forms/multipart.js'
import type { ImageLimits } from './images/images.js'
import type { KindRules } from './kind.js'
import { localStorage } from './storage/local.js'
import { readS3Options, s3Storage } from './storage/s3.js'
import type { Storage } from './storage/storage.js'
import { variantFormats } from './variants/wish.js'

const texts = { type: 'array', items: { type: 'string' }, default: [] } as const
const count = (fallback: number) => ({ type: 'integer', minimum: 1, default: fallback }) as const

/** `config/plugins: upload.config`; the words of Strapi 4 mean what they mean there. */
export const schema = {
  type: 'object',
  properties: {
    provider: { type: 'string', default: 'local' },
    providerOptions: { type: 'object', default: {} },
    actionOptions: { type: 'object', default: {} },
    folder: { type: 'string' },
    sizeLimit: count(200 * 1024 * 1024),
    maxParts: count(1000),
    allow: {
      type: 'array',
      items: { type: 'string' },
      default: {
        spec: [
          ...['image/*', 'video/*', 'audio/*', 'font/*', 'application/pdf', 'application/zip', 'application/gzip'],
          ...['text/plain', 'text/csv', 'text/markdown', 'text/vtt', 'text/calendar', 'application/json'],
          ...['application/rtf', 'application/msword', 'application/vnd.ms-excel', 'application/vnd.ms-powerpoint'],
          ...['application/vnd.openxmlformats-officedocument.*', 'application/vnd.oasis.opendocument.*'],
          'application/epub+zip',
        ],
        strapi4: ['*/*'],
      },
    },
    trusting: { type: 'boolean', default: { spec: false, strapi4: true } },
    legacy: { type: 'boolean', default: { spec: false, strapi4: true } },
    breakpoints: { type: 'object', default: { large: 1000, medium: 750, small: 500 } },
    pixelLimit: count(100_000_000),
    timeLimit: count(20),
    concurrency: count(1),
    maxAge: { type: 'integer', minimum: 0, default: 60 },
    /** Pictures in other sizes and formats, made when they are asked for. */
    variants: {
      type: 'object',
      additionalProperties: false,
      properties: {
        sizes: texts,
        formats: { type: 'array', items: { enum: variantFormats }, default: ['webp', 'avif'] },
        qualities: { type: 'array', items: { type: 'integer', minimum: 1, maximum: 100 }, default: [] },
        secret: { type: 'string', default: '' },
        cacheSize: count(1024 * 1024 * 1024),
        pixelLimit: count(50_000_000),
      },
    },
  },
} as const

export type Settings = SettingsOf<typeof schema>

/** The plugin's arrangement, read from the settings once at start. */
export interface Arrangement {
  /** The folder of stored files and, outside it, the folder of incoming ones. */
  readonly folder: string
  readonly staging: string
  /** The name of the storage that takes new files, and all that are known. */
  readonly provider: string
  readonly storages: ReadonlyMap<string, Storage>
  readonly parts: PartLimits
  readonly kinds: KindRules
  readonly images: ImageLimits
}

export function arrange(settings: Settings, app: Config, log: Pick<Log, 'warn'>): Arrangement {
  const { provider, sizeLimit, breakpoints, maxAge } = settings
  const options = settings.providerOptions as Readonly<Record<string, unknown>>
  const folder = path.resolve(app.appDir, settings.folder ?? path.join(publicFolder(app), 'uploads'))
  const storages = new Map([['local', localStorage(folder)]])
  if (provider !== 'local') {
    // The files of a Strapi 4 project are read from their place, under any provider.
    if (!isKnown(provider) && app.project === 'stele')
      throw new BootError(
        `config/plugins: upload.config.provider "${provider}" is not known; there are local, ${s3Names.join(', ')}`,
      )
    storages.set(
      provider,
      isAbsent(settings, app) ? absentStorage(provider) : s3Storage(readS3Options(options, maxAge)),
    )
  }
  const { multipart, json } = app.server.body
  const largest = typeof options.sizeLimit === 'number' ? options.sizeLimit : sizeLimit
  return {
    folder,
    staging: path.join(folder, '.incoming'),
    provider,
    storages,
    parts: { body: multipart, file: largest, fields: json, parts: settings.maxParts },
    kinds: { allow: settings.allow as readonly string[], trusting: settings.trusting },
    images: {
      breakpoints: readBreakpoints(breakpoints as Readonly<Record<string, unknown>>, app, log),
      pixels: settings.pixelLimit,
      seconds: settings.timeLimit,
      atOnce: settings.concurrency,
    },
  }
}

/** The reason why no file can be stored; undefined if the storage of the settings exists. */
export function missingStorage(settings: Settings, app: Pick<Config, 'project'>): string | undefined {
  const { provider } = settings
  if (!isKnown(provider))
    return (
      `uploads are refused: nothing here stores files with the provider "${provider}" of config/plugins: upload.config.provider; ` +
      'set it to local or aws-s3. Files that are stored there keep their addresses'
    )
  const lack = lackOf(settings, app)
  return lack === undefined
    ? undefined
    : `uploads are refused, and files that are stored there keep their addresses: ${lack}. Set it, or upload.config.provider to local`
}

/** Missing settings of a storage in a Strapi project, which starts all the same; elsewhere they have to be complete. */
function lackOf({ provider, providerOptions, maxAge }: Settings, { project }: Pick<Config, 'project'>) {
  if (project === 'stele' || !s3Names.includes(provider)) return undefined
  try {
    readS3Options(providerOptions as Readonly<Record<string, unknown>>, maxAge)
    return undefined
  } catch (error) {
    if (error instanceof BootError) return error.message
    throw error
  }
}

const isAbsent = (settings: Settings, app: Pick<Config, 'project'>): boolean =>
  missingStorage(settings, app) !== undefined

/** The storage of another provider, which takes no file; its stored content stays there. */
const absentStorage = (provider: string): Storage => ({
  async put() {
    throw new ApplicationError(
      isKnown(provider)
        ? 'Files cannot be stored: the storage of the server is not set up'
        : `Files cannot be stored: nothing here speaks to the provider "${provider}"`,
    )
  },
  get: async () => undefined,
  version: async () => undefined,
  remove: async () => undefined,
})

const s3Names = ['aws-s3', '@strapi/provider-upload-aws-s3']
const isKnown = (provider: string): boolean => provider === 'local' || s3Names.includes(provider)

/** Older projects may keep their public folder somewhere else, and say so in `config/server`. */
function publicFolder({ foreign }: Config): string {
  const { dirs } = (foreign.server ?? {}) as { dirs?: { public?: unknown } }
  return typeof dirs?.public === 'string' ? dirs.public : 'public'
}

function readBreakpoints(
  given: Readonly<Record<string, unknown>>,
  { project }: Pick<Config, 'project'>,
  log: Pick<Log, 'warn'>,
): Readonly<Record<string, number>> {
  const entries = Object.entries(given).map(([name, side]) => [name, Number(side)] as const)
  const wrong = entries.filter(([name, pixels]) => !isBreakpoint(name, pixels)).map(([name]) => name)
  for (const name of wrong) {
    const sentence = `config/plugins: upload.config.breakpoints.${name} must be a whole number of pixels up to 16383`
    if (project === 'stele') throw new BootError(sentence)
    log.warn(`${sentence}; pictures get no format of this name`)
  }
  return Object.fromEntries(entries.filter(([name]) => !wrong.includes(name)))
}

const isBreakpoint = (name: string, pixels: number): boolean =>
  /^[a-z0-9-]+$/i.test(name) && name !== 'thumbnail' && Number.isInteger(pixels) && pixels >= 1 && pixels <= 16_383

/** Seconds for which browsers may use a file again unasked; Strapi's own setting counts milliseconds. */
export function maxAgeOf({ providerOptions, maxAge }: Settings): number {
  const { localServer } = providerOptions as { localServer?: { maxage?: unknown } }
  return typeof localServer?.maxage === 'number' ? Math.round(localServer.maxage / 1000) : maxAge
}
