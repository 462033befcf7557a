import { type ChildProcess, fork } from 'node:child_process'
import { createRequire } from 'node:module'
import { setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import { type Log, ValidationError } from '../../core/index.js'
import type { Kind } from './kind.js'
import { queue } from './queue.js'
import { sizeOfSvg } from './svg.js'

/** How pictures are treated; it stands in the database, where Strapi 4 keeps it. */
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

/** What the process of the decoders is asked, and what it says. */
export interface Job {
  readonly id: number
  readonly path: string
  readonly options: ImageOptions
  readonly limits: ImageLimits
}
export type Answer =
  | { readonly is: 'picture'; readonly picture: Picture; readonly trouble?: string }
  | { readonly is: 'broken'; readonly trouble: string }
  | { readonly is: 'tooLarge' }
  | { readonly is: 'absent' }

/** Milliseconds after which a process without work is let go, with all its memory. */
const idle = 5000
/** Behind the server, and not so far behind that a busy machine would never let it finish. */
const politeness = 15

/** Measures pictures and makes their formats, a few at a time and beside the server; without sharp they stay as they are. */
export class Images {
  readonly #limits: ImageLimits
  readonly #log: Log
  readonly #inTurn: ReturnType<typeof queue>
  readonly #waiting = new Map<number, (answer: Answer) => void>()
  #process: ChildProcess | undefined
  #rest: NodeJS.Timeout | undefined
  #jobs = 0
  #isAbsent = false

  constructor(limits: ImageLimits, log: Log) {
    this.#limits = limits
    this.#log = log
    this.#inTurn = queue(limits.atOnce)
  }

  async treat(path: string, { mime }: Kind, options: ImageOptions): Promise<Picture> {
    const untouched: Picture = { width: null, height: null, path, formats: [] }
    if (mime === 'image/svg+xml') return { ...untouched, ...(await sizeOfSvg(path)) }
    if (!mime.startsWith('image/') || this.#isAbsent) return untouched
    const answer = await this.#inTurn(() => this.#ask(path, options))
    if ('trouble' in answer) this.#log.warn({ trouble: answer.trouble }, 'a picture is kept without all of its formats')
    if (answer.is === 'picture') return answer.picture
    if (answer.is === 'tooLarge')
      throw new ValidationError(`the picture has more than ${this.#limits.pixels} pixels, the most that is taken`)
    if (answer.is === 'absent' && !this.#isAbsent) {
      this.#isAbsent = true
      this.#log.warn('sharp is not installed: pictures are kept as they are, without formats')
    }
    return untouched
  }

  close(): void {
    clearTimeout(this.#rest)
    this.#process?.kill('SIGKILL')
  }

  #ask(path: string, options: ImageOptions): Promise<Answer> {
    clearTimeout(this.#rest)
    this.#process ??= this.#start()
    const decoder = this.#process
    this.#jobs += 1
    const id = this.#jobs
    // The steps have limits of their own; this one is for a process that hears nothing any more.
    const steps = Object.keys(this.#limits.breakpoints).length + 3
    const late = setTimeout(() => decoder.kill('SIGKILL'), steps * this.#limits.seconds * 1000)
    return new Promise<Answer>(resolve => {
      this.#waiting.set(id, resolve)
      decoder.send({ id, path, options, limits: this.#limits } satisfies Job, error => {
        if (error) this.#heard({ id, is: 'broken', trouble: error.message })
      })
    }).finally(() => {
      clearTimeout(late)
      if (this.#waiting.size === 0) this.#rest = setTimeout(() => this.close(), idle).unref()
    })
  }

  #heard({ id, ...answer }: Answer & { readonly id: number }): void {
    this.#waiting.get(id)?.(answer)
    this.#waiting.delete(id)
  }

  /** It gets nothing of the server's environment, and less of the processor than the server. */
  #start(): ChildProcess {
    const decoder = fork(script, {
      execArgv: ['--max-semi-space-size=1', ...(isSource ? ['--import', loader()] : [])],
      env: { UV_THREADPOOL_SIZE: String(this.#limits.atOnce), MALLOC_ARENA_MAX: '1' },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    decoder.on('message', (answer: Answer & { id: number }) => this.#heard(answer))
    decoder.on('error', () => decoder.kill('SIGKILL'))
    decoder.on('exit', () => {
      if (this.#process === decoder) this.#process = undefined
      for (const id of [...this.#waiting.keys()]) this.#heard({ id, is: 'broken', trouble: 'the decoder has ended' })
    })
    try {
      if (decoder.pid !== undefined) setPriority(decoder.pid, politeness)
    } catch {
      // Not every system lets a process change another's rank.
    }
    return decoder
  }
}

/** Where the server runs from its sources, as under the test runner, so does the decoder. */
const isSource = import.meta.url.endsWith('.ts')
const script = fileURLToPath(new URL(`image-process.${isSource ? 'ts' : 'js'}`, import.meta.url))
const loader = (): string =>
  createRequire(import.meta.url)
    .resolve('jiti/package.json')
    .replace(/package\.json$/, 'lib/jiti-register.mjs')
