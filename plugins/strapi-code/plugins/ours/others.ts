import { absent, needless, notCarried, notRun, reasons, unheard, unheardSentence } from '../../not-carried.js'
import type { Fn, Loose, Runtime } from '../../types.js'

/** `strapi.plugin(name)` of a plugin of Strapi that is not here; undefined of what is none. */
export function absentPlugin(name: string, { project, log }: Pick<Runtime, 'project' | 'log'>): Loose {
  const path = `strapi.plugin('${name}')`
  if (isOfStrapi(name)) return absent(path)
  if (Object.hasOwn(needless, name) && project.config.get(['info', 'dependencies'], {})[`strapi-plugin-${name}`])
    return listener(`${path}: ${needless[name]}`, log)
  if (project.config.get(['info', 'dependencies'], {})[`@strapi/plugin-${name}`] === undefined) return undefined
  const rest = notCarried(path, notRun(name))
  const heard = Object.fromEntries(
    Object.keys(unheard[name] ?? {}).map(service => [service, listener(unheardSentence(name, service), log)]),
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

/** True for a plugin of Strapi's own, which is never loaded from its package. */
export const isOfStrapi = (name: string): boolean => Object.hasOwn(reasons, `strapi.plugin('${name}')`)
