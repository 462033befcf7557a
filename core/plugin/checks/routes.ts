import { BootError } from '../../errors.js'
import type { RemovedRoute, Route } from '../../http/parts.js'
import { nameOf } from './kinds.js'

const methods = ['GET', 'QUERY', 'POST', 'PUT', 'PATCH', 'DELETE', 'ALL']

/** Refuses routes that no request could reach, and routes that are open without saying so; returns the others. */
export function checkRoutes(
  plugin: string,
  given: readonly (Route | RemovedRoute)[],
): readonly (Route | RemovedRoute)[] {
  for (const route of given as readonly LooseRoute[]) {
    const problem = route?.removed === true ? removalProblem(route) : (problemOf(route) ?? standingProblem(route))
    if (problem !== undefined)
      throw new BootError(`plugin ${plugin}: the route ${route?.method} ${route?.path}: ${problem}`)
  }
  return given
}

/** A route, or one that is taken away, as JavaScript lets it be written. */
type LooseRoute = Partial<Record<keyof Route, unknown>>

const removalProblem = ({ uid, action, method, path }: LooseRoute): string | undefined =>
  isEndpoint({ uid, action }) || (methods.includes(method as string) && typeof path === 'string')
    ? undefined
    : 'it is removed; expected the uid and the action of a generated endpoint, or the method and the path of a route'

const isEndpoint = (given: unknown): boolean => {
  const { uid, action } = Object(given) as LooseRoute
  return typeof uid === 'string' && typeof action === 'string'
}

/** The complaint about how a route stands among others. */
function standingProblem({ matches, actsAs, first, replaces, usualOnly, credentials }: LooseRoute): string | undefined {
  for (const [name, pattern] of Object.entries(Object(matches)))
    if (!(pattern instanceof RegExp)) return `its "matches" has ${nameOf(pattern)} for "${name}"; expected a RegExp`
  if (actsAs !== undefined && !isEndpoint(actsAs))
    return `its "actsAs" is ${nameOf(actsAs)}; expected { uid, action } of a generated endpoint`
  for (const [name, given] of Object.entries({ first, replaces, usualOnly }))
    if (given !== undefined && given !== true) return `its "${name}" is ${nameOf(given)}; expected true`
  if (credentials !== undefined && credentials !== 'needed' && credentials !== 'ignored')
    return `its "credentials" is ${nameOf(credentials)}; expected "needed" or "ignored"`
  return undefined
}

function problemOf(route: LooseRoute | undefined): string | undefined {
  const { method, path, at, action, open, run } = route ?? {}
  if (!methods.includes(method as string))
    return `its method is ${nameOf(method)}; expected one of ${methods.join(', ')}, in capital letters`
  if (typeof path !== 'string' || !path.startsWith('/'))
    return `its path is ${nameOf(path)}; expected one that begins with a slash`
  if (at !== undefined && at !== 'api' && at !== 'root') return `its "at" is ${nameOf(at)}; expected "api" or "root"`
  if (action !== null && (typeof action !== 'string' || action === ''))
    return `its action is ${nameOf(action)}; expected action: '<name>', the permission that it requires, or action: null, which requires none`
  if (action !== null && !isAction(action)) return `its action is "${action}"; ${actionName}`
  if (open !== undefined && open !== 'developing') return `its "open" is ${nameOf(open)}; expected "developing"`
  if (typeof run !== 'function' && run !== 'generated')
    return `its "run" is ${nameOf(run)}; expected a function, or "generated"`
  return undefined
}

/** Refuses a name that could not be told from the uid before it. */
export function checkAction(plugin: string, name: unknown): void {
  if (typeof name !== 'string' || !isAction(name))
    throw new BootError(`plugin ${plugin}: actions has the action ${nameOf(name)}; ${actionName}`)
}

const isAction = (name: string): boolean => /^[^\s.]+$/.test(name)
const actionName = 'expected a name without a dot, as what stands before the last dot of a permission is its uid'
