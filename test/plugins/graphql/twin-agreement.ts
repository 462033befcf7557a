import { isDeepStrictEqual } from 'node:util'
import type { OpenProject } from '../../strapi4/project.js'
import { operationRequest } from './replay.js'
import { factsOf, type Twin } from './twin.js'
import { Unjudged } from './twin-conditions.js'

interface Asked {
  readonly auth: string
  readonly query: string
  readonly variables?: Readonly<Record<string, unknown>>
  readonly operationName?: string
}

/** The difference between an answer and that of the twin: undefined for none, null where the twin cannot tell. */
export async function disagreement(project: OpenProject, twin: Twin, asked: Asked): Promise<string | undefined | null> {
  const slow = await twin.answer(asked)
  if (slow.errors?.some(({ originalError }) => originalError instanceof Unjudged)) return null
  const { payload, statusCode } = await project.send(operationRequest({ id: 0, group: '', status: 200, ...asked }))
  const answer = JSON.parse(payload)
  const [expected, got] = [factsOf(slow), factsOf(answer)]
  // The order of keys is that of the document.
  // Once there is no data, graphql-js tells no more errors.
  const known = expected.data === null ? got.errors.filter(error => expected.errors.includes(error)) : got.errors
  if (statusCode === 200 && JSON.stringify(expected) === JSON.stringify({ ...got, errors: known })) return undefined
  const part = isDeepStrictEqual(expected.data, got.data) ? 'errors' : 'data'
  return `${asked.auth} ${asked.query} ${JSON.stringify(asked.variables ?? {})}\n  ${statusCode} ${firstOf(expected[part], got[part])}\n  ${told(slow.errors)} | ${told(answer.errors)}`
}

const told = (errors: readonly { message: string }[] | undefined): string =>
  (errors ?? [])
    .slice(0, 2)
    .map(({ message }) => message)
    .join(', ')

export function firstOf(expected: unknown, got: unknown): string {
  const [a, b] = [JSON.stringify(expected), JSON.stringify(got)]
  let at = 0
  while (at < a.length && a[at] === b[at]) at += 1
  const part = (text: string) => text.slice(Math.max(0, at - 80), at + 120)
  return `expected …${part(a)}… and got …${part(b)}…`
}
