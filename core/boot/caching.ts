import type { Caching } from '../content/parts.js'
import { BootError } from '../errors.js'
import type { EnabledPlugin } from '../plugin/arrange.js'
import type { Services } from '../plugin/services.js'
import type { Caller } from '../query/ask.js'

const made = new WeakMap<Services, Caching>()

/** The cache rules of the one plugin that declares some, read when its service exists; undefined if there is none. */
export function cachingOf(plugins: readonly EnabledPlugin[], services: Services): (() => Caching) | undefined {
  const [first, second] = plugins.map(({ spec }) => spec).filter(({ caching }) => caching)
  if (second) throw new BootError(`the plugins ${first?.name} and ${second.name} both tell caches what to keep`)
  if (!first?.caching) return undefined
  const { name, caching } = first
  return () => {
    const known = made.get(services) ?? caching(services.get(name))
    made.set(services, known)
    return known
  }
}

/** The scope of requests without credentials, as of the last time that the cached data of plugins was refreshed. */
export class Visitors {
  readonly otherwise: Caching['otherwise']
  readonly #look: () => Promise<string>
  readonly #due: () => Promise<void> | undefined
  /** Undefined while it is not known: then no caller counts as a visitor. */
  #scope: string | undefined

  constructor({ otherwise }: Caching, look: () => Promise<string>, due: () => Promise<void> | undefined) {
    this.otherwise = otherwise
    this.#look = look
    this.#due = due
  }

  /** Refreshes the cached data of plugins if that is due, and the scope after it. */
  readonly due = (): Promise<void> | undefined => {
    const due = this.#due()
    if (due) return due.then(() => this.#see())
    return this.#scope === undefined ? this.#see() : undefined
  }

  readonly isVisitor = ({ scope }: Caller): boolean => scope === this.#scope

  async #see(): Promise<void> {
    this.#scope = await this.#look().catch(() => undefined)
  }
}
