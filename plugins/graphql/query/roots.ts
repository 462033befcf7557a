import type { FieldNode, GraphQLField, GraphQLFormattedError } from 'graphql'
import type { Finished } from '../../../core/index.js'
import type { OwnShape } from '../../../core/plugin-kit.js'
import type { FieldMeaning, RootAround } from '../meaning.js'
import type { Need } from './needs.js'
import type { OwnField } from './own-fields.js'
import type { Seed } from './projector.js'

/** A root of an operation, ready to run for callers of one scope. */
export interface BoundRoot {
  /** Its key in the response. */
  readonly key: string
  readonly meaning: FieldMeaning
  readonly args: Readonly<Record<string, unknown>>
  readonly node: FieldNode
  readonly field: GraphQLField<unknown, unknown>
  /** The columns and populated attributes that the selection needs. */
  readonly need: Need
  /** The same as parameters of REST: `fields` and `populate`. */
  readonly query: Readonly<Record<string, unknown>>
  /** Makes the text that `unsealed` reads: of one entry the value of the root, of a list that of its `data`. */
  readonly shape: OwnShape
  /** The fields that functions answer. */
  readonly owns: readonly OwnField[]
  readonly around?: RootAround | undefined
}

/** The JSON text of a root's value, and the errors that belong to it. */
export interface RootResult {
  readonly text: string
  readonly errors: readonly GraphQLFormattedError[]
  /** Places that are still to be filled. */
  readonly seeds?: readonly Seed[]
}

/** The errors met while values were made, and the places in them that are still to be filled. */
interface Seal {
  readonly errors: readonly GraphQLFormattedError[]
  readonly seeds: readonly Seed[]
}

/** Values of a response with what is to be known of them. */
export const sealed = ({ errors, seeds }: Seal, ...values: readonly unknown[]): unknown => [
  errors.length > 0 || seeds.length > 0 ? { errors, seeds } : 0,
  ...values,
]

const withoutErrors = '[0,'

/** The one value of a sealed text, which is taken out of it as it stands where nothing went wrong. */
export function unsealed(text: string): RootResult {
  if (text.startsWith(withoutErrors)) return { text: text.slice(withoutErrors.length, -1), errors: [] }
  const { texts, ...seal } = allUnsealed(text)
  return { text: texts[0] ?? 'null', ...seal }
}

/** The values of a sealed text. */
export function allUnsealed(text: string): Seal & { readonly texts: readonly string[] } {
  const [seal, ...values] = JSON.parse(text) as [0 | Seal, ...unknown[]]
  return { texts: values.map(value => JSON.stringify(value)), ...(seal === 0 ? { errors: [], seeds: [] } : seal) }
}

/** The text of a response. */
export function textOf({ reply }: Finished): string {
  if (!('text' in reply)) throw new Error('a response that was asked for whole has a text')
  return String(reply.text)
}
