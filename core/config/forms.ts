/** A JSON schema whose `description` ends the sentence "expected ...". */
export interface Schema {
  readonly description: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly [keyword: string]: unknown
}

/** The form of a value: how files and variables write it, and what the server reads. */
export interface Form<V> {
  /** The JSON schema of the value in a file. */
  readonly schema: Schema
  /** Converts the value of a file; absent if the server reads it as it is. */
  read?(said: unknown): V
  /** Converts the text of a variable; undefined means that the text is not accepted. */
  readonly fromText?: (text: string) => V | undefined
  /** The accepted texts of a variable, if files accept more. */
  readonly accepts?: string
  /** The text of the variable must not reach an error. */
  readonly isSecret?: boolean
}

export const flag: Form<boolean> = {
  schema: { type: 'boolean', description: 'true or false' },
  fromText: text => (text === 'true' ? true : text === 'false' ? false : undefined),
}

export const text: Form<string> = { schema: { type: 'string', description: 'text' }, fromText: text => text }
export const secretText: Form<string> = { ...text, isSecret: true }
export const texts: Form<readonly string[]> = {
  schema: { type: 'array', items: text.schema, description: 'a list of texts' },
}

export const milliseconds = integer(0, 'a number of milliseconds')
export const seconds = integer(0, 'a number of seconds')
export const bytes = integer(0, 'a number of bytes')
export const count = integer(1, 'an integer from 1')

export const share: Form<number> = {
  schema: { type: 'number', minimum: 0, maximum: 1, description: 'a number from 0 to 1' },
  fromText: text => (/^(0(\.\d+)?|1(\.0+)?)$/.test(text) ? Number(text) : undefined),
}

// Files that say env('PORT', 1337) give a number or, once the variable is set, text.
export const port: Form<number> = {
  schema: {
    type: ['integer', 'string'],
    minimum: 0,
    maximum: 65535,
    pattern: '^([0-9]{1,4}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])$',
    description: 'a port from 0 to 65535',
  },
  read: Number,
  fromText: text => (/^\d{1,5}$/.test(text) && Number(text) <= 65535 ? Number(text) : undefined),
}

export function integer(minimum: number, description: string): Form<number> {
  return { schema: { type: 'integer', minimum, description } }
}

export function oneOf<const V extends string>(values: readonly V[]): Form<V> {
  return {
    schema: { enum: values, description: `one of ${values.join(', ')}` },
    fromText: text => values.find(value => value === text),
  }
}

/** A form that only files write. */
export function form<V>(schema: Schema, read?: (said: never) => V): Form<V> {
  return { schema, ...(read && { read }) }
}

export function objectOf(properties: Record<string, Schema>): Schema {
  return { type: 'object', properties, additionalProperties: false, description: 'an object' }
}
