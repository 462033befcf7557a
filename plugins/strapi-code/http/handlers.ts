import type { Bag, Fn, Loose } from '../types.js'
import { coreOf } from './made.js'
import type { Around, Owner } from './policies.js'

/** The controller and the action that a handler's text names. */
export interface HandlerName {
  readonly uid: string
  readonly action: string
}

/** `order.find` is of the route's own part, `api::shop.order.find` of any. */
export function readHandler(text: string, { apiName, pluginName }: Owner): HandlerName {
  const cut = text.lastIndexOf('.')
  const [name, action] = [text.slice(0, Math.max(cut, 0)), text.slice(cut + 1)]
  if (name.includes('::')) return { uid: name, action }
  const prefix = pluginName !== undefined ? `plugin::${pluginName}.` : apiName !== undefined ? `api::${apiName}.` : ''
  return { uid: prefix + name, action }
}

/** A handler as it runs. */
export interface Handler {
  readonly run: Around
  /** Middlewares that the route has in its handler's list. */
  readonly before: readonly Around[]
  /** The controller, where it is one of a factory and the action is the core's own. */
  readonly standard?: { readonly controller: Bag; readonly core: Bag }
}

/** The handler of a route: a function, a list of which the last answers, or the action of a controller. */
export function handlerOf(given: Loose, owner: Owner, controllerOf: (uid: string) => Loose): Handler {
  if (typeof given === 'function') return { run: given, before: [] }
  if (Array.isArray(given)) {
    const last = handlerOf(given.at(-1), owner, controllerOf)
    return { ...last, before: given.slice(0, -1).map(one => handlerOf(one, owner, controllerOf).run) }
  }
  const { uid, action } = readHandler(given.trim(), owner)
  const controller = controllerOf(uid)
  if (controller === undefined || controller === null)
    throw new TypeError(`Cannot read properties of undefined (reading '${action}')`)
  const run: Fn | undefined = controller[action]
  if (typeof run !== 'function') throw new Error(`Handler not found "${given}"`)
  const core = coreOf(controller)
  return {
    run: run.bind(controller),
    before: [],
    ...(core && run === core[action] && { standard: { controller, core } }),
  }
}
