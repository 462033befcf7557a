import type { Engine } from '../../engines/engine.js'
import { kindOf, type Representation, type Room } from '../../schema/representation.js'
import type { ColumnKind } from './archive.js'

/** The representation in statements and drivers of a kind of column. */
export const representationOf = (kind: ColumnKind): Representation => (kind === 'order' ? 'float' : kind)

/** A stored value in the form that is the same for every engine. */
export function outward(engine: Engine, kind: ColumnKind, stored: unknown): unknown {
  if (stored === null || stored === undefined) return null
  if (kind === 'json') return compactJson(stored)
  if (kind === 'decimal') return plainDecimal(String(stored))
  return engine.decode(representationOf(kind), stored)
}

/** Documents stay the text that they are, but for spaces that some engines add. */
function compactJson(stored: unknown): string {
  if (typeof stored !== 'string') return JSON.stringify(stored)
  try {
    JSON.parse(stored)
  } catch {
    // Text that is no JSON, from older rows, is returned as the string that it is.
    return JSON.stringify(stored)
  }
  return stored.replace(/("[^"\\]*(?:\\.[^"\\]*)*")|\s+/g, '$1')
}

/** Engines differ in the zeros at the end. */
const plainDecimal = (text: string): string => (/^-?\d+\.\d*0*$/.test(text) ? text.replace(/\.?0+$/, '') : text)

/** A value of an archive as this engine's `encode` takes it; throws a string that completes "<column> ...". */
export const inward = (engine: Room, kind: ColumnKind, value: unknown): unknown =>
  value === null || value === undefined ? null : kindOf(representationOf(kind)).archived(value, engine)
