import type { Link } from '../../../core/index.js'
import type { Column, Model, Models } from './models.js'
import { everything, grouped, joined, nothing, type Sql, sql, type Writing } from './sql.js'
import { bound } from './values.js'

export const isPlain = (value: unknown): value is Record<string, unknown> => {
  if (typeof value !== 'object' || value === null) return false
  const prototype = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

/** The operators around conditions, and those on one attribute. */
export const groupWords: readonly string[] = ['$and', '$or', '$not']
const attributeWords: readonly string[] = [
  ...['$not', '$in', '$notIn', '$eq', '$eqi', '$ne', '$nei', '$gt', '$gte', '$lt', '$lte', '$null', '$notNull'],
  ...['$between', '$startsWith', '$startsWithi', '$endsWith', '$endsWithi', '$contains', '$containsi'],
  ...['$notContains', '$notContainsi', '$jsonSupersetOf'],
]
export const isOperator = (name: string): boolean => groupWords.includes(name) || attributeWords.includes(name)

/** The tables that a condition has gone through, in the order in which they are joined. */
export class Joins {
  readonly #writing: Writing
  readonly parts: Sql[] = []
  #count = 0

  constructor(writing: Writing) {
    this.#writing = writing
  }

  /** Joins what a link leads to: gives the alias of its rows. */
  follow(alias: string, link: Link, target: Model): string {
    const { storage } = link
    const rows = this.#next()
    const own = this.#writing.column(alias, 'id')
    if (storage.via === 'column') {
      this.#join(target.table, rows, [
        `${this.#writing.column(rows, 'id')} = ${this.#writing.column(alias, storage.column)}`,
      ])
      return rows
    }
    const from = storage.via === 'target' ? storage.column : storage.from
    const isDirect = storage.via === 'target'
    const matches = Object.entries(storage.match).map(([column, value]) =>
      sql(`${this.#writing.column(rows, column)} = ?`, value),
    )
    this.#join(isDirect ? target.table : storage.table, rows, [`${this.#writing.column(rows, from)} = ${own}`], matches)
    if (isDirect) return rows
    const behind = this.#next()
    this.#join(target.table, behind, [
      `${this.#writing.column(behind, 'id')} = ${this.#writing.column(rows, storage.to)}`,
    ])
    return behind
  }

  #next(): string {
    this.#count += 1
    return `j${this.#count}`
  }

  #join(table: string, alias: string, on: readonly string[], more: readonly Sql[] = []): void {
    const all = joined([...on.map(text => sql(text)), ...more], ' and ')
    this.parts.push(sql(` left join ${this.#writing.name(table)} ${alias} on ${all.text}`, ...all.values))
  }
}

/** Writes `where` as the condition of a statement. */
export class Conditions {
  readonly #models: Models
  readonly #writing: Writing

  constructor(models: Models, writing: Writing) {
    this.#models = models
    this.#writing = writing
  }

  /**
   * The condition on the rows of an alias. Where it goes through links, the rows are those of a query of their own: a row
   * then comes once, however many linked ones meet the condition.
   */
  on(model: Model, alias: string, where: readonly unknown[]): Sql {
    const joins = new Joins(this.#writing)
    const inner = `${alias}_w`
    const given = where.filter(one => one !== undefined && one !== null)
    const condition = this.#all(model, alias, given, joins)
    if (joins.parts.length === 0) return condition
    const again = new Joins(this.#writing)
    const own = this.#all(model, inner, given, again)
    const id = this.#writing.column(inner, 'id')
    const body = joined([sql(`select ${id} from ${this.#writing.name(model.table)} ${inner}`), ...again.parts], '')
    const whole = joined([body, own], ' where ')
    const text = `${this.#writing.column(alias, 'id')} in (${whole.text})`
    return { text, values: whole.values, isJoined: true }
  }

  #all(model: Model, alias: string, where: readonly unknown[], joins: Joins): Sql {
    return grouped(
      where.map(one => this.#where(model, alias, one, joins)).filter(part => part !== everything),
      'and',
    )
  }

  #where(model: Model, alias: string, where: unknown, joins: Joins): Sql {
    if (Array.isArray(where)) return this.#all(model, alias, where, joins)
    if (!isPlain(where)) return everything
    const parts = Object.entries(where).map(([name, value]) => this.#one(model, alias, [name, value], joins))
    return grouped(
      parts.filter(part => part !== everything),
      'and',
    )
  }

  #one(model: Model, alias: string, [name, value]: readonly [string, unknown], joins: Joins): Sql {
    if (name === '$and' || name === '$or') {
      const items = Array.isArray(value) ? value : [value]
      const parts = items.map(item => this.#where(model, alias, item, joins)).filter(part => part !== everything)
      return grouped(parts, name === '$and' ? 'and' : 'or')
    }
    if (name === '$not') {
      const inner = this.#where(model, alias, value, joins)
      return sql(`not (${inner.text})`, ...inner.values)
    }
    const link = model.links.get(name)
    if (link) return this.#link(link, alias, value, joins)
    return this.#attribute(model.columns.get(name) ?? unknownColumn(name), alias, value)
  }

  /** A condition on what a link leads to, on its id unless it names attributes. */
  #link(link: Link, alias: string, value: unknown, joins: Joins): Sql {
    const target = this.#models.target(link)
    if (!target)
      throw new Error(`Attribute ${link.name} leads to entries of several types, which no condition goes through`)
    const behind = joins.follow(alias, link, target)
    const [first = ''] = isPlain(value) ? Object.keys(value) : []
    const isOfId = !isPlain(value) || (isOperator(first) && !(groupWords.includes(first) && isNested(value[first])))
    if (isOfId) return this.#attribute(target.columns.get('id') as Column, behind, value)
    return this.#where(target, behind, value, joins)
  }

  #attribute(column: Column, alias: string, value: unknown): Sql {
    if (!isPlain(value)) return this.#operator(column, alias, Array.isArray(value) ? '$in' : '$eq', value)
    const parts = Object.entries(value).map(([word, operand]) => {
      if (!isOperator(word)) throw new Error(`Undefined attribute level operator ${word}`)
      return this.#operator(column, alias, word, operand)
    })
    return grouped(parts, 'and')
  }

