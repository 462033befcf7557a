import type { Loose } from '../../types.js'

const has = (key: string): boolean => Object.hasOwn(process.env, key)
const text = (key: string): string => process.env[key] ?? ''

/** A reader of a variable that is there: of one that is not, the fallback is given. */
const reader =
  (read: (value: string) => Loose) =>
  (key: string, fallback?: Loose): Loose =>
    has(key) ? read(text(key)) : fallback

function json(value: string, key: string): Loose {
  try {
    return JSON.parse(value)
  } catch (cause) {
    throw new Error(`the environment variable ${key} is not valid JSON: ${(cause as Error).message}`, { cause })
  }
}

/** The items of `a,b` or `['a', 'b']`. */
const list = (value: string): string[] =>
  value
    .replace(/^\[|\]$/g, '')
    .split(',')
    .map(item => item.trim().replace(/^["']|["']$/g, ''))

/** `env(key, fallback)` with the readers that files of `config/` use. */
export const env = Object.assign((key: string, fallback?: Loose): Loose => (has(key) ? text(key) : fallback), {
  int: reader(value => Number.parseInt(value, 10)),
  float: reader(value => Number.parseFloat(value)),
  bool: reader(value => value === 'true'),
  json: (key: string, fallback?: Loose): Loose => (has(key) ? json(text(key), key) : fallback),
  array: reader(list),
  date: reader(value => new Date(value)),
  oneOf: (key: string, values: readonly Loose[], fallback?: Loose): Loose => {
    if (!values) throw new Error(`env.oneOf("${key}") needs the list of its values`)
    if (fallback && !values.includes(fallback)) throw new Error(`env.oneOf("${key}"): the default is not in the list`)
    const value = env(key, fallback)
    return values.includes(value) ? value : fallback
  },
})
