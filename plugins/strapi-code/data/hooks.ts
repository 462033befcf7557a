import type { Call, Caller, PluginSpec, Row, Session, Write, Written } from '../../../core/index.js'
import { toThrow } from '../http/errors.js'
import type { AppParts, Bag, Loose, Runtime } from '../types.js'
import { eventName, type Lifecycles, type States } from './lifecycles.js'
import type { Model } from './models.js'
import type { OpenLayer } from './opened.js'

/** The caller of what code writes: its events are fired by the layer of the database itself. */
export const codeCaller: Caller = { scope: 'strapi-code', can: () => true }

export interface HookParts {
  readonly runtime: Runtime & { within?<T>(work: () => T): T }
  readonly lifecycles: Lifecycles
  readonly opened: () => OpenLayer | undefined
}

/** The facts that a write keeps from its events before to those after. */
const noted = Symbol('events')

interface Kept {
  readonly params: Bag
  readonly states: States
  /** The entry that is deleted, as code was shown it. */
  readonly gone?: Loose
  /** The layer of the database has events of it. */
  readonly isHeard: boolean
  /** The event of `strapi.eventHub`, where anyone listens. */
  readonly told: string | undefined
}

interface NotedWrite {
  readonly [noted]?: Kept
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
  const after = (row: Row, call: Written) =>
    isInside ? events.after(row, call, call.session) : call.afterCommit(() => events.after(row, call))
  const hooks: Hooks = { beforeWrite: before, afterWrite: { last: true, run: after } }
  return hooks as AppParts['hooks']
}

class WriteEvents {
  readonly #parts: HookParts

  constructor(parts: HookParts) {
    this.#parts = parts
  }

  before(write: Write, call: Call): Write | Promise<Write> {
    const { caller, type } = call
    if (write.unchecked || caller === codeCaller || isOwnTable(type.table)) return write
    const isHeard = this.#parts.lifecycles.hears(type.uid, write.action)
    const told = this.#told(type.uid, write.action)
    const model = isHeard || told ? this.#parts.opened()?.models.get(type.uid) : undefined
    return model ? this.#run(call.session, () => this.#before(write, model, { isHeard, told })) : write
  }

  /** The session is that of the write, while it is not stored yet. */
  after(row: Row, call: Written, session?: Session): void | Promise<void> {
    const { [noted]: kept } = call.write as NotedWrite
    const opened = this.#parts.opened()
    if (!kept || !opened) return
    const model = opened.models.get(call.type.uid)
    return this.#run(session, () => this.#after(row, model, [kept, call, session !== undefined]))
  }

  /** The event that `strapi.eventHub` tells of such a write, where anyone listens. */
  #told(uid: string, action: Write['action']): string | undefined {
    const isOfRequests = uid.startsWith('api::') || uid === fileUid || uid === userUid
    const event = `${uid === fileUid ? 'media' : 'entry'}.${action}`
    return isOfRequests && this.#parts.runtime.strapi.eventHub.hears?.(event) ? event : undefined
  }

  /** Code hears events in the transaction of the write, where there is one already: it would wait for its end otherwise. */
  async #run<T>(session: Session | undefined, work: () => Promise<T>): Promise<T> {
    const { runtime, opened } = this.#parts
    const { scopes } = opened() as OpenLayer
    const placed = () => (session?.afterCommit ? scopes.within(session, work) : scopes.outside(work))
    try {
      return await (runtime.within ? runtime.within(placed) : placed())
    } catch (error) {
      throw toThrow(error, 'a lifecycle')
    }
  }

  async #before(write: Write, model: Model, { isHeard, told }: Pick<Kept, 'isHeard' | 'told'>): Promise<Write> {
    const { action, id, data, set = {} } = write
    const { lifecycles } = this.#parts
    const event = eventName('before', action)
    const fire = async (params: Bag) => (isHeard ? lifecycles.run(event, model, { params }) : new Map())
    if (action === 'delete') {
      const params = { where: { id } }
      const states = await fire(params)
      const gone = await this.#read(model, Number(id), isHeard)
      return { ...write, [noted]: { params, states, gone, isHeard, told } } as Write
    }
    const params: Bag = { ...(action === 'update' && { where: { id } }), data: { ...data, ...set } }
    const states = await fire(params)
    const changed = isHeard ? changedBy(params.data, { data, set }) : {}
    return { ...write, ...changed, [noted]: { params, states, isHeard, told } } as Write
  }

  async #after(
    { id }: Row,
    model: Model,
    [kept, call, isInside]: readonly [kept: Kept, call: Written, isInside: boolean],
  ): Promise<void> {
    const { params, states, gone, isHeard, told } = kept
    const { action } = call.write
    const result = action === 'delete' ? gone : await this.#read(model, id, isHeard)
    // A delete of an entry that was not read has no event after.
    if (!result) return
    if (isHeard) await this.#parts.lifecycles.run(eventName('after', action), model, { params, result }, states)
    if (told === undefined) return
    const tell = () => this.#tell(told, model, result)
    // In its transaction, it may still come to nothing.
    if (isInside) call.afterCommit(tell)
    else await tell()
  }

  async #tell(event: string, model: Model, result: Loose): Promise<void> {
    const shown = publicOf(model, result)
    const about = event.startsWith('media.')
      ? { media: shown }
      : { model: model.singularName, uid: model.uid, entry: shown }
    await this.#parts.runtime.strapi.eventHub.emit(event, about)
  }

  /** The entry, with the events of reading it where its write has events. */
  #read({ uid }: Model, id: number, isHeard: boolean): Promise<Loose> {
    const query = (this.#parts.opened() as OpenLayer).db.query(uid)
    return isHeard ? query.findOne({ where: { id } }) : query.quietly({ where: { id } })
  }
}

/** The server's own records, such as sessions, are no types that code knows. */
const isOwnTable = (table: string): boolean => table.startsWith('stele_')

const fileUid = 'plugin::upload.file'
const userUid = 'plugin::users-permissions.user'

/** An entry without what requests may not see. */
export function publicOf({ type }: Model, entry: Bag): Bag {
  const shown = { ...entry }
  for (const { name, readable } of [...(type?.fields.values() ?? []), ...(type?.links.values() ?? [])])
    if (!readable) delete shown[name]
  return shown
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
