import { randomBytes } from 'node:crypto'
import { NotFoundError, ValidationError } from '../errors.js'
import type { Action, Caller, Write } from '../hooks.js'
import type { ContentType } from '../schema/types.js'
import { readerFor, type Session } from '../store/engine.js'
import { takeTurn } from '../store/turn.js'
import { notAnObject } from '../write/draft.js'
import { type Asked, Asking } from './asked.js'
import type { ContentParts } from './parts.js'
import { PlainContent } from './plain.js'
import { goneSince, type Notable, type NotedClaim, type Retry } from './retries.js'
import { type Body, Runs } from './runs.js'
import { Unchanged } from './unchanged.js'
import { Writes } from './writes.js'

/** What leaves the service: the text of a body. */
export interface Answer {
  readonly body: Body
}

/** The answer to a read, with what it may be recognised by; or only that, where the client has it already. */
export type Reading = (Answer & { readonly tag: string | undefined }) | { readonly unchanged: string }
export type Knows = (tag: string) => boolean
const never: Knows = () => false

/** Versions count from the start of a process: tags of another one mean nothing here. */
const instance = randomBytes(4).toString('base64url')
/** What an answer costs beside its bytes. */
const perAnswer = 500

/** Names in the data of a write: no type has so many attributes, and whoever sends more wants to be a burden. */
const mostNames = 2000

/** How an action of a plugin's route differs from the generated endpoint. */
export interface Under {
  /** The right under which it is done. */
  readonly permission?: string
  readonly paging?: 'open'
}

/** Reads and writes entries: every generated route ends here, and nothing else reaches the store with a request in hand. */
export class Content {
  readonly #parts: ContentParts
  readonly #asking: Asking
  readonly #runs: Runs
  readonly #writes: Writes
  readonly #answers: Unchanged<Buffer>
  /** The same entries for code. */
  readonly plain: PlainContent

