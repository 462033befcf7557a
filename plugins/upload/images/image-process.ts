import { readFile, stat, writeFile } from 'node:fs/promises'
import type { Sharp } from 'sharp'
import type { Answer, Format, Job, Late, Picture, VariantTask } from './images.js'
import { withoutMetadata } from './metadata/metadata.js'

/**
 * Runs in a process of its own: decoders of pictures may take memory, time and the processor, or fall over, without any
 * other request noticing. It imports nothing of the server, and ends with it.
 */
const thumbnail = { width: 245, height: 156 }
const optimizable = ['jpeg', 'png', 'webp', 'tiff', 'avif'] as const
const resizable = ['jpeg', 'png', 'webp', 'tiff', 'gif']
/** Vector and document formats are not decoded at all: they can ask for anything. */
const loaders = ['Jpeg', 'Png', 'Webp', 'Heif', 'Nsgif', 'Tiff'].map(name => `VipsForeignLoad${name}File`)

// New files are readable by the server alone until they are stored.
process.umask(0o077)
const loading = load()
process.on('message', (job: Job) => {
  void answer(job).then(said => process.send?.({ id: job.id, ...said }))
})
process.on('disconnect', () => process.exit())

async function load(): Promise<typeof import('sharp').default | undefined> {
  try {
    const { default: sharp } = await import('sharp')
    // The library uses one thread for each picture and caches nothing: other requests need the rest of the machine.
    sharp.concurrency(1)
    sharp.cache(false)
    sharp.block({ operation: ['VipsForeignLoad'] })
    sharp.unblock({ operation: loaders })
    return sharp
  } catch {
    return undefined
  }
}

async function answer(job: Job): Promise<Answer> {
  const sharp = await loading
  if (!sharp) return { is: 'absent' }
  const { pixels, seconds } = job.limits
  let begun = process.cpuUsage()
  const lateness = (error: Error): { readonly late?: Late } => {
    // The decoder's other complaints may come before.
    if (!/^timeout:/m.test(error.message)) return {}
    const { user, system } = process.cpuUsage(begun)
    return { late: { allowed: seconds * 1000, worked: (user + system) / 1000 } }
  }
  /** Each step is a new reading. */
  const read: Open = path => {
    begun = process.cpuUsage()
    return sharp(path, { limitInputPixels: pixels, sequentialRead: true }).timeout({ seconds })
  }
  try {
    const measured = await measure(read, job.path)
    if (measured.pixels > pixels) return { is: 'tooLarge' }
    if ('variant' in job) return await vary(read, job.path, measured, job.variant)
    const original: SizedPicture = { ...measured.size, path: job.path, formats: [] }
    return await treat(read, job, measured).catch(async (error: Error) => ({
      is: 'picture',
      picture: await stripped(read, original, measured, measured.orientation),
      trouble: error.message,
      ...lateness(error),
    }))
  } catch (error) {
    const { message } = error as Error
    if (/pixel limit/i.test(message)) return { is: 'tooLarge' }
    const path = await strippedFile(job.path, 1).catch(() => job.path)
    return { is: 'broken', path, trouble: message, ...lateness(error as Error) }
  }
}

type Open = (path: string) => Sharp

interface Measurement {
  readonly size: { readonly width: number; readonly height: number }
  readonly pixels: number
  readonly format: string
  readonly orientation: number
}

/** Reads only the head of a picture, so that one which unpacks to too much is refused before anything is unpacked. */
async function measure(read: Open, path: string): Promise<Measurement> {
  const { width, height, orientation = 1, pages = 1, compression, format } = await read(path).metadata()
  return {
    size: { width, height },
    pixels: width * height * pages,
    format: format === 'heif' && compression === 'av1' ? 'avif' : format,
    orientation,
  }
}

type SizedPicture = Picture & { readonly width: number; readonly height: number }

/** A picture without metadata. One whose structure is malformed, and which can be decoded all the same, is written again. */
async function stripped(
  read: Open,
  kept: SizedPicture,
  { format }: Measurement,
  orientation: number,
): Promise<SizedPicture> {
  try {
    return { ...kept, path: await strippedFile(kept.path, orientation) }
  } catch {
    const known = [...optimizable, 'gif' as const].find(name => name === format)
    if (!known) return kept
    const path = `${kept.path}-written`
    const written = read(kept.path).rotate().toFormat(known, { quality: 100 }).toFile(path)
    return written.then(
      ({ width, height }) => ({ ...kept, path, width, height }),
      () => kept,
    )
  }
}

