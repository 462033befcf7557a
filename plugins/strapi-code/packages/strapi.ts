import type { Bag, Loose, Strapi } from '../types.js'
import type { makeFactories } from './factories.js'

/** The module that `require('@strapi/strapi')` gives to the code of one app. */
export function makeStrapiPackage(strapi: Strapi, factories: ReturnType<typeof makeFactories>): Bag {
  const start = (): Loose => {
    throw new Error(
      'this code starts a Strapi of its own; here the server is started by `stele start`, and its object is the global "strapi"',
    )
  }
  return Object.assign(start, { factories, default: start, strapi: () => strapi, compile: start })
}