  constructor(parts: ContentParts) {
    this.#parts = parts
    this.#asking = new Asking(parts)
    this.#runs = new Runs(parts, this.#asking)
    this.#writes = new Writes(parts, this.#runs)
    this.plain = new PlainContent(parts, this.#asking, this.#runs, this.#writes)
    this.#answers = new Unchanged(parts.engine, parts.keptAnswers, ({ length }) => length + perAnswer)
  }

  /** Plans made so far no longer hold: something changed that hooks or parameters looked at. */
  forget(): void {
    this.#asking.forget()
  }

  /**
   * A page of a collection. `knows` says whether the client has the answer with a tag already, `mayLag` whether the answer
   * may be a little behind what was written.
   */
  async find(
    type: ContentType,
    text: string,
    caller: Caller,
    knows: Knows = never,
    under: Under = {},
    mayLag = false,
  ): Promise<Reading> {
    const asked = this.#asking.remember(type, { action: 'find', ...under }, text, caller)
    try {
      return await this.#find(asked, caller, knows, mayLag)
    } catch (error) {
      throw this.#writes.explain(type, error, asked)
    }
  }

  async #find(asked: Asked, caller: Caller, knows: Knows, mayLag: boolean): Promise<Reading> {
    const tag = this.#tag(asked, '')
    if (tag !== undefined && knows(tag)) return { unchanged: tag }
    const session = readerFor(this.#parts.engine, mayLag)
    return { body: await this.#again(asked, tag, () => this.#runs.page(asked, caller, session)), tag }
  }

  /** An answer that is asked again while nothing has changed is the same one; what is asked once is not kept. */
  async #again(asked: Asked, tag: string | undefined, read: () => Promise<Body>): Promise<Body> {
    const isNew = !asked.isAsked
    asked.isAsked = true
    if (tag === undefined || isNew) return read()
    return this.#answers.get(tag, async () => {
      const body = await read()
      return typeof body === 'string' ? Buffer.from(body) : Buffer.isBuffer(body) ? body : body.toBuffer()
    })
  }

  /** How many entries a list with these filters has in all. */
  async count(type: ContentType, text: string, caller: Caller, under: Under = {}, mayLag = false): Promise<number> {
    const asked = this.#asking.remember(type, { action: 'find', ...under, paging: 'none' }, text, caller)
    try {
      return await this.#runs.total(asked, caller, readerFor(this.#parts.engine, mayLag))
    } catch (error) {
      throw this.#writes.explain(type, error, asked)
    }
  }

  /** One entry by its id, or the entry of a single type. */
  async findOne(
    type: ContentType,
    id: number | undefined,
    text: string,
    caller: Caller,
    knows: Knows = never,
    under: Under = {},
    mayLag = false,
  ): Promise<Reading> {
    const asked = this.#asking.remember(type, { action: 'findOne', ...under }, text, caller)
    const tag = this.#tag(asked, id ?? '')
    if (tag !== undefined && knows(tag)) return { unchanged: tag }
    try {
      const body = await this.#again(asked, tag, async () => {
        const found = await this.#runs.one(asked, caller, readerFor(this.#parts.engine, mayLag), id)
        if (found === undefined) throw new NotFoundError()
        return found
      })
      return { body, tag }
    } catch (error) {
      throw this.#writes.explain(type, error, asked)
    }
  }

  async create(
    type: ContentType,
    data: unknown,
    text: string,
    caller: Caller,
    under?: Under,
    retry?: Retry,
  ): Promise<Answer> {
    const write = { action: 'create', data: data as Write['data'] } as const
    return this.#write(type, write, text, caller, under, { retry })
  }

  async update(
    type: ContentType,
    id: number,
    data: unknown,
    text: string,
    caller: Caller,
    under?: Under,
    before?: Special['before'],
  ): Promise<Answer> {
    const write = { action: 'update', data: data as Write['data'], id } as const
    return this.#write(type, write, text, caller, under, { before })
  }

  /** Work that is no write of one entry, done once for a key where the client gave one. */
  once<Answer>(retry: Retry | undefined, work: Notable<Answer>): Promise<Answer> {
    return retry ? this.#parts.retries.noted(retry, work) : work.write(unclaimed)
  }

  async delete(type: ContentType, id: number, text: string, caller: Caller, under?: Under): Promise<Answer> {
    return this.#write(type, { action: 'delete', data: {}, id }, text, caller, under)
  }

  /** PUT of a single type changes its entry, or makes it. First writes take turns, so that it is made once. */
  async put(type: ContentType, data: unknown, text: string, caller: Caller): Promise<Answer> {
    const { engine } = this.#parts
    const id = await this.idOfSingle(type, 'update', text, caller)
    if (id !== undefined) return this.update(type, id, data, text, caller)
    const isFirst = async (session: Session) => {
      await takeTurn(engine, session, type.uid)
      const found = await this.idOfSingle(type, 'update', text, caller, {}, session)
      if (found !== undefined) throw new MadeMeanwhile()
    }
    try {
      const write = { action: 'create', data: data as Write['data'] } as const
      return await this.#write(type, write, text, caller, {}, { before: isFirst })
    } catch (error) {
      if (!(error instanceof MadeMeanwhile)) throw error
      return this.put(type, data, text, caller)
    }
  }

  /** The id of the entry of a single type that the query's parameters mean, for an action on it. */
  async idOfSingle(
    type: ContentType,
    action: Action,
    text: string,
    caller: Caller,
    under: Under = {},
    session: Session = this.#parts.engine.reader,
  ): Promise<number | undefined> {
    const asked = this.#asking.remember(type, { action, ...under, lookup: true }, text, caller)
    const [entry] = await this.#runs.unseen(asked.prepared, asked.ask, caller, session)
    return entry && Number(entry.id)
  }

  /** A tag that is the same exactly while the answer is; undefined where the store cannot tell. */
  #tag({ prepared, number }: Asked, id: number | ''): string | undefined {
    if (prepared.isLate || !prepared.plan.byDatabase) return undefined
    const version = this.#parts.engine.version()
    return version === undefined ? undefined : `${instance}.${version}.${number}.${id}`
  }

  async #write(
    type: ContentType,
    write: Write,
    text: string,
    caller: Caller,
    under: Under = {},
    { before, retry }: Special = {},
  ): Promise<Answer> {
    if (write.action !== 'delete' && (typeof write.data !== 'object' || write.data === null))
      throw new ValidationError('Missing "data" payload in the request body')
    const asked = this.#asking.remember(type, { action: write.action, ...under }, text, caller)
    if (Array.isArray(write.data)) throw notAnObject(write.data)
    if (Object.keys(write.data).length > mostNames)
      throw new ValidationError(`an entry has no more than ${mostNames} attributes`)
    const read = (session: Session, id: number) => this.#runs.one(asked, caller, session, id)
    const body = retry
      ? await this.#once(retry, asked, write, caller)
      : await this.#writes.store(asked, write, caller, read, { before })
    if (body === undefined) throw new NotFoundError()
    return { body }
  }

  /** A write that a request with the same key may have done already. */
  #once(retry: Retry, asked: Asked, write: Write, caller: Caller): Promise<Body | undefined> {
    const { engine, retries } = this.#parts
    return retries.once(retry, {
      scope: caller.scope,
      write: claim => {
        const read = async (session: Session, id: number) => {
          const body = await this.#runs.one(asked, caller, session, id)
          await claim.keep(session, id, body)
          return body
        }
        return this.#writes.store(asked, write, caller, read, { before: claim.take })
      },
      read: async id => {
        const isSeen = await this.#runs.isRuled(asked.ask, id, engine.reader, caller)
        const body = isSeen ? await this.#runs.one(asked, caller, engine.reader, id) : undefined
        if (body === undefined) throw goneSince()
        return body
      },
    })
  }
}

/** Of a request that came without a key. */
const unclaimed: NotedClaim = { take: async () => undefined, keep: async () => undefined }

/** What a write has beside its data. */
interface Special {
  /** What its transaction begins with. */
  readonly before?: ((session: Session) => Promise<void>) | undefined
  readonly retry?: Retry | undefined
}

/** Somebody else has made the entry of a single type: now there is one to change. */
class MadeMeanwhile extends Error {}
