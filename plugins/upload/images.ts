import { stat } from 'node:fs/promises'
import type { Sharp } from 'sharp'
import { type Log, ValidationError } from '../../core/index.js'
import type { Kind } from './kind.js'
import { queue } from './queue.js'
import { sizeOfSvg } from './svg.js'

/** How pictures are treated; the first three stand in the database, where Strapi 4 keeps them. */
export interface ImageOptions {
  readonly sizeOptimization: boolean
  readonly responsiveDimensions: boolean
  readonly autoOrientation: boolean
}

export interface ImageLimits {
  /** The longest side of each responsive format, by its name. */
  readonly breakpoints: Readonly<Record<string, number>>
  /** Pixels that a picture may have, all of its frames together. */
  readonly pixels: number
  /** Seconds that one step may take. */
  readonly seconds: number
  readonly atOnce: number
}

/** A smaller version of a picture, in a file of its own. */
export interface Format {
  readonly name: string
  readonly path: string
  readonly width: number
  readonly height: number
  readonly bytes: number
}

export interface Picture {
  readonly width: number | null
  readonly height: number | null
  /** The file to keep: smaller than the one that was sent, where that could be done. */
  readonly path: string
  readonly formats: readonly Format[]
}

export type Images = (path: string, kind: Kind, options: ImageOptions) => Promise<Picture>

const thumbnail = { width: 245, height: 156 }
const optimizable = ['jpeg', 'png', 'webp', 'tiff', 'avif'] as const
const resizable = ['jpeg', 'png', 'webp', 'tiff', 'gif']
/** Vector and document formats are left to nobody's decoder: they can ask for anything. */
const loaders = ['Jpeg', 'Png', 'Webp', 'Heif', 'Nsgif', 'Tiff'].map(name => `VipsForeignLoad${name}File`)

/** Measures pictures and makes their formats, a few at a time; without sharp they are kept as they are. */
export function images(limits: ImageLimits, log: Log): Images {
  const inTurn = queue(limits.atOnce)
  let loading: Promise<typeof import('sharp').default | undefined> | undefined
  return async (path, { mime }, options) => {
    const untouched: Picture = { width: null, height: null, path, formats: [] }
    if (mime === 'image/svg+xml') return { ...untouched, ...(await sizeOfSvg(path)) }
    if (!mime.startsWith('image/')) return untouched
    loading ??= loadSharp(log)
    const sharp = await loading
    if (!sharp) return untouched
    const read: Open = file => sharp(file, { limitInputPixels: limits.pixels, sequentialRead: true }).timeout(limits)
    return inTurn(async () => {
      const measured = await measure(read, path, limits)
      return measured ? treat(read, path, measured, options, limits, log) : untouched
    })
  }
}

type Open = (path: string) => Sharp

async function loadSharp(log: Log): Promise<typeof import('sharp').default | undefined> {
  try {
    const { default: sharp } = await import('sharp')
    // One thread for each picture and nothing kept: other requests need the rest of the machine.
    sharp.concurrency(1)
    sharp.cache(false)
    sharp.block({ operation: ['VipsForeignLoad'] })
    sharp.unblock({ operation: loaders })
    return sharp
  } catch (error) {
    log.warn({ err: error }, 'sharp is not there: pictures are kept as they are, without formats')
    return undefined
  }
}

interface Measured {
  readonly width: number
  readonly height: number
  readonly format: string
  readonly orientation: number | undefined
}

/** Reads only the head of a picture, so that one which unpacks to too much is refused before anything is unpacked. */
async function measure(read: Open, path: string, { pixels }: ImageLimits): Promise<Measured | undefined> {
  // The decoder's own limit has no words for the client: here nothing is unpacked yet.
  const found = await read(path)
    .metadata()
    .catch((error: Error) => {
      if (/pixel limit/i.test(error.message)) throw tooLarge(pixels)
      return undefined
    })
  if (!found?.width || !found.height) return undefined
  const { width, height, orientation, pages = 1, compression } = found
  if (width * height * pages > pixels) throw tooLarge(pixels)
  const format = found.format === 'heif' && compression === 'av1' ? 'avif' : found.format
  return { width, height, format, orientation }
}

const tooLarge = (pixels: number) =>
  new ValidationError(`the picture has more than ${pixels} pixels, the most that is taken`)

async function treat(
  read: Open,
  path: string,
  measured: Measured,
  options: ImageOptions,
  limits: ImageLimits,
  log: Log,
): Promise<Picture> {
  const { width, height } = measured
  try {
    const kept = await optimize(read, path, measured, options)
    if (!resizable.includes(measured.format)) return { ...kept, formats: [] }
    const bounds = Object.entries(options.responsiveDimensions ? limits.breakpoints : {}).map(
      ([name, side]) => [name, { width: side, height: side }] as const,
    )
    const formats: Format[] = []
    for (const [name, box] of [['thumbnail', thumbnail] as const, ...bounds]) {
      if (kept.width <= box.width && kept.height <= box.height) continue
      const target = `${path}-${name}`
      const made = await read(kept.path)
        .resize({ ...box, fit: 'inside' })
        .toFile(target)
      formats.push({ name, path: target, width: made.width, height: made.height, bytes: made.size })
    }
    return { ...kept, formats }
  } catch (error) {
    // Broken pictures and those that take too long are files all the same.
    log.warn({ err: error }, 'a picture could not be treated and is kept as it was sent')
    return { width, height, path, formats: [] }
  }
}

type Kept = Picture & { readonly width: number; readonly height: number }

/** The picture written again where that makes it smaller, or turns it as its camera was held. */
async function optimize(read: Open, path: string, measured: Measured, options: ImageOptions): Promise<Kept> {
  const { width, height, orientation = 1 } = measured
  const original: Kept = { width, height, path, formats: [] }
  const format = optimizable.find(name => name === measured.format)
  if (!format || !(options.sizeOptimization || options.autoOrientation)) return original
  const target = `${path}-optimized`
  const source = read(path)
  if (options.autoOrientation) source.rotate()
  else if (orientation > 1) source.withMetadata({ orientation })
  const made = await source.toFormat(format, { quality: options.sizeOptimization ? 80 : 100 }).toFile(target)
  const turned = options.autoOrientation && orientation > 1
  if (!turned && made.size >= (await stat(path)).size) return original
  return { width: made.width, height: made.height, path: target, formats: [] }
}