/** Path of the picture without metadata: the original if it has none. */
async function strippedFile(path: string, orientation: number): Promise<string> {
  const content = await readFile(path)
  const clean = withoutMetadata(content, orientation)
  if (clean === undefined || clean === content) return path
  const target = `${path}-stripped`
  await writeFile(target, clean, { mode: 0o600 })
  return target
}

type Treatment = Extract<Job, { options: unknown }>

async function treat(read: Open, { path, options, limits }: Treatment, measured: Measurement): Promise<Answer> {
  const optimized = await optimize(read, path, measured, options)
  const isTurned = options.autoOrientation && optimized.path !== path
  const kept = await stripped(read, optimized, measured, isTurned ? 1 : measured.orientation)
  if (!resizable.includes(measured.format)) return { is: 'picture', picture: kept }
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
  return { is: 'picture', picture: { ...kept, formats } }
}

/** The picture written again where that makes it smaller, or turns it as its camera was held. */
async function optimize(
  read: Open,
  path: string,
  { size, format, orientation }: Measurement,
  { sizeOptimization, autoOrientation }: Treatment['options'],
): Promise<SizedPicture> {
  const original: SizedPicture = { ...size, path, formats: [] }
  const known = optimizable.find(name => name === format)
  if (!known || !(sizeOptimization || autoOrientation)) return original
  const target = `${path}-optimized`
  const source = read(path)
  if (autoOrientation) source.rotate()
  else if (orientation > 1) source.withMetadata({ orientation })
  const made = await source.toFormat(known, { quality: sizeOptimization ? 80 : 100 }).toFile(target)
  const isTurned = autoOrientation && orientation > 1
  if (!isTurned && made.size >= (await stat(path)).size) return original
  return { width: made.width, height: made.height, path: target, formats: [] }
}

/** A picture as its camera was held, in another size and format, never larger than it is. */
async function vary(
  read: Open,
  path: string,
  { size, orientation }: Measurement,
  variant: VariantTask,
): Promise<Answer> {
  const { format, fit, quality } = variant
  const upright = orientation >= 5 ? { width: size.height, height: size.width } : size
  const box = boxIn(upright, variant)
  const picture = read(path).rotate()
  const isCut = fit === 'cover' && variant.width !== undefined && variant.height !== undefined
  if (isCut) picture.extract(cutOf(upright, box, variant.focus))
  const background = format === 'jpeg' ? '#fff' : { r: 0, g: 0, b: 0, alpha: 0 }
  picture.resize({ ...box, fit: isCut || fit === 'cover' ? 'fill' : fit, withoutEnlargement: true, background })
  if (format === 'jpeg') picture.flatten({ background: '#fff' })
  const target = `${path}-variant`
  const made = await picture.toFormat(format, quality === undefined ? {} : { quality }).toFile(target)
  return { is: 'variant', path: target, bytes: made.size }
}

interface Size {
  readonly width: number
  readonly height: number
}

/** The size that is asked for, made smaller where the picture is smaller; a side that is not said follows the other. */
function boxIn(picture: Size, { width, height, fit }: VariantTask): Partial<Size> {
  if (width === undefined || height === undefined) {
    const scale = Math.min(1, (width ?? picture.width) / picture.width, (height ?? picture.height) / picture.height)
    return sized(picture, scale)
  }
  if (fit !== 'cover') return { width, height }
  return sized({ width, height }, Math.min(1, picture.width / width, picture.height / height))
}

const sized = ({ width, height }: Size, scale: number): Size => ({
  width: Math.max(1, Math.round(width * scale)),
  height: Math.max(1, Math.round(height * scale)),
})

/** The largest part of a picture with the shape of a box, as near to the focus as it gets. */
function cutOf(picture: Size, box: Partial<Size>, { x, y } = { x: 0.5, y: 0.5 }) {
  const { width = 1, height = 1 } = box
  const cut = sized({ width, height }, Math.min(picture.width / width, picture.height / height))
  const at = (share: number, whole: number, part: number) =>
    Math.min(Math.max(0, Math.round(share * whole - part / 2)), Math.max(0, whole - part))
  const [w, h] = [Math.min(cut.width, picture.width), Math.min(cut.height, picture.height)]
  return { left: at(x, picture.width, w), top: at(y, picture.height, h), width: w, height: h }
}
