import type { Bag, Loose } from '../types.js'

/** Under this key an object of a factory has the core part that the project's own functions were added to. */
export const madeOf = Symbol('the part that a factory adds to')

/** Under this key a factory's function has the type that it makes a part of, if the project adds nothing to that part. */
export const plainOf = Symbol('the type of a part that is as the factory makes it')

/** The core part of an object that a factory has made; undefined of any other. */
export const coreOf = (object: Loose): Bag | undefined => object?.[madeOf]

/** True where a function of an object that a factory has made is the core's own. */
export function isCore(object: Loose, name: string): boolean {
  const core = coreOf(object)
  return core !== undefined && object[name] === core[name]
}

/** The functions around the standard actions of a controller, which code calls and overrides. */
export const cleaners = [
  'transformResponse',
  'sanitizeOutput',
  'sanitizeInput',
  'sanitizeQuery',
  'validateQuery',
  'validateInput',
]

/** True where a controller cleans and shapes as the core does. */
export const isUntouched = (controller: Loose, core: Bag): boolean =>
  cleaners.every(name => controller[name] === core[name])
