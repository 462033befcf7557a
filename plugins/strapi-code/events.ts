import type { EventHub, Fn, Loose } from './types.js'

/** `strapi.eventHub`: listeners are called in the order in which they came, and `emit` waits for each. */
export function createEventHub(told: (error: unknown, event: string) => void): EventHub {
  const listeners = new Map<string, Set<Fn>>()
  const subscribers = new Set<Fn>()
  const of = (event: string) => {
    const found = listeners.get(event) ?? new Set()
    listeners.set(event, found)
    return found
  }
  // Everyone is told first of the events that listeners of one name hear.
  subscribers.add(async (event: string, ...given: Loose[]) => {
    for (const listener of [...of(event)]) await listener(...given)
  })
  const hub: EventHub = {
    async emit(event, ...given) {
      for (const subscriber of [...subscribers])
        try {
          await subscriber(event, ...given)
        } catch (error) {
          told(error, event)
        }
    },
    subscribe(subscriber) {
      subscribers.add(subscriber)
      return () => hub.unsubscribe(subscriber)
    },
    unsubscribe: subscriber => void subscribers.delete(subscriber),
    on(event, listener) {
      of(event).add(listener)
      return () => hub.off(event, listener)
    },
    once(event, listener) {
      const once: Fn = (...given) => {
        hub.off(event, once)
        return listener(...given)
      }
      return hub.on(event, once)
    },
    off: (event, listener) => void of(event).delete(listener),
    // The first subscriber is the one that calls the listeners.
    hears: event => subscribers.size > 1 || (listeners.get(event)?.size ?? 0) > 0,
    destroy() {
      listeners.clear()
      subscribers.clear()
    },
  }
  return Object.assign(hub, {
    addListener: hub.on,
    removeListener: hub.off,
    removeAllListeners: () => listeners.clear(),
    removeAllSubscribers: () => subscribers.clear(),
  })
}
