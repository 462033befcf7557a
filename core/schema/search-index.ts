import { createHash } from 'node:crypto'
import { BootError } from '../errors.js'
import { nearest } from '../kit/nearest.js'
import type { Field, SearchedField, SearchIndex, TypeOutline } from './types.js'

/** Tables and triggers of search indexes have names that begin so. */
export const searchPrefix = 'stele_search_'

/** PostgreSQL tells four weights from each other. */
const mostWeights = 4

/** The index that `search` of a schema file asks for: only texts that every reader of the type may see can be in it. */
export function searchIndexOf(outline: TypeOutline, fields: ReadonlyMap<string, Field>): SearchIndex | undefined {
  const { searched, source, kind, table } = outline
  if (searched.length === 0) return undefined
  const refuse = (sentence: string) => new BootError(`${source}: search ${sentence}`)
  if (kind !== 'collectionType') throw refuse('is for collection types, whose entries are listed; leave it out')
  const found = searched.map((wish): SearchedField => {
    const [name = '', weight = '1'] = wish.split('^')
    const field = fields.get(name)
    const reason = field ? reasonAgainst(field) : unknown(name, fields)
    if (!field || reason !== undefined) throw refuse(`names "${name}", ${reason}`)
    return { name, column: field.column, weight: Number(weight) }
  })
  const names = found.map(({ name }) => name)
  const double = names.find((name, index) => names.indexOf(name) !== index)
  if (double !== undefined) throw refuse(`names "${double}" twice; name it once, with one weight`)
  if (new Set(found.map(({ weight }) => weight)).size > mostWeights)
    throw refuse(`has more than ${mostWeights} different weights; give some attributes the same one`)
  return { name: indexName(table), table, fields: found, isComplete: false }
}

function reasonAgainst({ type, attribute, readable }: Field): string | undefined {
  if (type.operators !== 'text') return `which has the type ${type.name}; only texts have words`
  if (!readable) return 'which is private; a search would tell what is in it'
  if (attribute.searchable === false) return 'which has "searchable": false; remove one of the two'
  return undefined
}

function unknown(name: string, fields: ReadonlyMap<string, Field>): string {
  const texts = [...fields.values()].filter(field => reasonAgainst(field) === undefined).map(field => field.name)
  const meant = nearest(name, texts)
  const advice = meant === undefined ? `its texts are ${texts.join(', ') || 'none'}` : `did you mean "${meant}"?`
  return `which is not an attribute of the type; ${advice}`
}

/** Engines limit the length of names, and triggers add to it. The end keeps it from being that of a table that FTS5 makes for another. */
function indexName(table: string): string {
  const name = `${searchPrefix}${table}_words`
  return name.length <= 52 ? name : `${name.slice(0, 43)}_${createHash('sha1').update(name).digest('hex').slice(0, 8)}`
}
