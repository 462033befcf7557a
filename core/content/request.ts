import type { Session } from '../engines/engine.js'
import type { Retry } from '../idempotency/retries.js'
import type { Caller } from '../query/ask.js'
import type { ByValue } from '../query/by-value.js'
import type { ContentType } from '../schema/types.js'
import type { Meta, OwnShape } from './format.js'
import type { Among } from './several/among.js'
import type { Tally } from './tally.js'

/** A request on the entries of a type: generated routes and those of plugins make the same one. */
export interface ContentRequest {
  readonly type: ContentType
  /** The entry; absent for lists, for creates, and for the entry of a single type. */
  readonly id?: number | undefined
  /** The text behind the question mark. */
  readonly text: string
  readonly caller: Caller
  /** The session of reads. A write has a transaction of its own. */
  readonly session: Session
  readonly options?: QueryOptions | undefined
  /** The transaction that a write is a part of. */
  readonly within?: Session
  /** Its place among several writes. */
  readonly among?: Among | undefined
  /** The response to a write has the id alone. */
  readonly onlyId?: boolean | undefined
  /** Adds to the meta of the response to a write, beside the meta of hooks. */
  readonly meta?: (() => Meta) | undefined
  /** The caller has the permissions of requests without credentials; told where that matters. */
  readonly isVisitor?: boolean | undefined
  /** The name of the request in the log. */
  readonly requestId?: string | undefined
  /** The counts of the request, if a plugin observes requests. */
  readonly tally?: Tally | undefined
  /** Tells that the client has the response with a tag already. */
  readonly knows?: (tag: string) => boolean
  /** The `If-Match` of the request: the state that the client expects of the entry it writes. */
  readonly expects?: string | undefined
  /** The client gave it a key under which it may be sent again. */
  readonly retry?: Retry | undefined
}

/** The differences between an action of a plugin's route and the generated endpoint. */
export interface QueryOptions {
  /** The format that the request asks for. */
  readonly format?: string
  /** The permission under which it is done, where that has another name. */
  readonly permission?: string
  readonly paging?: 'open' | 'first'
  /** The entry is named by a value, in place of its id. */
  readonly by?: ByValue
  /** `fields` is checked and has no effect, where one entry is read. */
  readonly allFields?: boolean
  /** The form of the response, in place of every format. */
  readonly shape?: OwnShape
  /** `populate` takes names of its own, with the `attribute` that each stands for, and pages for each entry. */
  readonly aliases?: true
}

/** A run of a query: for whom, and where. */
export interface RunContext extends Pick<ContentRequest, 'caller' | 'session' | 'id' | 'meta'> {
  /** The state of the database at which it is asked for, if that is known. */
  readonly state?: number | undefined
  /** Called for statements whose result was cached. */
  readonly note?: ((sql: string) => void) | undefined
  /** The time at which it runs, where that is known already. */
  readonly now?: number | undefined
}
