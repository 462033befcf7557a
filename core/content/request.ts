import type { Session } from '../engines/engine.js'
import type { Retry, Transact } from '../idempotency/retries.js'
import type { Action, Ask, Caller, Entry, Row, Write } from '../query/ask.js'
import type { ByValue } from '../query/by-value.js'
import type { PageAsked } from '../query/pagination.js'
import type { Place } from '../query/params.js'
import type { Marks } from '../query/search/marks.js'
import type { Keyset, QueryNode } from '../query/tree.js'
import type { ContentType } from '../schema/types.js'
import type { Prepared } from '../sql/plan.js'
import type { Sealed } from '../write/seal.js'
import type { Looked } from '../write/writer.js'
import type { Expectation } from './expected.js'
import type { Format, Meta } from './format.js'
import type { Before, Writing, Written } from './hook-types.js'
import type { Caching } from './parts.js'
import type { Among } from './several/among.js'
import type { Tally } from './tally.js'

/** What is asked of the entries of a type: generated routes and those of plugins make the same one. */
export interface ContentRequest {
  readonly type: ContentType
  /** The entry; absent for lists, for what is created, and for the entry of a single type. */
  readonly id?: number | undefined
  /** The text behind the question mark. */
  readonly text: string
  readonly caller: Caller
  /** Where reads run. A write has a transaction of its own. */
  readonly session: Session
  /** The transaction that a write is a part of. */
  readonly within?: Session
  /** Its place among several writes. */
  readonly among?: Among | undefined
  /** The response to a write has the id alone. */
  readonly onlyId?: boolean | undefined
  /** What the meta of the response to a write has beside what hooks give. */
  readonly meta?: (() => Meta) | undefined
  /** When it is asked, where what it asks compares with the time. */
  readonly now?: number | undefined
  /** The caller has the permissions of requests without credentials; told where that matters. */
  readonly isVisitor?: boolean | undefined
  readonly under?: Under | undefined
  /** As the request is called in the log. */
  readonly requestId?: string | undefined
  /** What is counted of the request, if a plugin observes requests. */
  readonly tally?: Tally | undefined
  /** Whether the client has the response with a tag already. */
  readonly knows?: (tag: string) => boolean
  /** As the client expects the entry to be that it writes: the `If-Match` of its request. */
  readonly expects?: string | undefined
  /** The client gave it a key under which it may be sent again. */
  readonly retry?: Retry | undefined
}

/** How an action of a plugin's route differs from the generated endpoint. */
export interface Under {
  /** The format that the request asks for. */
  readonly format?: string
  /** The permission under which it is done. */
  readonly permission?: string
  readonly paging?: 'open' | 'first'
  /** The entry is named by a value, in place of its id. */
  readonly by?: ByValue
  /** `fields` is checked and has no effect, where one entry is read. */
  readonly allFields?: boolean
}

/** What is done with the query, and how it differs from the generated endpoint of that action. */
export interface Doing {
  readonly action: Action
  /** The permission under which it is done, where that has another name. */
  readonly permission?: string
  /** `open`: without a page by default; `none`: only how many there are is wanted; `first`: the first entry alone. */
  readonly paging?: 'open' | 'none' | 'first'
  /** `fields` is checked and has no effect. */
  readonly allFields?: boolean
  /** The format that the request asks for. */
  readonly format?: string
  /** The entry has this value, in place of an id. */
  readonly by?: ByValue
  /** Only which entry it is: rules of the action hold for finding it. */
  readonly lookup?: boolean
  /** The entries that were written, each to be shown as the response to its own write: rules of the action hold for them. */
  readonly ids?: readonly number[]
  /** Where it is counted what the plan has cost, if one has to be made. */
  readonly tally?: Tally | undefined
}

/** What a write stands in. */
export interface Around<T> {
  /** Reads what is returned. */
  readonly read: (session: Session, id: number) => Promise<T>
  /** That is one statement, and nothing can fail behind it: the transaction may end with it. */
  readonly readsOnce?: boolean | undefined
  /** The transaction that it is a part of. */
  readonly within?: Session | undefined
  /** How its own transaction is run, where there is more to it than the write. */
  readonly transaction?: Transact<T>
  /** What its transaction begins with. */
  readonly before?: ((session: Session) => Promise<void>) | undefined
  /** What the entry has to be like, once it is locked. */
  readonly expects?: Expectation | undefined
  /** The most statements that it may have; without it there is no limit. */
  readonly most?: number | undefined
  readonly among?: Among | undefined
  /** Where its statements are counted. */
  readonly tally?: Tally | undefined
  readonly requestId?: string | undefined
}

