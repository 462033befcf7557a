import type { FieldNode, GraphQLFormattedError } from 'graphql'
import type { OwnShape } from '../../../core/plugin-kit.js'
import type { FieldMeaning } from '../meaning.js'
import type { Need } from './needs.js'

/** A root of an operation, ready to run for callers of one scope. */
export interface BoundRoot {
  /** Its key in the response. */
  readonly key: string
  readonly meaning: FieldMeaning
  readonly args: Readonly<Record<string, unknown>>
  readonly node: FieldNode
  /** The columns and populated attributes that the selection needs. */
  readonly need: Need
  /** The same as parameters of REST: `fields` and `populate`. */
  readonly query: Readonly<Record<string, unknown>>
  /** Makes the text that `unsealed` reads: of one entry the value of the root, of a list that of its `data`. */
  readonly shape: OwnShape
}

/** The JSON text of a root's value, and the errors that belong to it. */
export interface RootResult {
  readonly text: string
  readonly errors: readonly GraphQLFormattedError[]
}

/** Values of a response with the errors met while they were made. */
export const sealed = (errors: readonly GraphQLFormattedError[], ...values: readonly unknown[]): unknown => [
  errors.length > 0 ? errors : 0,
  ...values,
]

const withoutErrors = '[0,'

/** The one value of a sealed text, which is taken out of it as it stands where nothing went wrong. */
export function unsealed(text: string): RootResult {
  if (text.startsWith(withoutErrors)) return { text: text.slice(withoutErrors.length, -1), errors: [] }
  const { texts, errors } = allUnsealed(text)
  return { text: texts[0] ?? 'null', errors }
}

/** The values of a sealed text. */
export function allUnsealed(text: string): { texts: readonly string[]; errors: RootResult['errors'] } {
  const [errors, ...values] = JSON.parse(text) as [0 | RootResult['errors'], ...unknown[]]
  return { texts: values.map(value => JSON.stringify(value)), errors: errors === 0 ? [] : errors }
}
