import type { Call, Caller, PluginSpec, Row, Session, Write, Written } from '../../../core/index.js'
import { toThrow } from '../http/errors.js'
import type { AppParts, Bag, Loose, Runtime } from '../types.js'
import { eventName, type Lifecycles, type States } from './lifecycles.js'
import type { Model } from './models.js'
import type { Opened } from './opened.js'

/** The caller of what code writes: its events are fired by the layer of the database itself. */
export const codeCaller: Caller = { scope: 'strapi-code', can: () => true }

export interface HookParts {
  readonly runtime: Runtime & { within?<T>(work: () => T): T }
  readonly lifecycles: Lifecycles
  readonly opened: () => Opened | undefined
}

/** What a write keeps from its events before to those after. */
const noted = Symbol('events')

interface Noted {
  readonly [noted]?: {
    readonly params: Bag
    readonly states: States
    /** The entry that is deleted, as code was shown it. */
    readonly gone?: Loose
  }
}

type Hooks = NonNullable<
  PluginSpec<string, object, readonly [], Record<never, never>, unknown, Record<never, never>>['hooks']
>

/**
 * Hooks through which writes that code does not do itself fire its events: those of requests that the server answers alone, of
 * accounts that register, of files, of many entries at once. Events before the write are heard once, before its
 * transaction; what they throw refuses it. Those after it are heard once it is stored, or where the settings say so in its
 * transaction: then they undo it by what they throw, and are heard again where the database has the transaction repeated.
 */
export function hooksOf(parts: HookParts): AppParts['hooks'] {
  const events = new WriteEvents(parts)
  const before: Hooks['beforeWrite'] = { last: true, run: (write: Write, call: Call) => events.before(write, call) }
  const isInside = parts.runtime.settings?.afterEvents === 'transaction'
  const hooks: Hooks = isInside
    ? { beforeWrite: before, afterWrite: { last: true, run: (row: Row, call: Written) => events.after(row, call) } }
    : { beforeWrite: before, afterCommit: { last: true, run: (row: Row, call: Written) => events.after(row, call) } }
  return hooks as AppParts['hooks']
}

class WriteEvents {
  readonly #parts: HookParts

  constructor(parts: HookParts) {
    this.#parts = parts
  }

  before(write: Write, call: Call): Write | Promise<Write> {
    const model = this.#heard(write, call)
    return model ? this.#run(call.session, () => this.#fireBefore(write, model)) : write
  }

  after(row: Row, call: Written): void | Promise<void> {
    const { [noted]: kept } = call.write as Noted
    const opened = this.#parts.opened()
    if (!kept || !opened) return
    const model = opened.models.get(call.type.uid)
    return this.#run(call.session, () => this.#fireAfter(row, model, call.write as Write & Required<Noted>))
  }

  /** The model of a write that code would hear of; none of its own. */
  #heard({ action, unchecked }: Write, { caller, type }: Call): Model | undefined {
    const { lifecycles, opened } = this.#parts
    if (unchecked || caller === codeCaller || !lifecycles.hears(type.uid, action)) return undefined
    return opened()?.models.get(type.uid)
  }

  /** Code hears events in the transaction of the write, where there is one already: it would wait for its end otherwise. */
  async #run<T>(session: Session, work: () => Promise<T>): Promise<T> {
    const { runtime, opened } = this.#parts
    const { scopes } = opened() as Opened
    const placed = () => (session.afterCommit ? scopes.within(session, work) : scopes.outside(work))
    try {
      return await (runtime.within ? runtime.within(placed) : placed())
    } catch (error) {
      throw toThrow(error, 'a lifecycle')
    }
  }

  async #fireBefore(write: Write, model: Model): Promise<Write> {
    const { action, id, data, set = {} } = write
    const { lifecycles } = this.#parts
    if (action === 'delete') {
      const params = { where: { id } }
      const states = await lifecycles.run(eventName('before', action), model, { params })
      const gone = await this.#read(model, Number(id))
      return { ...write, [noted]: { params, states, gone } } as Write
    }
    const given = { ...data, ...set }
    const params: Bag = { ...(action === 'update' && { where: { id } }), data: { ...given } }
    const states = await lifecycles.run(eventName('before', action), model, { params })
    return { ...write, ...changedBy(params.data, { data, set }), [noted]: { params, states } } as Write
  }

  async #fireAfter({ id }: Row, model: Model, { action, [noted]: kept }: Write & Required<Noted>): Promise<void> {
    const { params, states, gone } = kept as NonNullable<Noted[typeof noted]>
    const result = action === 'delete' ? gone : await this.#read(model, id)
    // A delete that nobody was shown the entry of has no event after.
    if (result) await this.#parts.lifecycles.run(eventName('after', action), model, { params, result }, states)
  }

  /** The entry, with the events of reading it. */
  #read({ uid }: Model, id: number): Promise<Loose> {
    return (this.#parts.opened() as Opened).db.query(uid).findOne({ where: { id } })
  }
}

/** A write with what handlers have made of its data: values that the server sets stay its own unless they were changed. */
function changedBy(
  after: Loose,
  { data, set }: { readonly data: Bag; readonly set: Bag },
): Pick<Write, 'data' | 'set'> {
  const own: Bag = {}
  const other: Bag = { ...set }
  for (const symbol of Object.getOwnPropertySymbols(data)) own[symbol as never] = data[symbol as never]
  for (const [name, value] of Object.entries(Object(after)))
    if (Object.hasOwn(set, name)) other[name] = value
    else if (!isTime(name) || Object.hasOwn(data, name)) own[name] = value
  return { data: own, ...(Object.keys(other).length > 0 && { set: other }) }
}

/** The server sets the times of what requests write. */
const isTime = (name: string): boolean => name === 'createdAt' || name === 'updatedAt'
