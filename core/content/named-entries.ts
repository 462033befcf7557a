import type { Session } from '../engines/engine.js'
import { ForbiddenError, NotFoundError, PreconditionFailedError, ValidationError } from '../errors.js'
import { DoneMeanwhile } from '../layout/marks.js'
import { type Action, mayDo, missingPermission } from '../query/ask.js'
import type { ByValue } from '../query/by-value.js'
import { isRecord } from '../write/attributes.js'
import { areTaken, issue } from '../write/issue.js'
import type { Writer } from '../write/writer.js'
import type { QueryPlanner } from './query.js'
import type { Answer } from './reads.js'
import type { ContentRequest } from './request.js'
import type { Access } from './rights/access.js'
import type { Begin } from './writes.js'

/** Requests on entries that have an id. */
export interface EntryContent {
  findOne(request: ContentRequest): Answer | Promise<Answer>
  create(request: ContentRequest, data: unknown, begin?: Begin): Promise<Answer>
  update(request: ContentRequest, data: unknown, begin?: Begin): Promise<Answer>
  delete(request: ContentRequest, begin?: Begin): Promise<Answer>
}

interface Services {
  readonly planner: QueryPlanner
  readonly access: Access
  readonly writer: Pick<Writer, 'lock'>
  readonly reader: Session
}

/** The most attempts of a write, which begins again where another one came between looking for the entry and locking it. */
const attempts = 8

/** Entries that requests name by the value of a unique attribute. */
export class NamedEntries {
  readonly #content: EntryContent
  readonly #services: Services

  constructor(content: EntryContent, services: Services) {
    this.#content = content
    this.#services = services
  }

  findOne(request: ContentRequest, by: ByValue): Answer | Promise<Answer> {
    return this.#content.findOne({ ...request, options: { ...request.options, by } })
  }

  /** Changes the entry, or makes one with the value. */
  async put(request: ContentRequest, by: ByValue, data: unknown): Promise<{ answer: Answer; isNew: boolean }> {
    const { type, caller, expects } = request
    if (!mayDo(caller, 'create', type.uid))
      throw new ForbiddenError().because(missingPermission(caller, 'create', type.uid))
    for (let attempt = 1; ; attempt += 1) {
      const id = await this.#idOf(request, 'update', by)
      if (id === undefined && expects !== undefined) throw new PreconditionFailedError('There is no entry yet')
      try {
        if (id === undefined) return { answer: await this.#content.create(request, named(data, by)), isNew: true }
        const isStill = this.#isStill(request, 'update', { by, id })
        return { answer: await this.#content.update({ ...request, id }, data, isStill), isNew: false }
      } catch (error) {
        const isTaken = id === undefined && isTakenBy(error, by)
        if (attempt === attempts || !(error instanceof DoneMeanwhile || isTaken)) throw error
        // Taken by an entry that the caller cannot change, it stays taken; otherwise that entry is found now.
        if (isTaken && (await this.#idOf(request, 'update', by)) === undefined) throw error
      }
    }
  }

  async delete(request: ContentRequest, by: ByValue): Promise<Answer> {
    const id = await this.#idOf(request, 'delete', by)
    if (id === undefined) throw new NotFoundError().because(`no entry of ${request.type.uid} has this ${by.field}`)
    try {
      return await this.#content.delete({ ...request, id }, this.#isStill(request, 'delete', { by, id }))
    } catch (error) {
      throw error instanceof DoneMeanwhile ? new NotFoundError() : error
    }
  }

  /** The id of the entry that the parameters of the request mean: never from a replica. */
  async #idOf(request: ContentRequest, action: Action, by: ByValue, session = this.#services.reader) {
    const { type, text, caller, options } = request
    const { planner, access } = this.#services
    const { prepared } = planner.query(type, { action, ...options, by, lookup: true }, text, caller)
    const [entry] = await access.read(prepared, { caller, session })
    return entry && Number(entry.id)
  }

  /** Begins the transaction: the entry is locked, and still the one that is meant. */
  #isStill(request: ContentRequest, action: Action, { by, id }: { by: ByValue; id: number }): Begin {
    return async session => {
      await this.#services.writer.lock(session, request.type, id)
      if ((await this.#idOf(request, action, by, session)) !== id) throw new DoneMeanwhile()
    }
  }
}

/** The data of a new entry, which has the value that it is named by. */
function named(data: unknown, { field, value }: ByValue): unknown {
  if (!isRecord(data)) return data
  const sent = data[field]
  if (sent === undefined || String(sent) === value) return { ...data, [field]: sent ?? value }
  throw ValidationError.of([issue([field], `${field} is not the value in the address`)])
}

/** Another entry has the value by which a new one is named, and nothing else is wrong. */
function isTakenBy(error: unknown, { field }: ByValue): boolean {
  return error instanceof ValidationError && areTaken(error, [field])
}
