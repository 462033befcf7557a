import type { Session, Store } from '../../../core/index.js'
import type { As, Column } from './models.js'

/** A piece of a statement with its values, each a question mark in the text. */
export interface Sql {
  readonly text: string
  readonly values: readonly unknown[]
}

export const sql = (text: string, ...values: readonly unknown[]): Sql => ({ text, values })
export const nothing = sql('1 = 0')
export const everything = sql('1 = 1')

export function joined(parts: readonly Sql[], between: string): Sql {
  return { text: parts.map(({ text }) => text).join(between), values: parts.flatMap(({ values }) => values) }
}

/** Pieces that all hold, or one of which does. */
export function grouped(parts: readonly Sql[], word: 'and' | 'or'): Sql {
  if (parts.length === 0) return everything
  const [only] = parts
  if (parts.length === 1 && only) return only
  const { text, values } = joined(parts, ` ${word} `)
  return { text: `(${text})`, values }
}

/** The words of one kind of database that statements here need. */
export class Writing {
  readonly store: Store
  readonly #mark: string

  constructor(store: Store) {
    this.store = store
    this.#mark = store.engine === 'mysql' ? '`' : '"'
  }

  name(name: string): string {
    const mark = this.#mark
    return `${mark}${name.replaceAll(mark, mark + mark)}${mark}`
  }

  column(alias: string, column: string): string {
    return `${alias}.${this.name(column)}`
  }

  /** A column as it is selected: SQLite's driver refuses integers that are too large for a number. */
  selected(alias: string, { column, as }: Pick<Column, 'column' | 'as'>): string {
    const name = this.column(alias, column)
    return as === 'bigint' && this.store.engine === 'sqlite' ? `cast(${name} as text)` : name
  }

  lower(text: string): string {
    return this.store.engine === 'postgres' ? `lower(cast(${text} as varchar))` : `lower(${text})`
  }

  asText(text: string): string {
    return this.store.engine === 'postgres' ? `cast(${text} as varchar)` : text
  }

  decode(as: As, value: unknown): unknown {
    return this.store.decode(as, value)
  }

  async rows(session: Session, { text, values }: Sql): Promise<readonly (readonly unknown[])[]> {
    return session.all(text, values)
  }

  async change(session: Session, { text, values }: Sql): Promise<number> {
    return (await session.run(text, values)).changes
  }

  list(values: readonly unknown[]): Sql {
    return { text: `(${values.map(() => '?').join(', ')})`, values }
  }
}

/** Ids in lists that one statement takes. */
export function* chunks<T>(items: readonly T[], size = 5000): Generator<readonly T[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size)
}