  #operator(column: Column, alias: string, word: string, operand: unknown): Sql {
    const name = this.#writing.column(alias, column.column)
    if (operand === undefined)
      throw new Error(
        `Undefined binding(s) detected when compiling SELECT. Undefined column(s): [${alias}.${column.column}]`,
      )
    switch (word) {
      case '$not': {
        const inner = this.#attribute(column, alias, operand)
        return sql(`not (${inner.text})`, ...inner.values)
      }
      case '$and':
      case '$or': {
        const items = Array.isArray(operand) ? operand : [operand]
        const parts = items.map(item => this.#attribute(column, alias, item))
        return grouped(parts, word === '$and' ? 'and' : 'or')
      }
      case '$null':
        return sql(`${name} is ${operand ? '' : 'not '}null`)
      case '$notNull':
        return sql(`${name} is ${operand ? 'not ' : ''}null`)
      case '$in':
      case '$notIn':
        return this.#in(column, name, asList(operand), word === '$notIn')
      case '$between': {
        const [least, most] = asList(operand)
        return sql(`${name} between ? and ?`, this.#value(column, least), this.#value(column, most))
      }
      default:
        return word in comparisons
          ? this.#compared(column, name, word, operand)
          : this.#text(column, name, [word, operand])
    }
  }

  #compared(column: Column, name: string, word: string, operand: unknown): Sql {
    if (Array.isArray(operand) && (word === '$eq' || word === '$ne'))
      return this.#in(column, name, operand, word === '$ne')
    if (operand === null && word === '$eq') return sql(`${name} is null`)
    if (operand === null && word === '$ne') return sql(`${name} is not null`)
    if (isNoId(column, operand)) return word === '$ne' ? sql(`${name} is not null`) : nothing
    return sql(`${name} ${comparisons[word]} ?`, this.#value(column, operand))
  }

  #in(column: Column, name: string, operands: readonly unknown[], isDenied: boolean): Sql {
    const known = operands.filter(operand => operand !== null && operand !== undefined && !isNoId(column, operand))
    if (known.length === 0) return isDenied ? everythingStated : nothing
    const list = this.#writing.list(known.map(operand => this.#value(column, operand)))
    return sql(`${name} ${isDenied ? 'not in' : 'in'} ${list.text}`, ...list.values)
  }

  #text({ as }: Column, name: string, [word, operand]: readonly [string, unknown]): Sql {
    if (operand === null && (word === '$eqi' || word === '$nei'))
      return sql(`${name} is ${word === '$nei' ? 'not ' : ''}null`)
    const isFolded = word.endsWith('i')
    const shape = isFolded ? word.slice(0, -1) : word
    const isDenied = shape === '$ne' || shape === '$notContains'
    const [before, after] = patterns[shape] ?? []
    if (before === undefined) throw new Error(`Undefined attribute level operator ${word}`)
    const text = this.#writing.asText(name, as)
    const column = isFolded ? `lower(${text})` : text
    const place = isFolded ? 'lower(?)' : '?'
    return sql(`${column} ${isDenied ? 'not like' : 'like'} ${place}`, `${before}${String(operand)}${after}`)
  }

  #value(column: Column, value: unknown): unknown {
    if (column.attribute.type === 'unknown') return value instanceof Date ? value.getTime() : value
    return bound(this.#writing.store, column, value)
  }
}

/** True and unlike a missing condition: an empty list that denies nothing. */
const everythingStated = sql('1 = 1')

const comparisons: Readonly<Record<string, string>> = {
  $eq: '=',
  $ne: '<>',
  $gt: '>',
  $gte: '>=',
  $lt: '<',
  $lte: '<=',
}

const patterns: Readonly<Record<string, readonly [string, string]>> = {
  $eq: ['', ''],
  $ne: ['', ''],
  $contains: ['%', '%'],
  $notContains: ['%', '%'],
  $startsWith: ['', '%'],
  $endsWith: ['%', ''],
}

/** The database itself says that there is no such column. */
const unknownColumn = (name: string): Column => ({ name, column: name, as: 'text', attribute: { type: 'unknown' } })

const asList = (operand: unknown): readonly unknown[] => (Array.isArray(operand) ? operand : [operand])

/** A text that can be no id meets no comparison, on every engine. */
const isNoId = ({ attribute: { type } }: Column, value: unknown): boolean =>
  type === 'increments' && !(typeof value === 'number' ? Number.isFinite(value) : /^-?\d+(\.\d+)?$/.test(String(value)))

/** A group whose conditions name attributes. */
const isNested = (group: unknown): boolean =>
  [group].flat().some(one => isPlain(one) && Object.keys(one).some(name => !isOperator(name) || isNested(one[name])))
