import { type ConditionState, emptyGroup, type FilterState, type GroupState } from '../../../pages/values/filters.js'

/**
 * Filters as a part of an address, in signs that an address may have as they are:
 * `author:eq:2,any(rating:gte:4,title:containsi:bread)`.
 */
export function filterText(group: GroupState): string {
  return isPlain(group) ? group.rows.map(rowText).join(',') : rowText(group)
}

/** The filters of an address. What cannot be read is left out: people shorten and change addresses. */
export function filtersIn(text: string): GroupState {
  const rows = new Reader(text).rows()
  const [first] = rows
  return rows.length === 1 && first?.kind === 'group' ? first : { ...emptyGroup, rows }
}

const isPlain = ({ join, not }: GroupState): boolean => join === '$and' && !not

const names = { $and: 'all', $or: 'any', 'not $and': 'notall', 'not $or': 'none' } as const

function rowText(row: FilterState): string {
  if (row.kind === 'group') {
    const name = names[`${row.not ? 'not ' : ''}${row.join}` as keyof typeof names]
    return `${name}(${row.rows.map(rowText).join(',')})`
  }
  return [row.path.map(encoded).join('.'), row.operator.replace('$', ''), ...row.values.map(encoded)].join(':')
}

/** Signs that belong to the form of the text are encoded, too; half of a pair of surrogates cannot be. */
const encoded = (text: string): string =>
  encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '\ufffd')).replaceAll(
    /[!'()*.]/g,
    sign => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )

/** Groups are as deep as the page can show, and a broken address has as many as it likes. */
const deepest = 4

class Reader {
  readonly #tokens: readonly string[]
  #at = 0

  constructor(text: string) {
    this.#tokens = text.match(/[(),]|[^(),]+/g) ?? []
  }

  /** The rows up to the end of their group, or of the text: the last bracket gets lost easily. */
  rows(depth = 0): FilterState[] {
    const rows: FilterState[] = []
    while (this.#at < this.#tokens.length) {
      const token = this.#next()
      if (token === ')') break
      if (token === ',' || token === '(') continue
      const row = this.#tokens[this.#at] === '(' ? this.#group(token, depth) : condition(token)
      if (row) rows.push(row)
    }
    return rows
  }

  #next(): string {
    const token = this.#tokens[this.#at] as string
    this.#at += 1
    return token
  }

  #group(name: string, depth: number): GroupState | undefined {
    this.#at += 1
    if (depth >= deepest) {
      this.#at = this.#tokens.length
      return undefined
    }
    const rows = this.rows(depth + 1)
    const [key] = Object.entries(names).find(([, known]) => known === name) ?? []
    if (key === undefined || rows.length === 0) return undefined
    return { kind: 'group', join: key.endsWith('$or') ? '$or' : '$and', not: key.startsWith('not'), rows }
  }
}

function condition(token: string): ConditionState | undefined {
  const [path = '', operator = '', ...values] = token.split(':')
  if (path === '' || !/^\w+$/.test(operator)) return undefined
  try {
    return {
      kind: 'condition',
      path: path.split('.').map(decodeURIComponent),
      operator: `$${operator}`,
      values: values.map(decodeURIComponent),
    }
  } catch {
    return undefined
  }
}
