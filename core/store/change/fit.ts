import type { Field } from '../../schema/types.js'
import type { Engine, Representation } from '../engine.js'

/** A value in another form: the same, or the nearest that there is. */
export interface Fitted {
  /** As the driver takes it. */
  readonly value: unknown
  readonly isSame: boolean
}

/** Turns stored values of one representation into what the field would store of them. */
export function fitter(engine: Engine, from: Representation, field: Field): (stored: unknown) => Promise<Fitted> {
  const { type } = field
  // How long or large a value may be is asked of those that are written from now on.
  const plain: Field = { ...field, attribute: { type: field.attribute.type, ...enumOf(field) } }
  const written = (value: unknown): unknown => {
    try {
      return type.write(value, plain, engine.name)
    } catch {
      return undefined
    }
  }
  return async stored => {
    const value = engine.decode(from, stored)
    const given = formOf(value, type.as)
    const exact = written(given)
    const isSame = exact !== undefined && keeps(value, exact, type.as)
    const nearest = exact ?? written(nearestTo(given, type.as))
    const sealed = nearest !== undefined && type.seal ? await type.seal(nearest) : nearest
    return { value: engine.encode(type.as, sealed ?? null), isSame }
  }
}

const enumOf = ({ attribute }: Field): object => ('enum' in attribute ? { enum: attribute.enum } : {})

/** A value as a request would write it into a field of this representation. */
function formOf(value: unknown, as: Representation): unknown {
  switch (as) {
    case 'text':
    case 'longtext':
      return typeof value === 'object' ? JSON.stringify(value) : String(value)
    case 'json':
      return typeof value === 'string' ? parsed(value) : value
    case 'integer':
    case 'decimal':
    case 'float':
    case 'bigint':
      return typeof value === 'boolean' ? Number(value) : value
    default:
      return value
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** What is cut or rounded off is better than nothing. */
function nearestTo(value: unknown, as: Representation): unknown {
  const number = typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(value)
  switch (as) {
    case 'text':
      return String(value).slice(0, 255)
    case 'integer':
      return Math.round(number)
    case 'bigint':
      return Number.isFinite(number) ? BigInt(Math.round(number)).toString() : undefined
    default:
      return undefined
  }
}

/** A date leaves out the time of the day without a word, and a short decimal its last digits. */
function keeps(value: unknown, written: unknown, as: Representation): boolean {
  if (as === 'date') return typeof value !== 'string' || value.length === 10 || /T00:00:00(\.0+)?Z$/.test(value)
  if (as === 'decimal') return Math.round(Number(written) * 100) / 100 === Number(written)
  return true
}
