import { ValidationError } from '../packages/utils/errors.js'
import type { Fn } from '../types.js'

/** The names of errors about values that cannot be converted. */
const conversions: readonly string[] = ['InvalidDatetimeFormat', 'InvalidDateFormat', 'InvalidTimeFormat']

/** The same functions, whose errors about values that cannot be converted are refusals: a client has sent the value. */
export function refusing<Service extends object>(service: Service): Service {
  for (const [name, run] of Object.entries(service) as [string, Fn][]) {
    if (typeof run !== 'function') continue
    const guarded: Fn = async (...given) => {
      try {
        return await run(...given)
      } catch (error) {
        if (error instanceof Error && conversions.includes(error.name)) throw new ValidationError(error.message)
        throw error
      }
    }
    Object.assign(service, { [name]: guarded })
  }
  return service
}
