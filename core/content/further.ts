import { ValidationError } from '../errors.js'
import type { Write } from '../query/ask.js'
import { notAnObject } from '../write/checked-input.js'
import { issue } from '../write/issue.js'
import type { Asking } from './asked.js'
import { type EntryContent, NamedContent } from './by-value.js'
import type { ContentParts } from './parts.js'
import type { ContentRequest } from './request.js'
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
  /** Entries by the values of unique attributes. */
  readonly named: NamedContent

  constructor(parts: ContentParts, content: EntryContent, { asking, runs, writes }: Services) {
    const { writer, engine } = parts
    this.#parts = parts
    this.#asking = asking
    this.#writes = writes
    this.named = new NamedContent(content, { asking, runs, writer, reader: engine.reader })
  }

  /** Free values for the attributes that can be made from others, for an entry with this data. */
  async proposeUids({ type, text, caller, under }: ContentRequest, data: unknown): Promise<Record<string, string>> {
    const { engine, writer } = this.#parts
    if (typeof data !== 'object' || data === null) throw missingData()
    if (Array.isArray(data)) throw notAnObject(data)
    const { ask } = this.#asking.remember(type, { action: 'create', ...under }, text, caller)
    const write: Write = { action: 'create', data: data as Write['data'], incomplete: true }
    const input = await this.#writes.consider(ask, write, caller)
    const proposed = await writer.slugs.propose(engine.reader, input)
    if (Object.keys(proposed).length > 0) return proposed
    const wanted = [...type.fields.values()].flatMap(({ name, madeFrom }) => (madeFrom ? [{ name, madeFrom }] : []))
    throw ValidationError.of(
      wanted.map(({ name, madeFrom }) => issue([madeFrom], `${madeFrom} is needed to propose a value for ${name}`)),
    )
  }
}

export const missingData = (): ValidationError => new ValidationError('Missing "data" payload in the request body')
