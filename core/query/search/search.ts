import { InvalidParameter } from '../../errors.js'
import type { Representation } from '../../schema/representation.js'
import type { Field, SearchIndex } from '../../schema/types.js'
import { isObject, type Raw } from '../raw.js'
import { all, any, type Condition, idField, negate, type QueryNode } from '../tree.js'
import { type QueryPlace, readableFields } from '../visitor.js'
import { withMarks } from './marks.js'
import { byRank, matchesIn, rankField } from './rank.js'
import { readSearchTerms } from './terms.js'

/** `_q=text`: entries with the text in any of the readable columns that are searched, whatever the case. */
export function readSearch(raw: unknown, place: QueryPlace): Condition | undefined {
  const { type, path, visitor } = place
  if (raw === undefined || raw === '') return undefined
  if (typeof raw !== 'string') throw new InvalidParameter(path, 'takes the text to look for')
  if (raw.length > 1000) throw new InvalidParameter(path, 'is longer than 1000 characters')
  if (raw.includes('\0')) throw new InvalidParameter(path, 'must not contain a null byte')
  if (type.search) return indexedSearch(raw, type.search, place)
  const { searchNumbers } = visitor.ask.dialect
  const isNumber = searchNumbers && !Number.isNaN(Number(raw))
  const searched = readableFields(type).filter(
    field => field.attribute.searchable !== false && (isText(field) || (isNumber && holdsNumbers(field))),
  )
  return contained(raw, searchNumbers ? [idField, ...searched] : searched, place)
}

/** A text anywhere in one of these columns. */
function contained(text: string, fields: readonly Field[], { visitor, path }: QueryPlace): Condition {
  const { literalWildcards } = visitor.ask.dialect
  return any(
    ...fields.map((field): Condition => {
      visitor.budget.spend('conditions', path)
      return {
        kind: 'compare',
        field,
        operator: 'like',
        values: [text],
        pattern: { open: 'both', ignoreCase: true, wildcards: literalWildcards ? 'none' : 'underscore' },
      }
    }),
  )
}

/** Words of indexed texts. Where the index is not there yet, or has more than the caller may read, texts are read instead. */
function indexedSearch(raw: string, index: SearchIndex, place: QueryPlace): Condition {
  const { type, path, visitor } = place
  const terms = readSearchTerms(raw, path)
  const readable = index.fields.flatMap(({ name }) => {
    const field = type.fields.get(name)
    return field?.readable ? [field] : []
  })
  if (readable.length === index.fields.length && index.isComplete) {
    visitor.budget.spend('conditions', path, terms.length)
    return { kind: 'matches', index, terms }
  }
  return all(
    ...terms.map(({ text, isExcluded }) => {
      if (!isExcluded) return contained(text, readable, place)
      return all(...readable.map(field => any(isNull(field), negate(contained(text, [field], place)))))
    }),
  )
}

const isNull = (field: Field): Condition => ({ kind: 'compare', field, operator: 'null', values: [] })

/** The node with the best matches first, if that order is asked for or no other is, and with the texts that are marked. */
export function ranked(unranked: QueryNode, raw: Raw, { visitor }: Pick<QueryPlace, 'visitor'>): QueryNode {
  const matches = matchesIn(unranked.where)
  const node = unranked.marks ? withMarks(unranked, raw, matches !== undefined) : unranked
  const { pagination } = raw
  if (!matches && node.order.some(({ field }) => field === rankField))
    throw new InvalidParameter(
      ['sort'],
      '_rank orders what _q finds by an index; send _q, or sort by a field: some of the attributes that are searched may not be readable, or the index is not built yet',
    )
  // The rank of an entry changes with other entries, so no cursor can name it.
  const hasCursor = isObject(pagination) && ['after', 'before'].some(key => Object.hasOwn(pagination, key))
  const isByRank = matches && node.order.length === 0 && !hasCursor && visitor.ask.dialect.rankedSearch
  return isByRank ? { ...node, order: [byRank] } : node
}

const isText = ({ type }: Field): boolean => type.operators === 'text'
const holdsNumbers = ({ type }: Field): boolean => numbers.includes(type.as)
const numbers: readonly Representation[] = ['integer', 'bigint', 'decimal', 'float']
