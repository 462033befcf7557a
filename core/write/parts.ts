import type { Dialect } from '../dialect.js'
import type { Session } from '../engines/engine.js'
import { ApplicationError, BadRequestError, type RequestError } from '../errors.js'
import type { ContentType, Link, LinkStorage } from '../schema/types.js'
import type { Match } from './asked-rows.js'
import type { CheckedInput } from './input.js'
import type { Owner } from './other-links.js'
import type { Statements } from './statements.js'

type PartRows = Extract<LinkStorage, { via: 'table' }>

/** The functions that the writer of entries lends to the writer of their parts: a part is written like a small entry. */
export interface PartOwner {
  insert(session: Session, input: CheckedInput): Promise<number>
  update(session: Session, input: CheckedInput, part: Pick<Owner, 'id' | 'sight'>): Promise<void>
  /** Removes rows that have nothing but a polymorphic link to a part. */
  forget(session: Session, type: ContentType, ids: readonly number[]): Promise<void>
}

interface Part {
  readonly type: string
  readonly id: number
}

/** Writes the components and zones of an entry, at every depth. */
export class PartWriter {
  readonly #statements: Statements
  readonly #owner: PartOwner
  readonly #dialect: Dialect

  constructor(statements: Statements, owner: PartOwner, dialect: Dialect) {
    this.#statements = statements
    this.#owner = owner
    this.#dialect = dialect
  }

  /** Makes the parts of one attribute those of the request: kept ones are changed, new ones made, the rest removed. */
  async write(session: Session, owner: Owner, link: Link, items: readonly CheckedInput[]): Promise<void> {
    const rows = link.storage as PartRows
    const former = owner.isNew ? [] : await this.#partsOf(session, rows, owner.id)
    const kept: Part[] = []
    for (const { id, type } of items)
      if (id !== undefined) {
        if (!former.some(part => part.id === id && part.type === type.uid)) throw this.#notRelated(link)
        kept.push({ id, type: type.uid })
      }
    const gone = former.filter(part => !kept.some(other => other.id === part.id && other.type === part.type))
    await this.#removeParts(session, link, gone)
    const { field = link.name } = rows.match
    if (former.length > 0) await this.#statements.remove(session, rows.table, { [rows.from]: owner.id, field })
    const parts: Part[] = []
    for (const item of items) {
      if (item.id !== undefined) await this.#owner.update(session, item, { id: item.id, sight: owner.sight })
      const id = item.id ?? (await this.#owner.insert(session, item))
      if (!parts.some(part => part.id === id && part.type === item.type.uid)) parts.push({ id, type: item.type.uid })
    }
    const order = rows.order ?? 'order'
    await this.#statements.insertAll(session, rows.table, {
      columns: [rows.from, rows.to, 'component_type', 'field', order],
      rows: parts.map(({ id, type }, index) => [owner.id, id, type, field, index + 1]),
    })
  }

  #notRelated({ name, shape }: Link): RequestError {
    const message = `Some of the provided components in ${name} are not related to the entity`
    const isPlain = shape === 'zone' && this.#dialect.terseErrors
    return isPlain ? new BadRequestError(message, 'Error') : new ApplicationError(message)
  }

  /** Removes all parts of entries that are about to go. */
  async removeAll(session: Session, type: ContentType, entries: readonly number[]): Promise<void> {
    for (const link of type.links.values()) {
      if (!link.embedded) continue
      const rows = link.storage as PartRows
      const { field = link.name } = rows.match
      const match = { [rows.from]: entries, field }
      await this.#removeParts(session, link, await this.#partsWhere(session, rows, match))
      await this.#statements.remove(session, rows.table, match)
    }
  }

  #partsOf(session: Session, rows: PartRows, entry: number): Promise<Part[]> {
    const { field = '' } = rows.match
    return this.#partsWhere(session, rows, { [rows.from]: entry, field })
  }

  async #partsWhere(session: Session, { table, to }: PartRows, match: Match): Promise<Part[]> {
    const found = await this.#statements.select(session, { table, columns: [to, 'component_type'], match })
    return found.map(([id, type]) => ({ id: Number(id), type: String(type) }))
  }

  async #removeParts(session: Session, link: Link, parts: readonly Part[]): Promise<void> {
    for (const type of link.types()) {
      const ids = parts.filter(part => part.type === type.uid).map(part => part.id)
      if (ids.length === 0) continue
      await this.removeAll(session, type, ids)
      await this.#owner.forget(session, type, ids)
      await this.#statements.remove(session, type.table, { id: ids })
    }
  }
}
