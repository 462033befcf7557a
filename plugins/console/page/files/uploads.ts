import { type Signal, signal } from '@preact/signals'
import type { Related } from '../../model/form/plain.js'
import { t } from '../text.js'
import { canChooseFiles, fileName } from './file-type.js'
import { endOf, isAccepted } from './kinds.js'
import { describeFile, sendFile } from './library.js'
import { sizeText } from './size.js'

/** Files that are sent at once. */
const mostAtOnce = 4
let sending = 0
const inLine: (() => void)[] = []

/** Does some work when it is its turn. */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (sending >= mostAtOnce) await new Promise<void>(resolve => inLine.push(resolve))
  sending += 1
  try {
    return await work()
  } finally {
    sending -= 1
    inLine.shift()?.()
  }
}

type UploadState = 'waiting' | 'sending' | 'stopped' | 'failed' | 'refused' | 'done'

interface UploadPlace {
  /** Kinds of files that are taken; all without it. */
  readonly accepts?: readonly string[] | undefined
  /** The folder that they are for: null is the place beside all folders. */
  readonly folder?: number | null
  /** Called with the file, when it is in the library. */
  readonly onDone: (upload: Upload, file: Related) => void
  /** Called when its alternative text is stored. */
  readonly onDescribed: (file: Related) => void
}

let count = 0

/** One file on its way to the library: it can be stopped and sent again, and may get its alternative text meanwhile. */
export class Upload {
  readonly key: string
  readonly content: File
  /** Files that were chosen together keep their order. */
  readonly batch: number
  readonly state: Signal<UploadState> = signal('waiting')
  /** The share of its bytes that are sent. */
  readonly share = signal(0)
  readonly problem = signal<string | undefined>(undefined)
  readonly file = signal<Related | undefined>(undefined)
  readonly alternativeText = signal('')
  readonly #place: UploadPlace
  // A file that arrived though its response was lost is not stored twice.
  readonly #idempotencyKey = crypto.randomUUID()
  #attempt = new AbortController()
  #ended: Promise<void> = Promise.resolve()
  #storedText = ''

  constructor(content: File, batch: number, place: UploadPlace) {
    count += 1
    this.key = `upload ${count}`
    this.content = content
    this.batch = batch
    this.#place = place
    if (isAccepted(content.type, place.accepts)) this.start()
    else this.#refuse(content.name)
  }

  /** It may still come to something by itself. */
  get isOnItsWay(): boolean {
    return this.state.value === 'waiting' || this.state.value === 'sending'
  }

  /** Settles when the last attempt has come to something, or was stopped. */
  get ended(): Promise<void> {
    return this.#ended
  }

  start(): void {
    this.#ended = this.#start()
  }

  async #start(): Promise<void> {
    const attempt = new AbortController()
    this.#attempt = attempt
    this.state.value = 'waiting'
    this.problem.value = undefined
    this.share.value = 0
    await inTurn(async () => {
      if (!attempt.signal.aborted) await this.#send(attempt)
    })
  }

  stop(): void {
    this.#attempt.abort()
    if (this.isOnItsWay) this.state.value = 'stopped'
  }

  /** Stores the alternative text, as soon as there is a file that has it. */
  async describe(): Promise<void> {
    const file = this.file.peek()
    const text = this.alternativeText.peek().trim()
    if (!file || text === this.#storedText) return
    const reply = await describeFile(file, { alternativeText: text })
    if ('failure' in reply) {
      this.problem.value = reply.failure
      return
    }
    this.problem.value = undefined
    this.#storedText = text
    this.file.value = reply.file
    this.#place.onDescribed(reply.file)
  }

  async #send(attempt: AbortController): Promise<void> {
    this.state.value = 'sending'
    const form = new FormData()
    // As in the panel, and not with the files of the API; only who may list folders may name one.
    const { folder = canChooseFiles() ? null : undefined } = this.#place
    if (folder !== undefined) form.append('folder', String(folder ?? ''))
    form.append('files', this.content)
    const reply = await sendFile({
      ...{ form, key: this.#idempotencyKey, signal: attempt.signal },
      onSent: share => {
        this.share.value = share
      },
    })
    if (attempt.signal.aborted) return
    if ('failure' in reply) {
      this.problem.value = reply.status === 413 ? this.#tooLarge(reply.limit) : reply.failure
      this.state.value = 'failed'
      return
    }
    if (!isAccepted(reply.file.values.mime, this.#place.accepts)) return this.#refuse(fileName(reply.file))
    this.file.value = reply.file
    this.state.value = 'done'
    this.#place.onDone(this, reply.file)
    await this.describe()
  }

  #refuse(name: string): void {
    this.problem.value = t('files.refused', { end: endOf(name) })
    this.state.value = 'refused'
  }

  #tooLarge(limit: number | undefined): string {
    const { name, size } = this.content
    return limit === undefined
      ? t('files.tooLarge', { name, size: sizeText(size) })
      : t('files.largerThan', { name, size: sizeText(limit) })
  }
}
