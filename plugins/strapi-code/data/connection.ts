import knexPackage, { type Knex } from 'knex'
import type { Session, Store } from '../../../core/index.js'
import { type NamedColumn, NamingValues } from '../../../core/plugin-kit.js'
import type { Bag, Loose } from '../types.js'
import { OpenTransaction } from './scope.js'

/** The connection as knex has it: the session of a transaction that is open, or the one that code is in. */
interface Line {
  open: OpenTransaction | undefined
  __knexUid?: string
}

interface ConnectionParts {
  readonly store: Store
  /** The session that statements without a transaction of their own run in; undefined where each has its own. */
  readonly joined: () => Session | undefined
}

/** A statement as knex asks it, and where it puts the result. */
interface Query {
  readonly sql: string
  readonly bindings?: readonly unknown[]
  readonly method?: string
  response?: unknown
  context?: { lastID: number; changes: number }
}

/** `strapi.db.connection`: knex, whose statements run in sessions of the server's own database. */
export class Connection {
  readonly knex: Knex
  readonly #parts: ConnectionParts

  constructor(parts: ConnectionParts) {
    this.#parts = parts
    this.knex = knexPackage.knex({ client: this.#client(), useNullAsDefault: true, pool: { min: 0, max: 1 } })
    // Code asks it for the kind of database: Strapi names the driver where it is a file, and the server otherwise.
    const { engine, knex } = parts.store
    const driver = String(knex.client.config.client)
    Object.assign(this.knex.client.config, { client: /sqlite/.test(driver) ? driver : engine })
  }

  /** A transaction that is open already, as one of knex. */
  async transacting(open: OpenTransaction): Promise<Loose> {
    const line: Line = { open }
    return this.knex.transaction(undefined as never, { connection: line, doNotRejectOnRollback: true } as object)
  }

  #client(): typeof Knex.Client {
    const { store } = this.#parts
    const own = this
    const Dialect = store.knex.client.constructor as typeof Knex.Client
    class SessionClient extends Dialect {
      _driver() {
        return {}
      }

      override initializePool() {}

      override async acquireConnection(): Promise<Line> {
        return { open: undefined }
      }

      override async releaseConnection() {}

      override async destroy() {}

      async _query(line: Line, query: Query): Promise<Query> {
        await own.#ask(line, query)
        return query
      }

      _stream(): Promise<never> {
        return Promise.reject(new Error('streams of rows are not there: read in pages'))
      }
    }
    Object.assign(SessionClient.prototype, {
      driverName: store.knex.client.driverName,
      dialect: store.knex.client.dialect,
    })
    return SessionClient
  }

  async #ask(line: Line, query: Query): Promise<void> {
    const { store, joined } = this.#parts
    const text = query.sql.trim()
    if (/^begin\b/i.test(text)) {
      line.open ??= await OpenTransaction.begin(store)
      return answered(query, store, nothing)
    }
    if (/^(commit|rollback)\s*;?$/i.test(text)) {
      await (/^commit/i.test(text) ? line.open?.commit() : line.open?.rollback())
      return answered(query, store, nothing)
    }
    const session = line.open?.session ?? joined()
    if (session) return this.#run(session, query)
    if (isRead(text)) return this.#run(store.reader, query)
    return store.transaction(own => this.#run(own, query))
  }

  async #run(session: Session, query: Query): Promise<void> {
    const { store } = this.#parts
    const { sql } = query
    const values = NamingValues.from((query.bindings ?? []).map(value => bindable(store, value)))
    if (isRead(sql) || hasRows(query)) {
      const rows = await session.all(sql, values)
      return answered(query, store, { rows, columns: values.columns, changes: rows.length, id: 0 })
    }
    const { changes, id } = await session.run(sql, values)
    answered(query, store, { ...nothing, changes, id })
  }
}

const nothing: Answer = { rows: [], columns: [], changes: 0, id: 0 }

function isRead(sql: string): boolean {
  const [, word = ''] = /^[\s(]*(\w+)/.exec(sql) ?? []
  if (!['select', 'with', 'values', 'explain', 'show', 'pragma', 'describe'].includes(word.toLowerCase())) return false
  return word.toLowerCase() !== 'with' || !/\b(insert|update|delete)\b/i.test(sql)
}

const hasRows = ({ sql }: Query): boolean => /\breturning\b/i.test(sql)
/** A value of code as drivers take it. */
function bindable(store: Store, value: unknown): unknown {
  if (value instanceof Date) return store.encode('datetime', value.getTime())
  if (value === undefined) return null
  if (typeof value === 'boolean') return store.encode('boolean', value)
  if (typeof value === 'object' && value !== null && !Buffer.isBuffer(value) && !Array.isArray(value))
    return JSON.stringify(value)
  return Array.isArray(value) && !store.facts.returnsIds ? JSON.stringify(value) : value
}

interface Answer {
  readonly rows: readonly (readonly unknown[])[]
  readonly columns: readonly NamedColumn[]
  readonly changes: number
  /** Of the last row that was inserted. */
  readonly id: number
}

/** Puts a result where knex looks for that of its driver. */
function answered(query: Query, store: Store, { rows, columns, changes, id }: Answer): void {
  const objects = rows.map(row => {
    const object: Bag = {}
    for (const [at, column] of columns.entries()) object[column.name] = shown(store, column, row[at])
    return object
  })
  if (store.facts.returnsIds)
    query.response = {
      rows: objects,
      rowCount: changes,
      command: (/^\s*(\w+)/.exec(query.sql)?.[1] ?? '').toUpperCase(),
      fields: columns.map(({ name, type }) => ({ name, dataTypeID: type })),
    }
  else if (!store.facts.oneWriter)
    query.response =
      columns.length > 0 || isRead(query.sql)
        ? [objects, columns.map(({ name }) => ({ name }))]
        : [{ affectedRows: changes, insertId: id, changedRows: changes, warningStatus: 0 }, undefined]
  else {
    query.response = columns.length > 0 || isRead(query.sql) ? objects : { changes, lastInsertRowid: id }
    query.context = { lastID: id, changes }
  }
}

/** Types of columns whose values drivers and knex give in different forms, by the numbers that two kinds of servers have for them. */
const times: readonly unknown[] = [1114, 1184, 7, 12]
const documents: readonly unknown[] = [114, 3802, 245]
/** Whole numbers, floating ones and decimals; the widest whole numbers stay texts. */
const numbers: readonly unknown[] = [21, 23, 700, 701, 1700, 246, 0]
const truths = 16
const tiny = 1

function shown({ decode }: Store, { type, length }: NamedColumn, value: unknown): unknown {
  if (value === null || value === undefined) return null
  if (times.includes(type)) return typeof value === 'string' ? new Date(String(decode('datetime', value))) : value
  if (documents.includes(type)) return typeof value === 'string' ? JSON.parse(value) : value
  if (numbers.includes(type)) return Number(value)
  if (type === tiny && length === 1) return Number(value) === 1
  return type === truths && typeof value === 'string' ? value === 't' : value
}
