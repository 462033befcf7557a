import type { Engine, Session } from '../engines/engine.js'
import { PreconditionFailedError } from '../errors.js'
import { DoneMeanwhile, lock } from '../layout/marks.js'
import type { Action } from '../query/ask.js'
import type { Asking } from './asked.js'
import type { Answer } from './reads.js'
import type { ContentRequest } from './request.js'
import type { Runs } from './runs.js'

/** The writes of a content service that one entry of a single type needs. */
interface EntryWrites {
  create(request: ContentRequest, data: unknown, begin: (session: Session) => Promise<void>): Promise<Answer>
  update(request: ContentRequest, data: unknown): Promise<Answer>
}

interface SingleParts {
  readonly engine: Engine
  readonly asking: Asking
  readonly runs: Runs
}

/** The one entry of a single type, which requests do not name by an id. */
export class SingleContent {
  readonly #writes: EntryWrites
  readonly #parts: SingleParts

  constructor(writes: EntryWrites, parts: SingleParts) {
    this.#writes = writes
    this.#parts = parts
  }

  /** PUT changes the entry, or makes it. First writes run one after the other, so that it is made once. */
  async put(request: ContentRequest, data: unknown): Promise<Answer> {
    const id = await this.id(request, 'update')
    if (id !== undefined) return this.#writes.update({ ...request, id }, data)
    if (request.expects !== undefined) throw new PreconditionFailedError('There is no entry yet')
    const isFirst = async (session: Session) => {
      await lock(this.#parts.engine, session, request.type.uid)
      const found = await this.id(request, 'update', session)
      if (found !== undefined) throw new DoneMeanwhile()
    }
    try {
      return await this.#writes.create(request, data, isFirst)
    } catch (error) {
      if (!(error instanceof DoneMeanwhile)) throw error
      return this.put(request, data)
    }
  }

  /** Lets what makes an entry be there again run one after the other with first writes. */
  wait(session: Session, uid: string): Promise<void> {
    return lock(this.#parts.engine, session, uid)
  }

  /** The id of the entry that the query's parameters mean, for an action on it: never from a replica. */
  async id(
    { type, text, caller, under }: ContentRequest,
    action: Action,
    session: Session = this.#parts.engine.reader,
  ): Promise<number | undefined> {
    const { asking, runs } = this.#parts
    const asked = asking.remember(type, { action, ...under, lookup: true }, text, caller)
    const [entry] = await runs.unseen(asked.prepared, { caller, session })
    return entry && Number(entry.id)
  }
}
