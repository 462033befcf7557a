import { type Environment, variableOf } from './variable.js'

/** The `env` that config files are called with; a number that is none reads as NaN, which the check reports. */
export interface Env {
  (name: string): string | undefined
  <T>(name: string, fallback: T): string | T
  int<T = undefined>(name: string, fallback?: T): number | T
  float<T = undefined>(name: string, fallback?: T): number | T
  bool<T = undefined>(name: string, fallback?: T): boolean | T
  json<T = undefined>(name: string, fallback?: T): unknown
  array<T = undefined>(name: string, fallback?: T): string[] | T
  date<T = undefined>(name: string, fallback?: T): Date | T
  oneOf<T = undefined>(name: string, accepted: readonly string[], fallback?: T): string | T
}

/** The value that a file got for a variable. */
export interface VariableReading {
  readonly name: string
  readonly text: string
  readonly value: unknown
}

/** `heard` is called with every variable that is set and asked for, so that an error can name it. */
export function makeEnv(environment: Environment, heard: (reading: VariableReading) => void = () => {}): Env {
  const text = (name: string): string | undefined => variableOf(environment, name)
  const as =
    <V>(convert: (text: string, name: string) => V) =>
    (name: string, fallback?: unknown): V => {
      const found = text(name)
      if (found === undefined) return fallback as V
      const value = convert(found, name)
      heard({ name, text: found, value })
      return value
    }
  const readers = {
    int: as(value => Number.parseInt(value, 10)),
    float: as(value => Number.parseFloat(value)),
    bool: as(value => value === 'true'),
    json: as(readJson),
    array: as(readArray),
    date: as(value => new Date(value)),
    oneOf: (name: string, accepted: readonly string[], fallback?: unknown) => {
      if (!Array.isArray(accepted)) throw new Error(`env.oneOf('${name}') needs the list of accepted values`)
      if (fallback !== undefined && !accepted.includes(fallback as string)) {
        throw new Error(`env.oneOf('${name}'): the default is not one of the accepted values`)
      }
      const value = text(name)
      return value !== undefined && accepted.includes(value) ? value : fallback
    },
  }
  return Object.assign(
    as(value => value),
    readers,
  ) as Env
}

function readJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new Error(`the environment variable ${name} is not JSON`, { cause })
  }
}

/** `a, b`, `[a,b]` and `["a","b"]` are the same list. */
function readArray(text: string): string[] {
  const list = text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text
  return list.split(',').map(item => item.trim().replace(/^"+|"+$/g, ''))
}
