import type { Representation } from '../../schema/representation.js'
import { parseJson } from '../server/json.js'
import { fullTime, shortTime } from '../server/time.js'
import { clockAt, instantOf, type Zone } from '../server/zone.js'
import type { Values } from '../values.js'

/** Their columns. */
export const types: Record<Representation | 'order', string> = {
  id: 'integer',
  text: 'varchar(255)',
  longtext: 'text',
  integer: 'integer',
  bigint: 'bigint',
  decimal: 'numeric(10,2)',
  float: 'double precision',
  boolean: 'boolean',
  date: 'date',
  time: 'time(3)',
  datetime: 'timestamp(6)',
  timestamp: 'timestamp(6)',
  json: 'jsonb',
  order: 'double precision',
}

export function valuesOf(zone: Zone): Values {
  const values: Values = {
    columnType: as => types[as],
    place,
    encode(as: Representation, value: unknown): unknown {
      if (value === null || value === undefined) return null
      return as === 'datetime' || as === 'timestamp' ? clockAt(value as number, zone) : value
    },
    decode(as: Representation, value: unknown): unknown {
      if (value === null || value === undefined) return null
      switch (as) {
        case 'decimal':
        case 'float':
        case 'integer':
        case 'id':
          return Number(value)
        case 'datetime':
        case 'timestamp':
          return instantOf(String(value), zone)
        case 'time':
          return fullTime(value)
        case 'json':
          return parseJson(value)
        default:
          return value
      }
    },
    printed: (as: Representation, value: unknown): unknown =>
      as === 'time' && typeof value === 'string' ? shortTime(value) : values.decode(as, value),
  }
  return values
}

function place(as: Representation, value: unknown): string {
  return as === 'integer' && !Number.isSafeInteger(value) ? '?::double precision' : `?::${casts[as]}`
}

/** Types to cast values to, where the database would guess wrongly. */
export const casts: Record<Representation, string> = {
  id: 'bigint',
  text: 'text',
  longtext: 'text',
  integer: 'bigint',
  bigint: 'bigint',
  decimal: 'numeric',
  float: 'double precision',
  boolean: 'boolean',
  date: 'date',
  time: 'time',
  datetime: 'timestamp',
  timestamp: 'timestamp',
  json: 'jsonb',
}
