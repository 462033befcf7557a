import type { Session } from '../engines/engine.js'
import { transact } from '../engines/transaction.js'
import { NotFoundError, ValidationError } from '../errors.js'
import type { Notable, NotedClaim, Retry } from '../idempotency/retries.js'
import type { Write } from '../query/ask.js'
import { notAnObject } from '../write/checked-input.js'
import { nameable } from '../write/stray-names.js'
import { Asking } from './asked.js'
import { expectation } from './expected.js'
import { beside, FurtherContent, onceCreated } from './further.js'
import type { ContentParts } from './parts.js'
import { PlainContent } from './plain.js'
import { type Answer, Reads } from './reads.js'
import type { ContentRequest } from './request.js'
import { Runs } from './runs.js'
import type { SeveralWrites } from './several/among.js'
import { limited, StatementLimit } from './several/limited.js'
import { ShownContent } from './several/shown.js'
import { SingleContent } from './single.js'
import { Writes } from './writes.js'

/** Names in the data of a write: no type has so many attributes, and a request with more is abuse. */
const mostNames = 2000

/** Reads and writes entries: every generated route ends here, and nothing else reaches the store with a request in hand. */
export class Content {
  readonly #parts: ContentParts
  readonly #asking: Asking
  readonly #runs: Runs
  readonly #writes: Writes
  readonly #reads: Reads
  /** The same entries for code. */
  readonly plain: PlainContent
  readonly further: FurtherContent
  readonly single: SingleContent
  /** The entries of several writes. */
  readonly shown: ShownContent

  constructor(parts: ContentParts) {
    this.#parts = parts
    this.#asking = new Asking(parts)
    this.#runs = new Runs(parts, this.#asking)
    this.#writes = new Writes(parts, this.#runs, beside(parts, this))
    const services = { asking: this.#asking, runs: this.#runs, writes: this.#writes }
    this.#reads = new Reads(parts, services)
    this.further = new FurtherContent(parts, this, services)
    this.shown = new ShownContent(parts, services)
    this.single = new SingleContent(this, { engine: parts.engine, asking: this.#asking, runs: this.#runs })
    this.plain = new PlainContent(parts, this.#asking, this.#runs, this.#writes)
  }

  /** Plans made so far no longer hold: something changed that hooks or parameters looked at. */
  forget(): void {
    this.#asking.forget()
  }

  get plans(): { readonly cached: number; readonly made: number } {
    return this.#asking.plans
  }

  /** A page of a collection. */
  find(request: ContentRequest): Answer | Promise<Answer> {
    return this.#reads.read('find', request)
  }

  /** The first entry of a collection that meets the query, as one entry. */
  first(request: ContentRequest): Answer | Promise<Answer> {
    return this.#reads.read('find', { ...request, under: { ...request.under, paging: 'first' } })
  }

  /** One entry by its id, or the entry of a single type. */
  findOne(request: ContentRequest): Answer | Promise<Answer> {
    return this.#reads.read('findOne', request)
  }

  /** How many entries a list with these filters has in all. */
  count(request: ContentRequest): Promise<number> {
    return this.#reads.count(request)
  }

  /** `begin` runs first in the transaction, here and in other writes. */
  create(request: ContentRequest, data: unknown, begin?: Begin): Promise<Answer> {
    return this.#write(request, { action: 'create', data: data as Write['data'] }, begin)
  }

  update(request: ContentRequest, data: unknown, begin?: Begin): Promise<Answer> {
    return this.#write(request, { action: 'update', data: data as Write['data'], id: request.id as number }, begin)
  }

  delete(request: ContentRequest, begin?: Begin): Promise<Answer> {
    return this.#write(request, { action: 'delete', data: {}, id: request.id as number }, begin)
  }

  /** Work that is no write of one entry, done once for a key where the client gave one. */
  once<Answer>(retry: Retry | undefined, work: Notable<Answer>): Promise<Answer> {
    return retry ? this.#parts.retries.noted(retry, work) : work.write(unclaimed)
  }

  /** One transaction for several writes of a request, which have to be few enough; with `each`, every one of them has. */
  transaction<T>(work: SeveralWrites<T>, each = false): Promise<T> {
    const { engine, maxWrites } = this.#parts
    return transact(engine, session => {
      const limit = new StatementLimit(each ? Number.POSITIVE_INFINITY : maxWrites)
      return work(limited(session, limit), () => limit.spent)
    })
  }

  async #write(request: ContentRequest, sent: Write, begin?: Begin): Promise<Answer> {
    const { type, text, caller, under, retry, tally, requestId, within, among } = request
    const { action, data, id } = sent
    if (action !== 'delete' && (typeof data !== 'object' || data === null)) throw ValidationError.missingData()
    const asked = this.#asking.remember(type, { action, ...under, tally }, text, caller)
    if (Array.isArray(data)) throw notAnObject(data)
    if (Object.keys(data).length > mostNames)
      throw new ValidationError(`The body names more than ${mostNames} attributes; send only those of the content type`)
    const { mayName, view = type } = asked.ask
    const expects = request.expects !== undefined && id !== undefined ? expectation(request.expects, view) : undefined
    const write = mayName ? { ...sent, data: nameable(data, asked.ask) } : sent
    const read = request.onlyId
      ? async (_: Session, id: number) => `{"data":{"id":${id}},"meta":{}}`
      : (session: Session, id: number) => this.#runs.one(asked, { caller, session, id, meta: request.meta })
    const readsOnce = !request.onlyId && this.#runs.readsOnce(asked)
    const most = this.#parts.maxWrites
    const around = { read, readsOnce, expects, before: begin, tally, requestId, within, among, most }
    const body =
      retry && write.action === 'create'
        ? await onceCreated(retry, this.#parts, { asked, write, request, runs: this.#runs, writes: this.#writes })
        : await this.#writes.store(asked, write, caller, around)
    if (body === undefined) throw new NotFoundError()
    const mediaType = asked.format?.mediaType
    return { text: body, ...(mediaType !== undefined && !request.onlyId && { type: mediaType }) }
  }
}

/** Of a request that came without a key. */
const unclaimed: NotedClaim = { isNeeded: false, take: async () => undefined, keep: async () => undefined }

/** What the transaction of a write begins with. */
export type Begin = (session: Session) => Promise<void>
