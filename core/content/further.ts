import { type Aggregate, Aggregates } from '../aggregate/aggregates.js'
import type { Session } from '../engines/engine.js'
import { ForbiddenError, NotFoundError, ValidationError } from '../errors.js'
import { goneSince, type Retry } from '../idempotency/retries.js'
import type { Body } from '../loop/long-text.js'
import { type Ask, type Caller, missingPermission, type Write } from '../query/ask.js'
import { type CheckedInput, notAnObject } from '../write/checked-input.js'
import { issue } from '../write/issue.js'
import { nameable } from '../write/stray-names.js'
import type { Asking } from './asked.js'
import { type EntryContent, NamedContent } from './by-value.js'
import type { ContentParts } from './parts.js'
import type { Asked, BesideOf, ContentRequest } from './request.js'
import type { Runs } from './runs.js'
import type { Writes } from './writes.js'

interface Services {
  readonly asking: Asking
  readonly runs: Runs
  readonly writes: Writes
}

/** What requests may ask of a type beside reading and writing its entries one by one. */
export class FurtherContent {
  readonly #parts: ContentParts
  readonly #asking: Asking
  readonly #writes: Writes
  readonly #runs: Runs
  /** Entries by the values of unique attributes. */
  readonly named: NamedContent
  readonly #aggregates: Aggregates

  constructor(parts: ContentParts, content: EntryContent, { asking, runs, writes }: Services) {
    const { writer, engine } = parts
    this.#parts = parts
    this.#asking = asking
    this.#writes = writes
    this.#runs = runs
    this.#aggregates = new Aggregates(parts)
    this.named = new NamedContent(content, { asking, runs, writer, reader: engine.reader })
  }

  /** Numbers about the entries that a list would show. */
  aggregate(request: ContentRequest): Promise<Aggregate[]> {
    const { type, caller, under } = request
    return this.#aggregates.of(request, text =>
      this.#asking.remember(type, { action: 'find', ...under, paging: 'none' }, text, caller),
    )
  }

  /** Free values for the attributes that can be made from others, for an entry with this data. */
  async proposeUids({ type, text, caller, under }: ContentRequest, data: unknown): Promise<Record<string, string>> {
    const { engine, writer } = this.#parts
    if (typeof data !== 'object' || data === null) throw ValidationError.missingData()
    if (Array.isArray(data)) throw notAnObject(data)
    const { ask } = this.#asking.remember(type, { action: 'create', ...under }, text, caller)
    const { mayName = () => true } = ask
    const write: Write = { action: 'create', data: nameable(data as Write['data'], ask), incomplete: true }
    const input = await this.#consider(ask, write, caller)
    const made = Object.entries(await writer.slugs.propose(engine.reader, input)).filter(([name]) => mayName(name))
    if (made.length > 0) return Object.fromEntries(made)
    const wanted = [...type.fields.values()].flatMap(({ name, madeFrom }) =>
      madeFrom !== undefined && mayName(name) ? [{ name, madeFrom }] : [],
    )
    if (wanted.length === 0) throw new NotFoundError().because('the caller may write no attribute that can be proposed')
    throw ValidationError.of(
      wanted.map(({ name, madeFrom }) => issue([madeFrom], `${madeFrom} is needed to propose a value for ${name}`)),
    )
  }

  /** What a create would store, as far as it can be told without a transaction: hooks have shaped it, nothing is written. */
  async #consider(ask: Ask, write: Write, caller: Caller): Promise<CheckedInput> {
    const { hooks, engine } = this.#parts
    const { beforeWrite } = hooks(ask.type)
    const call = this.#runs.call(ask, { caller, now: new Date() }, engine.reader)
    const shaped = beforeWrite ? await beforeWrite(write, call) : write
    return this.#writes.check({ ...shaped, incomplete: true }, ask, true) as CheckedInput
  }
}

/** Entries that hooks create within a write of another one. */
export const beside =
  ({ registry }: Pick<ContentParts, 'registry'>, content: Pick<EntryContent, 'create'>): BesideOf =>
  ({ caller, requestId }, session) =>
  async (uid, data) => {
    const type = registry.types.get(uid)
    if (!type || !caller.can('create', uid))
      throw new ForbiddenError().because(missingPermission(caller, 'create', uid))
    const about = { type, text: '', caller, session, within: session, onlyId: true, requestId }
    const { text } = (await content.create(about, data)) as { readonly text: Body }
    return Number(JSON.parse(String(text)).data.id)
  }

/** What is created, for whom, and what creates it. */
interface Creating {
  readonly asked: Asked
  readonly write: Write
  readonly request: ContentRequest
  readonly runs: Runs
  readonly writes: Writes
}

/** A create that a request with the same key may have done already. */
export function onceCreated(
  retry: Retry,
  { engine, retries, maxWrites: most }: Pick<ContentParts, 'engine' | 'retries' | 'maxWrites'>,
  { asked, write, request: { caller, tally, requestId, meta }, runs, writes }: Creating,
): Promise<Body | undefined> {
  return retries.once(retry, {
    scope: caller.scope,
    write: transaction => {
      const read = async (session: Session, entry: number) => ({
        entry,
        answer: await runs.one(asked, { caller, session, id: entry, meta }),
      })
      return writes.store(asked, write, caller, { read, transaction, tally, requestId, most })
    },
    read: async id => {
      const isSeen = await runs.isRuled(asked.ask, id, engine.reader, caller)
      const body = isSeen ? await runs.one(asked, { caller, session: engine.reader, id }) : undefined
      if (body === undefined) throw goneSince()
      return body
    },
  })
}
