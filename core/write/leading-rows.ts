import type { Session } from '../engines/engine.js'
import type { Registry } from '../schema/registry.js'
import type { ContentType, Link } from '../schema/types.js'
import type { Statements } from './statements.js'

/** Polymorphic rows that lead to entries or components: no foreign key covers them. */
export class LeadingRows {
  readonly #statements: Statements
  readonly #registry: Registry

  constructor(statements: Statements, registry: Registry) {
    this.#statements = statements
    this.#registry = registry
  }

  /** Removes rows that lead to entries or components which go. */
  async forget(session: Session, type: ContentType, ids: readonly number[]): Promise<void> {
    for (const { storage, owning, targets } of type.links.values())
      if (storage.via === 'table' && !owning && Object.keys(storage.match).length > 0 && targets !== undefined)
        await this.#statements.remove(session, storage.table, { [storage.from]: ids, ...storage.match })
    for (const { table, column } of this.#columnsTo(type)) {
      const rows = await this.#statements.select(session, { table, columns: ['id'], match: { [column]: ids } })
      for (const [id] of rows) await this.#statements.update(session, table, Number(id), { [column]: null })
    }
    for (const link of this.#variedLinks()) {
      const { storage } = link
      if (storage.via === 'table')
        await this.#statements.remove(session, storage.table, {
          [storage.to]: ids,
          [storage.typeColumn ?? '']: type.uid,
        })
      else if (storage.via === 'column') {
        const { column, typeColumn = '' } = storage
        const rows = await this.#statements.select(session, {
          table: link.table,
          columns: ['id'],
          match: { [column]: ids, [typeColumn]: type.uid },
        })
        for (const [id] of rows)
          await this.#statements.update(session, link.table, Number(id), { [column]: null, [typeColumn]: null })
      }
    }
  }

  readonly #columns = new WeakMap<ContentType, readonly { readonly table: string; readonly column: string }[]>()

  /** The columns of other types that lead to entries of this one, and that no key of the database clears. */
  #columnsTo(type: ContentType) {
    let known = this.#columns.get(type)
    if (!known) {
      const all = [...this.#registry.types.values()].flatMap(({ links }) => [...links.values()])
      known = all.flatMap(({ table, storage, targets, writable }) =>
        storage.via === 'column' && writable && targets?.includes(type.uid) ? [{ table, column: storage.column }] : [],
      )
      this.#columns.set(type, known)
    }
    return known
  }

  #varied: readonly Link[] | undefined
  #variedLinks(): readonly Link[] {
    this.#varied ??= [...this.#registry.types.values()].flatMap(type =>
      [...type.links.values()].filter(link => link.targets === undefined),
    )
    return this.#varied
  }
}
