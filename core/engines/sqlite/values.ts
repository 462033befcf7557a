import type { Representation } from '../../schema/representation.js'
import { iso } from '../iso.js'
import { parseJson } from '../server/json.js'
import type { Values } from '../values.js'

/** Their columns. */
export const types: Record<Representation | 'order', string> = {
  id: 'integer',
  text: 'varchar(255)',
  longtext: 'text',
  integer: 'integer',
  bigint: 'bigint',
  decimal: 'float',
  float: 'float',
  boolean: 'boolean',
  date: 'date',
  time: 'time',
  datetime: 'datetime',
  timestamp: 'datetime',
  json: 'json',
  order: 'float',
}

export const values: Values = {
  columnType: as => types[as],
  encode,
  decode,
  // The driver reads numbers, and refuses those that are too large for one.
  selected: (as, column) => (as === 'bigint' ? `cast(${column} as text)` : column),
  place: () => '?',
}

function encode(as: Representation, value: unknown): unknown {
  if (value === null || value === undefined) return null
  if (as === 'boolean') return value ? 1 : 0
  if (as === 'bigint') return BigInt(value as string)
  return value
}

function decode(as: Representation, value: unknown): unknown {
  if (value === null || value === undefined) return null
  switch (as) {
    case 'boolean':
      return value === 1 ? true : value === 0 ? false : Boolean(value)
    case 'bigint':
      return String(value)
    case 'datetime':
    case 'timestamp':
      return typeof value === 'number' ? iso(value) : looseIso(value)
    case 'json':
      return parseJson(value)
    default:
      return value
  }
}

/** Old rows may hold text where a number of milliseconds belongs. */
function looseIso(value: unknown): unknown {
  const time = Date.parse(String(value))
  return Number.isNaN(time) ? value : iso(time)
}
