import type { Session } from '../engines/engine.js'
import type { LinkStorage } from '../schema/types.js'
import type { Question } from './asked-rows.js'
import type { CheckedRelation } from './input.js'
import { mostAsked, type Statements } from './statements.js'

/** Of relations that are written, the last place that is taken in the list of each target, where that is known already. */
export type Places = ReadonlyMap<CheckedRelation, ReadonlyMap<number, number> | undefined>

/** The end of the list of a target, in which the link of a relation is to stand. */
export interface Placing {
  readonly relation: CheckedRelation
  readonly id: number
  readonly question: Question
}

type LinkRows = Extract<LinkStorage, { via: 'table' }>

/** The last place that is taken in the list of a target: one look at the end of an index. */
const lastPlace = ({ table, to, inverseOrder = '' }: LinkRows, id: number): Question => ({
  ...{ table, match: { [to]: id }, last: inverseOrder },
})

/** The last places of the lists of these targets. */
export async function lastPlaces(
  statements: Statements,
  session: Session,
  rows: LinkRows,
  ids: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const questions = ids.map(id => lastPlace(rows, id))
  const results = await allResults(statements, session, questions)
  return new Map(ids.map((id, at) => [id, Number(results[at] ?? 0)]))
}

/** The questions for the places of links of these relations in the lists of others. */
export const placings = (relations: readonly CheckedRelation[]): Placing[] =>
  relations.flatMap(relation => {
    const { link, change } = relation
    const { storage: rows, exclusive } = link
    const targets = change.kind === 'set' ? change.targets : change.connect
    const isPlaced = rows.via === 'table' && rows.inverseOrder !== undefined && link.targets !== undefined
    if (!isPlaced || exclusive) return []
    return [...new Set(targets.map(({ id }) => id))].map(id => ({ relation, id, question: lastPlace(rows, id) }))
  })

/** The places that the results of their questions tell. */
export function placesFrom(placings: readonly Placing[], results: readonly unknown[]): Places {
  const places = new Map<CheckedRelation, Map<number, number>>()
  for (const [at, { relation, id }] of placings.entries()) {
    const known = places.get(relation) ?? new Map()
    places.set(relation, known.set(id, Number(results[at] ?? 0)))
  }
  return places
}

/** The places of all relations of a new entry, instead of one statement for each. */
export async function placesOf(
  statements: Statements,
  session: Session,
  relations: readonly CheckedRelation[],
): Promise<Places> {
  const wanted = placings(relations)
  const questions = wanted.map(({ question }) => question)
  return placesFrom(wanted, await allResults(statements, session, questions))
}

/** The results of any number of questions, of which one statement takes only so many. */
async function allResults(
  statements: Statements,
  session: Session,
  questions: readonly Question[],
): Promise<unknown[]> {
  const results: unknown[] = []
  for (let from = 0; from < questions.length; from += mostAsked)
    results.push(...(await statements.resultsOf(session, questions.slice(from, from + mostAsked))))
  return results
}
