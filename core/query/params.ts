import { InvalidParameter } from '../errors.js'
import { print } from '../kit/print.js'
import type { JsonSchema } from '../schema/json-schema.js'
import type { ContentType } from '../schema/types.js'
import type { Action } from './ask.js'
import { readTruth } from './raw.js'

/** The settings that pages depend on. */
export interface Paging {
  readonly defaultLimit: number
  readonly maxLimit: number | null
  readonly withCount: boolean
}

/** A query parameter: how its text becomes a value, and where it applies. */
export interface Param<Value = unknown> {
  /** Takes the sent value and gives the typed one, or throws an error that says how to fix it. */
  readonly read: (raw: unknown, at: ParamPlace) => Value
  /** The value where the parameter is not sent. */
  readonly default?: Value
  /** The value where code asks for entries and does not say; `default` otherwise. */
  readonly byCode?: Value
  /** One line for `stele routes` and the documentation. */
  readonly describe?: string
  /** The actions that take it; every action of the content API otherwise. */
  readonly actions?: readonly Action[]
  /** Types that the plugin does not apply to take it as well: it may matter to types behind their links. */
  readonly everywhere?: boolean
  /** It may appear inside a populate, and applies there and below. */
  readonly nested?: boolean
  /** Some of its values ask for several entries where one is named by its type or a value: the response is a list then. */
  readonly several?: boolean
  /** A JSON schema of the sent value, for documents and forms. */
  readonly schema?: JsonSchema
}

export interface ParamPlace {
  readonly path: readonly string[]
  readonly type: ContentType
}

/** A parameter that takes one of a few words; the first is the default. */
export function oneOf<const Words extends readonly [string, ...string[]]>(...words: Words): Param<Words[number]> {
  return {
    describe: `one of ${words.join(', ')}`,
    default: words[0],
    schema: { type: 'string', enum: words },
    read(raw, { path }) {
      if (words.includes(raw as string)) return raw as Words[number]
      throw new InvalidParameter(path, `${print(raw)} is none of ${words.join(', ')}`)
    },
  }
}

/** A parameter that says yes or no. */
export function flag(fallback = false): Param<boolean> {
  return {
    describe: 'true or false',
    default: fallback,
    schema: { type: 'boolean' },
    read(raw, { path }) {
      const truth = readTruth(raw)
      if (truth === undefined) throw new InvalidParameter(path, `${print(raw)} is neither true nor false`)
      return truth
    },
  }
}
