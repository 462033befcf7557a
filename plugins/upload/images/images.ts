import { type Log, UnavailableError, ValidationError } from '../../../core/index.js'
import type { Kind } from '../kind.js'
import { queue } from '../queue.js'
import type { VariantFormat, Wish } from '../variants/wish.js'
import { Decoder, type JobFailure, startDecoder } from './decoder.js'
import { sizeOfSvg } from './svg.js'

/** Settings for pictures, kept in the database as in Strapi 4. */
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

/** The task of making another size or format of a picture. */
export interface VariantTask extends Wish {
  readonly format: VariantFormat
}

/** Messages to the decoders' process, and its replies. */
export type Job = { readonly id: number; readonly path: string; readonly limits: ImageLimits } & (
  | { readonly options: ImageOptions }
  | { readonly variant: VariantTask }
)
/** A job before it is numbered. */
export type NewJob = Job extends infer One ? (One extends Job ? Omit<One, 'id'> : never) : never
export type Answer =
  | { readonly is: 'picture'; readonly picture: Picture; readonly trouble?: string; readonly late?: Late }
  | { readonly is: 'variant'; readonly path: string; readonly bytes: number }
  | { readonly is: 'broken'; readonly trouble: string; readonly path?: string; readonly late?: Late }
  | { readonly is: 'tooLarge' }
  | { readonly is: 'absent' }

/** A job or a step of it took longer than allowed; both are milliseconds. */
export interface Late {
  readonly allowed: number
  /** The processor time that its process had in that time. */
  readonly worked: number
}

/** Milliseconds after which a process without work is let go, with all its memory. */
const idle = 5000
/** Retries for a picture whose decoder ended. */
const retries = 3

/** Measures pictures and makes their formats, a few at a time and beside the server; without sharp they stay as they are. */
export class Images {
  readonly #limits: ImageLimits
  readonly #log: Log
  readonly #start: typeof startDecoder
  readonly #inTurn: ReturnType<typeof queue>
  readonly #running = new Set<Decoder>()
  #shared: Decoder | undefined
  #rest: NodeJS.Timeout | undefined
  #isAbsent = false
  #isClosed = false

  constructor(limits: ImageLimits, log: Log, start = startDecoder) {
    this.#limits = limits
    this.#log = log
    this.#start = start
    this.#inTurn = queue(limits.atOnce)
  }

  async treat(path: string, { mime }: Kind, options: ImageOptions): Promise<Picture> {
    const untouched: Picture = { width: null, height: null, path, formats: [] }
    if (mime === 'image/svg+xml') return { ...untouched, ...(await sizeOfSvg(path)) }
    if (!mime.startsWith('image/') || this.#isAbsent) return untouched
    const answer = await this.#inTurn(() => this.#ask({ path, options, limits: this.#limits }))
    if ('trouble' in answer) this.#log.warn({ trouble: answer.trouble }, 'a picture is kept without all of its formats')
    if (answer.is === 'picture') return answer.picture
    if (answer.is === 'tooLarge') throw tooLarge(this.#limits.pixels)
    if (answer.is === 'broken') return { ...untouched, path: answer.path ?? path }
    if (answer.is === 'absent') this.#warnOnce('sharp is not installed: pictures are kept as they are, without formats')
    return untouched
  }

  /** A picture in another size or format, in a file beside it. */
  async vary(path: string, variant: VariantTask): Promise<{ readonly path: string; readonly bytes: number }> {
    const answer = await this.#inTurn(() => this.#ask({ path, variant, limits: this.#limits }))
    if (answer.is === 'variant') return answer
    if (answer.is === 'tooLarge') throw tooLarge(this.#limits.pixels)
    if (answer.is !== 'absent') throw new ValidationError('The file cannot be read as a picture')
    this.#warnOnce('sharp is not installed: pictures have no variants')
    throw new UnavailableError('Pictures cannot be resized here: the package sharp is not installed')
  }

  #warnOnce(message: string): void {
    if (!this.#isAbsent) this.#log.warn(message)
    this.#isAbsent = true
  }

  /** For good: pictures that are still in work are not taken. */
  close(): void {
    this.#isClosed = true
    clearTimeout(this.#rest)
    for (const decoder of this.#running) decoder.kill()
  }

  /** Tries a picture whose decoder ended or was late again, and alone: one that ends its decoder takes no other with it. */
  async #ask(job: NewJob): Promise<Answer> {
    let result: Answer | JobFailure = this.#isClosed ? { is: 'ended', how: 'stopped' } : await this.#askShared(job)
    for (let left = retries; (result.is === 'ended' || lateOf(result)) && left > 0 && !this.#isClosed; left -= 1) {
      if (lateOf(result) && left < retries) break
      result = await this.#askAlone(job)
    }
    const late = lateOf(result)
    // The picture may not be at fault, so it must not be stored without its sizes.
    if (isStarved(late) || (result.is === 'ended' && result.how === 'stopped'))
      throw new UnavailableError('The picture could not be processed, try again')
    if (result.is !== 'ended') return result
    return { is: 'broken', trouble: late ? 'the decoder took too long' : 'the decoder crashed each time' }
  }

  async #askShared(job: NewJob): Promise<Answer | JobFailure> {
    clearTimeout(this.#rest)
    if (!this.#shared || this.#shared.hasEnded) this.#shared = this.#decoder()
    const decoder = this.#shared
    try {
      return await decoder.ask(job, this.#maxWait)
    } finally {
      if (decoder === this.#shared && decoder.isIdle) this.#rest = setTimeout(() => this.#endShared(), idle).unref()
    }
  }

  /** The process is unset first: a picture that arrives while it ends must not be sent to it. */
  #endShared(): void {
    const decoder = this.#shared
    this.#shared = undefined
    decoder?.kill()
  }

  /** As urgent as the server itself: on a busy machine, a process behind all others may be late for no other reason. */
  async #askAlone(job: NewJob): Promise<Answer | JobFailure> {
    const decoder = this.#decoder(true)
    try {
      return await decoder.ask(job, this.#maxWait)
    } finally {
      decoder.kill()
    }
  }

  /** The steps of a job have limits of their own; this one is for a process that is unresponsive. */
  get #maxWait(): number {
    return (Object.keys(this.#limits.breakpoints).length + 3) * this.#limits.seconds * 1000
  }

  #decoder(isUrgent = false): Decoder {
    const child = this.#start(this.#limits.atOnce, isUrgent)
    const decoder = new Decoder(child)
    this.#running.add(decoder)
    child.once('close', () => this.#running.delete(decoder))
    return decoder
  }
}

const tooLarge = (pixels: number): ValidationError =>
  new ValidationError(`The picture has more than ${pixels} pixels; send a smaller one`)

const lateOf = (result: Answer | JobFailure): Late | undefined => ('late' in result ? result.late : undefined)

/** A machine that is busy with something else leaves a decoder less than half of its time; a costly picture takes all of it. */
const isStarved = (late: Late | undefined): boolean => late !== undefined && late.worked < late.allowed / 2
