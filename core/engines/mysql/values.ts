import type { Representation } from '../../schema/representation.js'
import { parseJson } from '../server/json.js'
import { fullTime } from '../server/time.js'
import { clockAt, instantOf, type Zone } from '../server/zone.js'
import type { Values } from '../values.js'

/** Their columns. */
export const types: Record<Representation | 'order', string> = {
  id: 'int unsigned',
  text: 'varchar(255)',
  longtext: 'longtext',
  integer: 'int',
  bigint: 'bigint',
  decimal: 'decimal(10,2)',
  float: 'double',
  boolean: 'tinyint(1)',
  date: 'date',
  time: 'time(3)',
  datetime: 'datetime(6)',
  timestamp: 'timestamp(6)',
  json: 'json',
  order: 'double unsigned',
}

export function valuesOf(zone: Zone): Values {
  return {
    columnType: as => types[as],
    encode(as: Representation, value: unknown): unknown {
      if (value === null || value === undefined) return null
      if (as === 'datetime' || as === 'timestamp') return clockAt(value as number, zone).replace('T', ' ')
      if (as === 'boolean') return value ? 1 : 0
      return value
    },
    place: () => '?',
    // The driver puts the parts of a date together, digit by digit.
    selected: (as, column) => (as === 'datetime' || as === 'timestamp' ? `cast(${column} as char)` : column),
    decode(as: Representation, value: unknown): unknown {
      if (value === null || value === undefined) return null
      switch (as) {
        // Of a smallest or largest one MySQL makes the widest integer, which the driver gives as text.
        case 'boolean':
          return Number(value) === 1
        case 'id':
        case 'integer':
          return Number(value)
        case 'bigint':
          return String(value)
        case 'decimal':
          return Number(value)
        case 'datetime':
        case 'timestamp':
          return instantOf(value as string, zone)
        case 'time':
          return fullTime(value)
        case 'json':
          return parseJson(value)
        default:
          return value
      }
    },
  }
}
