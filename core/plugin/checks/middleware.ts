import { BootError } from '../../errors.js'
import type { MiddlewarePlace } from '../../http/parts.js'
import type { EnabledPlugin } from '../enabled.js'
import { mustBeFunction, nameOf } from './kinds.js'

const middlewarePlaces: readonly MiddlewarePlace[] = ['cors', 'routing', 'authentication', 'handler']

/** The places where middleware may be for one path. */
const pathPlaces: readonly MiddlewarePlace[] = ['cors', 'routing']

/** Refuses middleware at a place that does not exist, where it would never run. */
export function checkMiddleware({ spec: { name, middleware = [] } }: EnabledPlugin): void {
  for (const placed of middleware) {
    if (!middlewarePlaces.includes(placed?.before))
      throw new BootError(
        `plugin ${name}: its middleware stands before ${nameOf(placed?.before)}; expected one of ${middlewarePlaces.join(', ')}`,
      )
    const { before, below } = placed
    const isPath = typeof below === 'string' && /^(\/[^/A-Z%?#]+)+$/.test(below)
    if (below === undefined ? before === 'cors' : !isPath || !pathPlaces.includes(before))
      throw new BootError(
        `plugin ${name}: its middleware before ${before} is below ${nameOf(below)}; expected a path in small letters such as "/pages", which only those before cors and routing have`,
      )
    mustBeFunction(name, `the "run" of its middleware before ${placed.before}`, placed.run ?? null)
  }
}
