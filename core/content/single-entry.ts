import type { Engine, Session } from '../engines/engine.js'
import { PreconditionFailedError } from '../errors.js'
import { DoneMeanwhile, lock } from '../layout/marks.js'
import type { Action } from '../query/ask.js'
import type { QueryPlanner } from './query.js'
import type { Answer } from './reads.js'
import type { ContentRequest } from './request.js'
import type { Access } from './rights/access.js'

/** The writes of a content service that one entry of a single type needs. */
interface EntryWrites {
  create(request: ContentRequest, data: unknown, begin: (session: Session) => Promise<void>): Promise<Answer>
  update(request: ContentRequest, data: unknown): Promise<Answer>
}

interface Services {
  readonly engine: Engine
  readonly planner: QueryPlanner
  readonly access: Access
}

/** The one entry of a single type, which requests do not name by an id. */
export class SingleEntry {
  readonly #writes: EntryWrites
  readonly #services: Services

  constructor(writes: EntryWrites, services: Services) {
    this.#writes = writes
    this.#services = services
  }

  /** PUT changes the entry, or makes it. First writes run one after the other, so that it is made once. */
  async put(request: ContentRequest, data: unknown): Promise<Answer> {
    const id = await this.id(request, 'update')
    if (id !== undefined) return this.#writes.update({ ...request, id }, data)
    if (request.expects !== undefined) throw new PreconditionFailedError('There is no entry yet')
    const isFirst = async (session: Session) => {
      await lock(this.#services.engine, session, request.type.uid)
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

  /** Makes writes after which there may be an entry again run one after the other with first writes. */
  wait(session: Session, uid: string): Promise<void> {
    return lock(this.#services.engine, session, uid)
  }

  /** The id of the entry that the query's parameters mean, for an action on it: never from a replica. */
  async id(
    { type, text, caller, options }: ContentRequest,
    action: Action,
    session: Session = this.#services.engine.reader,
  ): Promise<number | undefined> {
    const { planner, access } = this.#services
    const { prepared } = planner.query(type, { action, ...options, lookup: true }, text, caller)
    const [entry] = await access.read(prepared, { caller, session })
    return entry && Number(entry.id)
  }
}
