import { type DialectName, dialects } from '../dialect.js'
import { BootError } from '../errors.js'
import { type Address, addresses, readAddress } from './address.js'
import { engineOf } from './engines.js'
import type { Environment } from './env.js'
import { type Engine, type LogLevel, logLevels } from './types.js'

/** What the environment may set where no file does. */
export interface Variables {
  HOST: string
  PORT: number
  DATABASE_CLIENT: Engine
  DATABASE_FILENAME: string
  DATABASE_HOST: string
  DATABASE_PORT: number
  DATABASE_NAME: string
  DATABASE_USERNAME: string
  DATABASE_PASSWORD: string
  DATABASE_SSL: boolean
  DATABASE_URL: Address
  STELE_REST_DIALECT: DialectName
  LOG_LEVEL: LogLevel
}

/** The value of a variable, undefined where it is not set or empty. Read only when needed: no file, no question. */
export type ReadVariable = <N extends keyof Variables>(name: N) => Variables[N] | undefined

interface Reader<V> {
  readonly accepts: string
  read(text: string): V | undefined
}

const anyText: Reader<string> = { accepts: 'text', read: text => text }
const port: Reader<number> = {
  accepts: 'a port from 0 to 65535',
  read: text => (/^\d{1,5}$/.test(text) && Number(text) <= 65535 ? Number(text) : undefined),
}
const flag: Reader<boolean> = {
  accepts: 'true or false',
  read: text => (text === 'true' ? true : text === 'false' ? false : undefined),
}

const readers: { readonly [N in keyof Variables]: Reader<Variables[N]> } = {
  HOST: anyText,
  PORT: port,
  DATABASE_CLIENT: { accepts: 'sqlite, mysql or postgres', read: engineOf },
  DATABASE_FILENAME: anyText,
  DATABASE_HOST: anyText,
  DATABASE_PORT: port,
  DATABASE_NAME: anyText,
  DATABASE_USERNAME: anyText,
  DATABASE_PASSWORD: anyText,
  DATABASE_SSL: flag,
  DATABASE_URL: { accepts: addresses, read: readAddress },
  STELE_REST_DIALECT: choice(Object.keys(dialects) as DialectName[]),
  LOG_LEVEL: choice(logLevels),
}

/** Variables that may hold a password: their text never reaches an error. */
const secret: readonly string[] = ['DATABASE_URL', 'DATABASE_PASSWORD']

export function variablesOf(environment: Environment): ReadVariable {
  return name => {
    const text = environment[name]
    if (text === undefined || text === '') return undefined
    const { accepts, read } = readers[name]
    const value = read(text)
    if (value !== undefined) return value
    const arrived = secret.includes(name) ? 'cannot be read' : `is ${JSON.stringify(text)}`
    throw new BootError(`The environment variable ${name} ${arrived}; right would be ${accepts}`)
  }
}

function choice<V extends string>(values: readonly V[]): Reader<V> {
  return { accepts: `one of ${values.join(', ')}`, read: text => values.find(value => value === text) }
}
