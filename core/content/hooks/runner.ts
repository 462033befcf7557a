import type { Session } from '../../engines/engine.js'
import type { Ask, Caller, Entry } from '../../query/ask.js'
import type { ContentType } from '../../schema/types.js'
import type { EntryPlace } from '../../sql/fetch.js'
import type { ContentParts } from '../parts.js'
import type { Access } from '../rights/access.js'
import type { Among } from '../several/among.js'
import type { Before, Call, Writing, Written } from './types.js'

/** The caller, the time and the request that hooks are told. */
export interface CallContext {
  readonly caller: Caller
  readonly now: Date
  readonly requestId?: string | undefined
  readonly among?: Among | undefined
}

/** The facts that hooks of a write are told beside those that all are told. */
type WriteFacts = Before & Pick<Writing, 'create' | 'afterCommit'> & Pick<Written, 'write'>

/** Shows entries of a type to its hooks, as one batch. */
export type Watcher = (type: ContentType, entries: Entry[], place?: EntryPlace) => void | Promise<void>

/** Runs the hooks of requests: makes the call that each is given, and shows them entries. */
export class HookRunner {
  readonly #parts: Pick<ContentParts, 'hooks' | 'time'>
  readonly #access: Access

  constructor(parts: Pick<ContentParts, 'hooks' | 'time'>, access: Access) {
    this.#parts = parts
    this.#access = access
  }

  /** The call that hooks are given. Each property has its own line: copies of objects take longer than a statement. */
  call<Own extends Session, More extends Partial<WriteFacts> = object>(
    ask: Ask,
    context: CallContext,
    session: Own,
    more?: More,
  ): Call & More & { readonly session: Own } {
    const call: { readonly [Name in keyof Required<Call & WriteFacts>]: (Call & Partial<WriteFacts>)[Name] } = {
      type: ask.type,
      action: ask.action,
      permission: ask.permission,
      byValue: ask.byValue,
      shaped: ask.shaped,
      scope: ask.scope,
      params: ask.params,
      dialect: ask.dialect,
      can: ask.can,
      narrow: ask.narrow,
      populated: ask.populated,
      view: ask.view,
      mayName: ask.mayName,
      namedParts: ask.namedParts,
      moreNamed: ask.moreNamed,
      selected: ask.selected,
      caller: context.caller,
      now: context.now,
      requestId: context.requestId,
      among: context.among,
      session,
      reaches: id => this.#access.reaches(ask, id, session, context.caller),
      before: more?.before,
      write: more?.write,
      create: more?.create,
      afterCommit: more?.afterCommit,
    }
    return call as Call & More & { readonly session: Own }
  }

  /** Shows the entries of one response to the hooks of their types; for those below the root, `ask` has the type of these entries. */
  watcher(ask: Ask, caller: Caller, session: Session): Watcher {
    const below = new Map<ContentType, Ask>()
    const askOf = (type: ContentType, place: EntryPlace): Ask => {
      if (place === 'root') return ask
      const known = below.get(type) ?? askBelow(ask, type)
      below.set(type, known)
      return known
    }
    const calls = new Map<Ask, Call>()
    let now: Date | undefined
    const callOf = (own: Ask): Call => {
      now ??= new Date(this.#parts.time())
      const call = calls.get(own) ?? this.call(own, { caller, now }, session)
      calls.set(own, call)
      return call
    }
    return (type, entries, place = 'root') => {
      const { afterFind, serialize } = this.#parts.hooks(type)
      if (!afterFind && !serialize) return
      const own = askOf(type, place)
      const afterwards = () => {
        if (serialize) for (const entry of entries) serialize(entry, own)
      }
      const seen = afterFind?.(entries, callOf(own))
      return seen ? seen.then(afterwards) : afterwards()
    }
  }
}

/** The ask for entries behind links: their permission is `find`, whatever the action at the root. */
function askBelow({ action, scope, params, dialect, can, narrow }: Ask, type: ContentType): Ask {
  return { type, action, permission: 'find', scope, params, dialect, can, narrow }
}
