import { type ControllerParts, type CoreController, coreController } from '../http/core-controller.js'
import { coreRouter, type RoutedType, type RouterOptions } from '../http/core-router.js'
import { coreService } from '../http/core-service.js'
import { madeOf, plainOf } from '../http/made.js'
import { noTypeToProxy, noTypeToRoute } from '../not-carried.js'
import type { Bag, CodeType, Fn, Loose, Strapi } from '../types.js'

/** The argument of a factory, as a project writes it: an object, or a function that gives one. */
type Own = Bag | ((given: { strapi: Strapi }) => Bag)

interface FactoryParts extends ControllerParts {
  /** A type as far as routers need it, which is before types are made. */
  readonly routedType: (uid: string) => RoutedType | undefined
}

/** `require('@strapi/strapi').factories` for the code of one app. */
export function makeFactories(parts: FactoryParts) {
  const { strapi } = parts
  const typeOf = (uid: string): CodeType => {
    const type = strapi.contentType(uid)
    if (!type) throw new Error(noTypeToProxy(uid))
    return type
  }
  const factory =
    (coreFor: (type: CodeType) => Record<string, Fn>) =>
    (uid: string, own: Own = {}): Fn => {
      const make = () => {
        const core: CoreController = coreFor(typeOf(uid))
        const written = typeof own === 'function' ? own({ strapi }) : own
        for (const name of Object.keys(core)) if (written[name] === undefined) written[name] = core[name]
        Object.setPrototypeOf(written, core)
        Object.defineProperty(written, madeOf, { value: core, configurable: true })
        return written
      }
      const isPlain = typeof own !== 'function' && Object.keys(own).length === 0
      return isPlain ? Object.assign(make, { [plainOf]: uid }) : make
    }
  return {
    createCoreController: factory(type => coreController(parts, type)),
    createCoreService: factory(type => coreService(strapi, type)),
    createCoreRouter: (uid: string, options?: RouterOptions): Loose =>
      coreRouter(() => {
        const type = parts.routedType(uid)
        if (!type) throw new Error(noTypeToRoute(uid))
        return type
      }, options),
  }
}