/** Creates entries beside the one that is written, for its caller and in its transaction. */
export type BesideOf = (about: About, session: Session) => Writing['create']

/** An entry that no other transaction can change. */
export interface Locked {
  /** When it was changed last; null where that is not known. */
  readonly changed: number | null
  readonly before?: Row
}

/** Who writes, when, and for which request. */
export interface About {
  readonly caller: Caller
  readonly now: Date
  readonly requestId?: string | undefined
  readonly among?: Among | undefined
}

/** What hooks of a write are given beside what all are given. */
export type Known = Before & Pick<Writing, 'create'> & Pick<Written, 'write'>

/** A write whose statements are asked, in its transaction. */
export interface Done {
  readonly about: About
  readonly session: Session
  readonly before: Row | undefined
  readonly write: Write
}

/** A write that is ready for its transaction. */
export interface Shaped<T> {
  readonly ask: Ask
  readonly shaped: Write
  /** Absent for a delete, and for what only a hook in the transaction completes. */
  readonly prepared: Sealed | undefined
  readonly about: About
  readonly around: Around<T>
  /** Its transaction has nothing else in it. */
  readonly isWhole: boolean
}

/** A write that is about to be stored. */
export interface Putting {
  readonly caller: Caller
  readonly now: Date
  readonly session: Session
  readonly write: Write
  readonly changed: number | null | undefined
  /** What the update has looked for already. */
  readonly looked?: (() => Looked) | undefined
}

/** A query that was read, checked and planned: ready to run any number of times. */
export interface Asked {
  readonly ask: Ask
  readonly prepared: Prepared
  readonly page?: PageAsked
  readonly keyset?: Keyset
  /** How the response is written; as usual where it is absent. */
  readonly format?: Format
  /** The query text, where a format names the pages of the list. */
  readonly text?: string
  /** What is marked in its texts. */
  readonly marks?: Marks | undefined
  /** The entry of a single type is returned as a list of its rows. */
  readonly several?: boolean
  /** Gives the headers of its responses; absent where no plugin adds any. */
  readonly headers?: ReturnType<Caching['read']>
  /** Which entries `afterFind` hooks see: what they do may differ from request to request. */
  readonly watched: Watched
  /** The entries themselves, where numbers about them are wanted. */
  readonly root?: { readonly node: QueryNode; readonly place: Place }
  /** Tells it from every other query of this process. */
  readonly number: number
  /** The most statements that a response takes. */
  readonly statements: number
}

/** A query that is asked for. */
export interface ToAsk {
  readonly type: ContentType
  readonly doing: Doing
  readonly text: string
  readonly caller: Caller
}

/** `root`: the entries of the root alone; `below`: populated ones, too. */
export type Watched = 'none' | 'root' | 'below'

/** Entries as objects, and what stands beside them in the response. */
export interface Found {
  readonly entries: Entry[]
  readonly meta: Meta
  /** The response is a list. */
  readonly many: boolean
}

/** What of a query its run depends on. */
export type Running = Pick<Asked, 'ask' | 'prepared' | 'format' | 'marks' | 'page' | 'text'> &
  Partial<Pick<Asked, 'statements'>>

/** Who a plan runs for, and where. */
export interface RunFor {
  readonly caller: Caller
  /** Where statements run: responses to reads may lag behind, those to writes are part of their transaction. */
  readonly session: Session
  /** The entry, where one is meant by its id. */
  readonly id?: number | undefined
  /** The moment of the database at which it is asked for, if that is known. */
  readonly at?: number | undefined
  /** Called for statements whose result was cached. */
  readonly note?: ((sql: string) => void) | undefined
  /** What the meta of one entry has beside what hooks give. */
  readonly meta?: (() => Meta) | undefined
  /** The time at which it runs, where that is known already. */
  readonly now?: number | undefined
}
