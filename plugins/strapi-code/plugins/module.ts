import type { Bag, LoadedPlugin, Loose, Runtime } from '../types.js'

type Kind = 'services' | 'controllers' | 'policies' | 'middlewares'

/** `strapi.plugin(name)`: what the plugin has, looked up when it is asked for. Code may put more on it. */
export function moduleOf({ name, server }: LoadedPlugin, { strapi }: Pick<Runtime, 'strapi'>, more: Bag = {}): Loose {
  const uid = (of: string) => `plugin::${name}.${of}`
  const module: Bag = {
    ...ownMembers(server),
    ...more,
    config: (at: string | readonly string[], fallback?: Loose) =>
      strapi.config.get([...base(name), ...(typeof at === 'string' ? at.split('.') : at)], fallback),
    contentType: (of: string) => strapi.contentType(uid(of)),
    service: (of: string) => strapi.service(uid(of)),
    controller: (of: string) => strapi.controller(uid(of)),
    policy: (of: string) => strapi.policy(uid(of)),
    middleware: (of: string) => strapi.middleware(uid(of)),
  }
  lazily(module, 'contentTypes', () => byName(server.contentTypes, of => strapi.contentType(uid(of))))
  const find: Record<Kind, (of: string) => Loose> = {
    services: of => strapi.service(uid(of)),
    controllers: of => strapi.controller(uid(of)),
    policies: of => strapi.policy(uid(of)),
    middlewares: of => strapi.middleware(uid(of)),
  }
  for (const [kind, get] of Object.entries(find)) lazily(module, kind, () => byName(server[kind], get))
  return module
}

const base = (name: string): readonly string[] => ['plugin', name]

/** The functions of its life, its routes, and whatever else a plugin says of itself. */
function ownMembers(server: Bag): Bag {
  const { config: _, contentTypes: __, services, controllers, policies, middlewares, ...members } = server
  return members
}

function lazily(of: Bag, name: string, get: () => Loose): void {
  let made: { readonly value: Loose } | undefined
  Object.defineProperty(of, name, {
    configurable: true,
    enumerable: true,
    get() {
      made ??= { value: get() }
      return made.value
    },
    set: value => Object.defineProperty(of, name, { value, writable: true, configurable: true, enumerable: true }),
  })
}

function byName(parts: Bag = {}, get: (name: string) => Loose): Bag {
  const found: Bag = {}
  for (const name of Object.keys(parts)) lazily(found, name, () => get(name))
  return found
}
