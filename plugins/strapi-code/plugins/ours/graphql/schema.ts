import type { Resolver, SdlParts } from '../../../../graphql/index.js'
import { NotCarried, notCarried } from '../../../not-carried.js'
import type { Bag, Fn, Loose, Runtime } from '../../../types.js'
import { Guarded } from './guarded.js'
import { Shadows } from './shadows.js'

/** Everything that code has said about the schema of GraphQL. */
export class CodeSchema {
  readonly #runtime: Runtime
  readonly #used: Loose[] = []
  readonly #shadows = new Shadows()

  constructor(runtime: Runtime) {
    this.#runtime = runtime
  }

  /** Takes an extension, or a function that makes it once all code has been heard. */
  use(extension: Loose): this {
    this.#used.push(extension)
    return this
  }

  shadowing(uid: string): Loose {
    return this.#shadows.of(uid)
  }

  /** All of it together; undefined where nothing was said. */
  parts(): SdlParts | undefined {
    if (this.#used.length === 0 && this.#shadows.isEmpty) return undefined
    const typeDefs: Loose[] = []
    const functions: Record<string, Bag> = {}
    const config: Bag = {}
    for (const one of this.#used) {
      const made = this.#made(one)
      typeDefs.push(...[made.typeDefs ?? []].flat(Number.POSITIVE_INFINITY))
      for (const [type, fields] of Object.entries(Object(made.resolvers) as Bag))
        functions[type] = { ...functions[type], ...Object(fields) }
      Object.assign(config, made.resolversConfig)
    }
    const guarded = new Guarded(this.#runtime, config)
    const resolvers = this.#resolvers(functions, guarded)
    return { typeDefs, resolvers, around: guarded.rootsWithout(resolvers), hides: this.#shadows }
  }

  #made(extension: Loose): Bag {
    const { strapi, within } = this.#runtime
    try {
      const made = Object(
        typeof extension === 'function' ? within(() => extension({ strapi, nexus })) : extension,
      ) as Bag
      for (const part of ['types', 'plugins'])
        if ([made[part] ?? []].flat().length > 0) this.#tell(`its ${part} are not used: ${nexusReason}`)
      return made
    } catch (error) {
      if (!(error instanceof NotCarried)) throw error
      this.#tell(`it is left out: ${error.message}`)
      return {}
    }
  }

  #resolvers(functions: Record<string, Bag>, guarded: Guarded): Record<string, Record<string, Resolver>> {
    const made: Record<string, Record<string, Resolver>> = {}
    for (const [type, fields] of Object.entries(functions))
      for (const [name, given] of Object.entries(fields)) {
        const resolve: Fn | undefined = typeof given === 'function' ? given : given?.resolve
        if (type === 'Subscription') this.#tell('its subscriptions are not used: the server has its own')
        else if (typeof resolve === 'function')
          made[type] = { ...made[type], [name]: guarded.resolver(type, name, resolve) }
        else this.#tell(`its resolver ${type}.${name} is not used: it is no function`)
      }
    return made
  }

  #tell(what: string): void {
    this.#runtime.log.warn(`an extension of the GraphQL schema: ${what}`)
  }
}

const nexusReason = 'declare types in typeDefs, with their functions in resolvers'

/** Types that code would make with the package nexus. */
const nexus: Loose = notCarried('nexus', nexusReason)
