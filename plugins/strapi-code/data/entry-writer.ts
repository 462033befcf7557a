import { type Host, type Session, ValidationError } from '../../../core/index.js'
import { codeCaller } from './hooks.js'
import type { Model } from './models.js'
import type { RowWriter } from './row-writer.js'
import { readValue } from './values.js'

type Data = Readonly<Record<string, unknown>>
const asGiven = { caller: codeCaller, unchecked: true, given: true, read: { fields: [] } } as const

/**
 * Writes entries of types through the content of the server, so that all that follows from a write follows from those of
 * code: records, webhooks, sessions that end. Components are rows that their owner only leads to.
 */
export class EntryWriter {
  readonly #entries: Host['entries']
  readonly #rows: RowWriter

  constructor(entries: Host['entries'], rows: RowWriter) {
    this.#entries = entries
    this.#rows = rows
  }

  async create(session: Session, model: Model, data: Data): Promise<number> {
    const values = valuesOf(model, data)
    // Code that took the times away wants none.
    for (const name of ['createdAt', 'updatedAt']) if (model.columns.has(name)) values[name] ??= null
    if (data.id !== undefined) values.id = data.id
    const entry = await plainly(() => this.#entries(model.uid, session).create(values, asGiven))
    const id = Number(entry.id)
    await this.#rows.links.writeParts(session, { model, data, id, isNew: true })
    return id
  }

  async update(session: Session, model: Model, id: number, data: Data): Promise<void> {
    // Another id is no matter of entries.
    if (data.id !== undefined && Number(data.id) !== id) return this.#rows.update(session, model, id, data)
    await plainly(() => this.#entries(model.uid, session).update(id, valuesOf(model, data), asGiven))
    await this.#rows.links.writeParts(session, { model, data, id, isNew: false })
  }

  async remove(session: Session, model: Model, ids: readonly number[]): Promise<number> {
    // Without their rows, components stay where they are.
    await this.#rows.links.forget(session, model, ids)
    for (const id of ids) await this.#entries(model.uid, session).delete(id, asGiven)
    return ids.length
  }
}

/** Columns in the form of the server, and what links lead to as it was given. */
function valuesOf(model: Model, data: Data): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const column of model.columns.values()) {
    const { name, as } = column
    if (name === 'id' || data[name] === undefined) continue
    const read = readValue(column, data[name])
    values[name] = as === 'json' ? data[name] : read
  }
  for (const { name, embedded } of model.links.values())
    if (!embedded && data[name] !== undefined) values[name] = data[name]
  return values
}

/** To the layer of a database, what the server says to clients is an error like any other. */
async function plainly<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error
    throw new Error(error.message, { cause: error })
  }
}
