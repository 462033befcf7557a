import type { Fn, Loose } from '../../types.js'

/** A function that calls all that were registered at it, in one of several ways. */
interface Hook {
  readonly getHandlers: () => Fn[]
  readonly register: (handler: Fn) => Hook
  readonly delete: (handler: Fn) => Hook
  readonly call: Fn
}

function hookOf(call: (handlers: readonly Fn[], given: Loose[]) => Loose) {
  return (): Hook => {
    const handlers: Fn[] = []
    const hook: Hook = {
      getHandlers: () => handlers,
      register: handler => {
        handlers.push(handler)
        return hook
      },
      delete: handler => {
        const at = handlers.indexOf(handler)
        if (at >= 0) handlers.splice(at, 1)
        return hook
      },
      call: (...given) => call(handlers, given),
    }
    return hook
  }
}

export const hooks = {
  createAsyncSeriesHook: hookOf(async (handlers, given) => {
    for (const handler of handlers) await handler(...given)
  }),
  createAsyncSeriesWaterfallHook: hookOf(async (handlers, [value]) => {
    let next = value
    for (const handler of handlers) next = await handler(next)
    return next
  }),
  createAsyncParallelHook: hookOf((handlers, given) => Promise.all(handlers.map(handler => handler(...given)))),
  createAsyncBailHook: hookOf(async (handlers, given) => {
    for (const handler of handlers) {
      const value = await handler(...given)
      if (value !== undefined) return value
    }
    return undefined
  }),
}

/** A register of things by their names, with hooks around each change. */
export const providerFactory = ({ throwOnDuplicates = true } = {}) => {
  const things = new Map<string, Loose>()
  const around = {
    willRegister: hooks.createAsyncSeriesHook(),
    didRegister: hooks.createAsyncParallelHook(),
    willDelete: hooks.createAsyncParallelHook(),
    didDelete: hooks.createAsyncParallelHook(),
  }
  const provider = {
    hooks: around,
    register: async (key: string, thing: Loose) => {
      if (throwOnDuplicates && things.has(key)) throw new Error(`Duplicated item key: ${key}`)
      await around.willRegister.call({ key, value: thing })
      things.set(key, thing)
      await around.didRegister.call({ key, value: thing })
      return provider
    },
    delete: async (key: string) => {
      if (!things.has(key)) return provider
      const value = things.get(key)
      await around.willDelete.call({ key, value })
      things.delete(key)
      await around.didDelete.call({ key, value })
      return provider
    },
    get: (key: string) => things.get(key),
    values: () => [...things.values()],
    keys: () => [...things.keys()],
    has: (key: string) => things.has(key),
    size: () => things.size,
    clear: async () => {
      for (const key of [...things.keys()]) await provider.delete(key)
      return provider
    },
  }
  return provider
}
