import type { EngineName } from '../support/engine-choice.js'

/** Recorded answers that are given otherwise on purpose. Each entry must differ still: a list that says too much hides what happens later. */
export interface Exception {
  /** Ids of recorded.jsonl. */
  readonly reads?: readonly number[]
  /** Steps of recorded-writes.jsonl, by script. */
  readonly steps?: Readonly<Record<string, readonly number[]>>
  /** The number of the decision that it follows from, if it is not a row of the page of differences alone. */
  readonly decision?: number
  readonly why: string
  readonly only?: readonly EngineName[]
}

export const exceptions: readonly Exception[] = [
  {
    decision: 17,
    why: 'a name in filters that does not exist is refused; Strapi 4 answers as if nothing had been asked',
    reads: [264, 265, 266, 400, 420],
  },
  {
    decision: 17,
    why: '$jsonSupersetOf is not an operator of the API; Strapi 4 hands it to PostgreSQL',
    reads: [404],
    only: ['postgres'],
  },
  {
    decision: 8,
    why: 'limit inside a populate is the limit of each parent; Strapi 4 shares it among all of them',
    reads: [523],
  },
  { decision: 15, why: 'lists of more than 100 values are lists', reads: [739, 744] },
  { decision: 34, why: 'a query may nest as deep as its cost allows', reads: [746] },
  {
    decision: 13,
    why: 'a name to sign in with is compared as MariaDB compares: without letter case',
    steps: { 'auth-local': [2] },
    only: ['mysql'],
  },
  {
    decision: 4,
    why: 'a position that says two things or nonsense is refused; Strapi 4 takes it for the start or the end',
    // Two of them go well, on a list in which others are missing for that.
    steps: { 'relations-update': [15, 16, 17, 18, 19] },
  },
  { decision: 4, why: 'connect on media is refused; Strapi 4 does nothing', steps: { 'media-fields': [4] } },
  {
    why: 'a role lists the actions publish and unpublish, which Strapi 4 has in its panel only',
    reads: [693, 695],
    steps: { 'roles-crud': [4] },
  },
]

const on = (engine: EngineName): readonly Exception[] => exceptions.filter(({ only }) => !only || only.includes(engine))

export const differentReads = (engine: EngineName): number[] => on(engine).flatMap(({ reads = [] }) => reads)

export const differentSteps = (engine: EngineName, script: string): number[] =>
  on(engine).flatMap(({ steps = {} }) => steps[script] ?? [])
