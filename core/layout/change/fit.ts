import type { Engine } from '../../engines/engine.js'
import { kindOf, type Representation } from '../../schema/representation.js'
import type { Field } from '../../schema/types.js'

/** A value in another form: the same, or the nearest that there is. */
export interface FittedValue {
  /** The value as the driver takes it. */
  readonly value: unknown
  readonly isSame: boolean
}

/** Turns stored values of one representation into those that the field would store. */
export function fitter(engine: Engine, from: Representation, field: Field): (stored: unknown) => Promise<FittedValue> {
  const { type } = field
  // Limits of length and size apply to values written from now on.
  const plain: Field = { ...field, attribute: { type: field.attribute.type, ...enumOf(field) } }
  const written = (value: unknown): unknown => {
    try {
      return type.write(value, plain, engine.facts.limits)
    } catch {
      return undefined
    }
  }
  const { given: asGiven, nearest: nearestTo, keeps } = kindOf(type.as)
  return async stored => {
    const value = engine.decode(from, stored)
    const given = asGiven ? asGiven(value) : value
    const exact = written(given)
    const isSame = exact !== undefined && (keeps?.(value, exact) ?? true)
    const nearest = exact ?? written(nearestTo?.(given))
    const sealed = nearest !== undefined && type.seal ? await type.seal(nearest) : nearest
    return { value: engine.encode(type.as, sealed ?? null), isSame }
  }
}

const enumOf = ({ attribute }: Field): object => ('enum' in attribute ? { enum: attribute.enum } : {})
