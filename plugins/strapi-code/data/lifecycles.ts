import type { Bag, Fn, Loose } from '../types.js'
import type { Model } from './models.js'
import { nested } from './nested.js'

export const actions = [
  ...['create', 'createMany', 'update', 'updateMany', 'delete', 'deleteMany', 'count', 'findOne', 'findMany'],
] as const

export type EventName = `before${string}` | `after${string}`

/** A listener to events: a function hears all, an object those for which it has a method. */
type Subscriber = Fn | (Bag & { models?: readonly string[] })

/** The values that each subscriber keeps from the event before to the one after. */
export type States = Map<Subscriber, Loose>

export interface EventParts {
  readonly params: Loose
  readonly result?: Loose
}

/** The events of the database layer, and who hears them. */
export class Lifecycles {
  readonly #fileOf: (uid: string) => Bag | undefined
  readonly #times: () => Date
  /** The one subscriber that stands for the files of all content types. */
  readonly #files: Bag = {}
  readonly #subscribers: Subscriber[] = []
  #isEnabled = true

  constructor(fileOf: (uid: string) => Bag | undefined, times: () => Date = () => new Date()) {
    this.#fileOf = fileOf
    this.#times = times
  }

  readonly subscribe = (subscriber: Subscriber): (() => void) => {
    this.#subscribers.push(subscriber)
    return () => {
      const at = this.#subscribers.indexOf(subscriber)
      if (at >= 0) this.#subscribers.splice(at, 1)
    }
  }

  readonly disable = (): void => {
    this.#isEnabled = false
  }

  readonly enable = (): void => {
    this.#isEnabled = true
  }

  readonly clear = (): void => {
    this.#subscribers.length = 0
  }

  /** True where anything would hear an event of the action, before or after. */
  hears(uid: string, action: string): boolean {
    if (!this.#isEnabled) return false
    const names = [eventName('before', action), eventName('after', action)]
    const file = this.#fileOf(uid)
    if (file && names.some(name => typeof file[name] === 'function')) return true
    return this.#subscribers.some(
      subscriber =>
        typeof subscriber === 'function' ||
        (isFor(subscriber, uid) && names.some(name => typeof subscriber[name] === 'function')),
    )
  }

  /** Lets everything hear an event, one after the other; gives what they keep for the one after. */
  async run(name: EventName, model: Model, parts: EventParts, states: States = new Map()): Promise<States> {
    stamp(name, parts.params, this.#times)
    if (!this.#isEnabled) return states
    const file = this.#fileOf(model.uid)
    if (typeof file?.[name] === 'function')
      await this.#tell(this.#files, event => file[name](event), { name, model, parts, states })
    for (const subscriber of [...this.#subscribers]) {
      if (typeof subscriber === 'function') await this.#tell(subscriber, subscriber, { name, model, parts, states })
      else if (isFor(subscriber, model.uid) && typeof subscriber[name] === 'function')
        await this.#tell(subscriber, event => subscriber[name](event), { name, model, parts, states })
    }
    return states
  }

  async #tell(
    subscriber: Subscriber,
    tell: Fn,
    { name, model, parts, states }: { name: EventName; model: Model; parts: EventParts; states: States },
  ): Promise<void> {
    // Each has an event of its own: what it puts in its place is seen by no other.
    const event = { action: name, model: model.meta, ...parts, state: states.get(subscriber) ?? {} }
    await nested(`${name} of ${model.uid}`, () => tell(event))
    // A handler may have put another one in its place.
    states.set(subscriber, event.state)
  }

  /** The times of an entry as the layer itself sets them, which other handlers see and may change. */
  stamp(name: EventName, params: Loose): void {
    stamp(name, params, this.#times)
  }
}

export const eventName = (time: 'before' | 'after', action: string): EventName =>
  `${time}${action.charAt(0).toUpperCase()}${action.slice(1)}`

const isFor = ({ models }: Bag, uid: string): boolean => !Array.isArray(models) || models.includes(uid)

function stamp(name: EventName, { data }: Bag, times: () => Date): void {
  const isNew = name === 'beforeCreate' || name === 'beforeCreateMany'
  if (!isNew && name !== 'beforeUpdate' && name !== 'beforeUpdateMany') return
  const now = times()
  for (const one of Array.isArray(data) ? data : [data]) {
    if (typeof one !== 'object' || one === null) continue
    if (isNew && one.createdAt === undefined) one.createdAt = now
    if (one.updatedAt === undefined) one.updatedAt = now
  }
}
