import { notCarried } from '../../not-carried.js'
import type { Fn, Loose, Runtime } from '../../types.js'

const panel = 'this server has no admin panel'

/** Plugins of Strapi that every project has, and nothing here does the work of. */
const standard: Readonly<Record<string, string>> = {
  'content-manager': panel,
  'content-type-builder': 'schema files are changed by hand, or by the plugin content-type-builder of this server',
}

/**
 * Plugins whose code a project tells, as it starts, what they are to do: it is heard, and the log says that it has no effect.
 * Refusing would stop a start that Strapi does not stop.
 */
const told: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  graphql: { extension: 'extensions of the GraphQL schema have no effect' },
  documentation: { override: 'changes of the documentation have no effect' },
}

/** `strapi.plugin(name)` of a plugin of Strapi that is not here; undefined of what is none. */
export function absentPlugin(name: string, { project, log }: Pick<Runtime, 'project' | 'log'>): Loose {
  const why = standard[name]
  if (why !== undefined) return notCarried(`strapi.plugin('${name}')`, why)
  if (project.config.get(['info', 'dependencies'], {})[`@strapi/plugin-${name}`] === undefined) return undefined
  const services = told[name] ?? {}
  const rest = notCarried(`strapi.plugin('${name}')`, `this server does not run @strapi/plugin-${name}`)
  const heard = Object.fromEntries(
    Object.entries(services).map(([service, says]) => [service, listener(`strapi.plugin('${name}'): ${says}`, log)]),
  )
  if (Object.keys(heard).length === 0) return rest
  return {
    service: (service: string) => heard[service] ?? rest.service(service),
    services: heard,
    config: (_: string, fallback?: Loose) => fallback,
  }
}

/** Takes every call, and gives itself, so that calls may be chained. */
function listener(says: string, log: Pick<Runtime['log'], 'warn'>): Loose {
  let isSaid = false
  const heard: Fn = () => undefined
  const chain: Loose = new Proxy(heard, {
    get: (_, member) => (typeof member === 'symbol' || member === 'then' || member === 'toJSON' ? undefined : chain),
    apply() {
      if (!isSaid) log.warn(says)
      isSaid = true
      return chain
    },
  })
  return chain
}

/** Whether a plugin is one of Strapi's own, which is never loaded from its package. */
export const isOfStrapi = (name: string): boolean => Object.hasOwn(standard, name)
