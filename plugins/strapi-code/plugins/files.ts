import type { PluginFile } from '../not-carried.js'
import type { Bag, Fn, LoadedPlugin, Loose, Strapi } from '../types.js'
import { validations } from './ours/index.js'

interface FilesParts {
  readonly strapi: Strapi
  readonly pluginOf: (name: string) => LoadedPlugin | undefined
}

/**
 * What files of the packages of plugins export. Code loads them before there are plugins: an action that it takes out of a
 * controller by then is the one that no extension has changed, and one that it puts there is put into the plugin.
 */
export class PluginFiles {
  readonly #parts: FilesParts
  /** Controllers as they were before any extension. */
  readonly #originals = new Map<string, Bag>()
  /** Actions that code has put into a controller before there was one. */
  readonly #early: { readonly plugin: string; readonly controller: string; readonly action: string; value: Loose }[] =
    []

  constructor(parts: FilesParts) {
    this.#parts = parts
  }

  /** A plugin is there, and no extension has had it yet. */
  made({ name, server }: LoadedPlugin): void {
    const controllers: Bag = server.controllers ?? {}
    this.#originals.set(name, Object.fromEntries(Object.entries(controllers).map(([key, own]) => [key, { ...own }])))
    for (const { plugin, controller, action, value } of this.#early)
      if (plugin === name && controllers[controller]) controllers[controller][action] = value
  }

  of(plugin: string, { part, name }: PluginFile): object | undefined {
    if (part === 'server') return this.#parts.pluginOf(plugin)?.server
    if (part === 'utils')
      return { getService: (service: string) => this.#parts.strapi.plugin(plugin)?.service(service) }
    if (part === 'validation') return validations[plugin]?.[name ?? '']
    if (part === 'services')
      return name === undefined ? lookUp(one => this.#service(plugin, one)) : this.#service(plugin, name)
    return name === undefined ? lookUp(one => this.#controller(plugin, one)) : this.#controller(plugin, name)
  }

  #service(plugin: string, name: string): Fn {
    return (...given) => this.#parts.pluginOf(plugin)?.server.services?.[name]?.(...given)
  }

  #controller(plugin: string, controller: string): object {
    const own = () => this.#parts.pluginOf(plugin)?.server.controllers?.[controller] as Bag | undefined
    return new Proxy<Bag>(
      {},
      {
        get: (_, action) => {
          if (typeof action === 'symbol' || notActions.includes(action)) return undefined
          const there = own()
          return there
            ? there[action]
            : (this.#early.findLast(isOf({ plugin, controller, action }))?.value ??
                this.#late(plugin, controller, action))
        },
        set: (_, action, value) => {
          const there = own()
          if (there) there[action as string] = value
          else this.#early.push({ plugin, controller, action: String(action), value })
          return true
        },
        has: (_, action) => action in (own() ?? {}),
        ownKeys: () => Reflect.ownKeys(own() ?? {}),
        getOwnPropertyDescriptor: (_, action) => {
          const there = own()
          return there && action in there
            ? { value: there[action as string], writable: true, configurable: true, enumerable: true }
            : undefined
        },
      },
    )
  }

  /** An action that is not there yet, as it will be at first. */
  #late(plugin: string, controller: string, action: string): Fn {
    return (...given) => {
      const original = this.#originals.get(plugin)?.[controller]?.[action]
      if (typeof original !== 'function')
        throw new TypeError(`the controller ${controller} of ${plugin} has no action "${action}"`)
      return original(...given)
    }
  }
}

/** Members that loaders and `await` ask a module for. */
const notActions: readonly string[] = ['__esModule', 'then', 'default']

const isOf =
  (wanted: { readonly plugin: string; readonly controller: string; readonly action: string }) =>
  (one: { readonly plugin: string; readonly controller: string; readonly action: string }): boolean =>
    one.plugin === wanted.plugin && one.controller === wanted.controller && one.action === wanted.action

/** The module of a folder: its files by their names. */
const lookUp = (get: (name: string) => object): object =>
  new Proxy<Bag>(
    {},
    { get: (_, name) => (typeof name === 'symbol' || notActions.includes(name) ? undefined : get(name)) },
  )
