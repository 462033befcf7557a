import { ForbiddenError } from '../packages/utils/errors.js'
import { createPolicyContext } from '../packages/utils/policy.js'
import type { Fn, Loose, Project, Strapi } from '../types.js'
import { exportedPart } from './parts-of-project.js'

/** The owner of a route: policies and middlewares without a prefix are its own. */
export interface Owner {
  readonly apiName?: string | undefined
  readonly pluginName?: string | undefined
}

const prefixOf = ({ apiName, pluginName }: Owner): string =>
  pluginName !== undefined ? `plugin::${pluginName}.` : `api::${apiName}.`

/** `{ name, config }`, a name, or a function. */
interface NamedPart {
  readonly name?: string
  readonly resolve?: string
  readonly config?: Loose
}

type Given = string | NamedPart | Fn

/** A policy as it runs before a route, or before another kind of request: it throws where it refuses. */
export type Guard = (ctx: Loose, kind?: string) => Promise<void>

/** The policies of a route, looked up by their names. */
export function guardsOf(
  given: Loose,
  owner: Owner,
  { project, strapi }: { project: Project; strapi: Strapi },
): Guard[] {
  return [given ?? []].flat().map((one: Given) => {
    const { name = '', config = {} } = typeof one === 'object' && one !== null ? one : { name: one as string }
    const found = typeof one === 'function' ? one : findPolicy(name, owner, project)
    const run: Fn | undefined = typeof found === 'function' ? found : found?.handler
    if (typeof run !== 'function') throw new Error(`Could not find policy "${name}"`)
    if (typeof found !== 'function') found.validator?.(config)
    return async (ctx, kind = 'koa') => {
      const passed = await run(createPolicyContext(kind, ctx), config, { strapi })
      if (passed !== true && passed !== undefined) throw new ForbiddenError('Policy Failed')
    }
  })
}

/** A whole name, one of the route's own part, or one of `src/policies`. */
function findPolicy(name: string, owner: Owner, project: Project): Loose {
  if (name.includes('::')) return exportedPart(project, 'policies', name)
  return (
    exportedPart(project, 'policies', prefixOf(owner) + name) ?? exportedPart(project, 'policies', `global::${name}`)
  )
}

/** A middleware, as Koa runs it. */
export type Around = (ctx: Loose, next: () => Promise<unknown>) => unknown

/** The middlewares of a route, made with their settings. */
export function aroundsOf(given: Loose, owner: Owner, parts: { project: Project; strapi: Strapi }): Around[] {
  return [given ?? []].flat().map((one: Given) => {
    if (typeof one === 'function') return one as Around
    const { name = '', config = {} } = typeof one === 'object' && one !== null ? one : { name: one as string }
    const factory = findMiddleware(name, owner, parts.project)
    const made = typeof factory === 'function' ? factory(config, { strapi: parts.strapi }) : undefined
    if (typeof made !== 'function') throw new Error(`Middleware ${name} not found.`)
    return made
  })
}

const findMiddleware = (name: string, owner: Owner, project: Project): Loose =>
  exportedPart(project, 'middlewares', name.includes('::') ? name : prefixOf(owner) + name)
