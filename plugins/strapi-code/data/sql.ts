import type { Session, Store } from '../../../core/index.js'
import type { As, Column } from './models.js'

/** A piece of a statement with its values, each a question mark in the text. */
export interface Sql {
  readonly text: string
  readonly values: readonly unknown[]
  /** It goes through links. */
  readonly isJoined?: boolean | undefined
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
  readonly #quoted: (name: string) => string
  readonly #names = new Map<string, string>()

  constructor(store: Store) {
    this.store = store
    this.#quoted = name => store.knex.client.wrapIdentifierImpl(name)
  }

  name(name: string): string {
    let quoted = this.#names.get(name)
    if (quoted === undefined) {
      quoted = this.#quoted(name)
      this.#names.set(name, quoted)
    }
    return quoted
  }

  column(alias: string, column: string): string {
    return `${alias}.${this.name(column)}`
  }

  /** A column as it is selected: the driver of a database in a file refuses integers that are too large for a number. */
  selected(alias: string, { column, as }: Pick<Column, 'column' | 'as'>): string {
    const name = this.column(alias, column)
    return as === 'bigint' && this.store.facts.oneWriter ? `cast(${name} as text)` : name
  }

  /** A column as text, whatever it is. */
  asText(name: string, as: As): string {
    // Some databases fill such a text up with blanks.
    return as === 'text' || as === 'longtext' ? name : `trim(cast(${name} as char(255)))`
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
