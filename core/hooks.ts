import type { Dialect } from './dialect.js'
import type { Raw } from './query/raw.js'
import type { QueryNode } from './query/tree.js'
import type { Filters } from './query/where.js'
import type { ContentType } from './schema/types.js'
import type { Session } from './store/engine.js'

/** What a generated route does; routes of plugins have action names of their own. */
export type Action = 'find' | 'findOne' | 'create' | 'update' | 'delete' | (string & {})

/** What is known while a plan is made. Nothing here differs between two callers of one scope. */
export interface Ask<P = Readonly<Record<string, unknown>>> {
  readonly type: ContentType
  readonly action: Action
  /** The right under which it is done, where a plugin's route does it under a name of its own. */
  readonly permission?: string
  /** Callers of one scope may do the same things and share their plans. */
  readonly scope: string
  readonly params: P
  readonly dialect: Dialect
  /** Whether this scope may do an action on a type, or on whatever else has a uid. */
  readonly can: (action: string, uid: string) => boolean
  /** A node as the rules and hooks of this request leave it; `where` takes it from here for the rows behind links. */
  readonly narrow: (node: QueryNode, ask: Ask) => QueryNode
  /** The attributes that the answer populates; told once the whole query is read. */
  readonly populated?: readonly string[]
}

/** What is known while a plan runs. */
export interface Call<P = Readonly<Record<string, unknown>>> extends Ask<P> {
  readonly caller: Caller
  readonly now: Date
  /** Reads and writes of a hook go through the session of the request: inside its transaction, if it has one. */
  readonly session: Session
  /** Whether an entry of the type exists within the caller's rules, so that the action could be done to it. */
  readonly reaches: (id: number) => Promise<boolean>
}

/** What is known when a write is done: what became of it on its way, too. */
export interface Written<P = Readonly<Record<string, unknown>>> extends Call<P> {
  readonly write: Write
}

/** Who is asking. Plugins that know credentials make these; without one everybody is the same anonymous caller. */
export interface Caller {
  /** Same scope, same answers of `can` and `rows`, same plans. */
  readonly scope: string
  readonly can: (action: string, uid: string) => boolean
  /** Filters that every entry of a type must meet for this scope; values of the single caller are `late`. */
  readonly rows?: (action: string, uid: string) => Filters | undefined
  /** How a refusal is answered: 401 asks for credentials, 403 says they do not suffice. */
  readonly refusal?: 401 | 403
  readonly id?: number | string
}

/** An entry on its way out: scalars first, then what was populated. */
export type Entry = Record<string, unknown>

/** A row as the store gives it: attribute names, plain values. */
export type Row = Record<string, unknown> & { readonly id: number }

/** A write on its way in. */
export interface Write {
  readonly action: 'create' | 'update' | 'delete'
  readonly data: Readonly<Record<string, unknown>>
  /** The entry that is changed; undefined while it is created. */
  readonly id?: number
  /** Required attributes may be missing: the entry is not meant to be complete yet. */
  readonly incomplete?: boolean
  /** Values of attributes that requests may not write; only hooks give them. */
  readonly set?: Readonly<Record<string, unknown>>
}

/** The stops of a request, in the order it meets them. A stop that nobody uses does not exist. */
export interface Hooks<P, Service> {
  /** Sees the query as it was sent; gives the one that is read. */
  parseQuery(raw: Raw, ask: Ask, service: Service): Raw
  /** Narrows every node of a query: the root, what is populated, what is filtered and sorted by. */
  beforeFind(query: QueryNode, ask: Ask<P>, service: Service): QueryNode
  /** Sees the rows of a type as one batch, wherever in the answer they stand. */
  afterFind(rows: Entry[], call: Call<P>, service: Service): void | Promise<void>
  /** Gives an entry its last form, at once: there may be thousands. */
  serialize(entry: Entry, ask: Ask<P>, service: Service): undefined
  /** Sees and shapes what will be written, before it is checked. */
  beforeWrite(write: Write, call: Call<P>, service: Service): Write | Promise<Write>
  /** Runs inside the transaction; an error undoes the write. */
  afterWrite(row: Row, call: Written<P>, service: Service): void | Promise<void>
  /** Runs when the write is safe; an error is logged and undoes nothing. */
  afterCommit(row: Row, call: Written<P>, service: Service): void | Promise<void>
}

/** The hooks of one type, folded: at most one function a stop, its service bound. */
export interface FoldedHooks {
  parseQuery?(raw: Raw, ask: Ask): Raw
  beforeFind?(query: QueryNode, ask: Ask): QueryNode
  afterFind?(rows: Entry[], call: Call): void | Promise<void>
  serialize?(entry: Entry, ask: Ask): void
  beforeWrite?(write: Write, call: Call): Promise<Write>
  afterWrite?(row: Row, call: Written): Promise<void>
  afterCommit?(row: Row, call: Written): Promise<void>
}

type Stop = keyof FoldedHooks
/** The subject goes through hand to hand at these; the others only look or change in place. */
const shaping: readonly Stop[] = ['parseQuery', 'beforeFind', 'beforeWrite']
const waiting: readonly Stop[] = ['afterFind', 'beforeWrite', 'afterWrite', 'afterCommit']

export interface BoundHooks {
  readonly plugin: string
  readonly hooks: Partial<Record<Stop, (...args: never[]) => unknown>>
  readonly service: unknown
}

/** The names of all stops, in the order a request meets them. */
export const stops: readonly Stop[] = [
  'parseQuery',
  'beforeFind',
  'afterFind',
  'serialize',
  'beforeWrite',
  'afterWrite',
  'afterCommit',
]

/** Folds the hooks of all plugins that apply to a type, in their order. An error carries the plugin's name. */
export function foldHooks(bound: readonly BoundHooks[]): FoldedHooks {
  const folded: Record<string, unknown> = {}
  for (const stop of stops) {
    const steps = bound.flatMap(({ plugin, hooks, service }) => {
      const hook = hooks[stop] as ((subject: unknown, about: unknown, service: unknown) => unknown) | undefined
      return hook ? [named(plugin, stop, (subject, about) => hook(subject, about, service))] : []
    })
    if (steps.length > 0) folded[stop] = fold(steps, shaping.includes(stop), waiting.includes(stop))
  }
  return folded as FoldedHooks
}

type Step = (subject: unknown, about: unknown) => unknown

function fold(steps: readonly Step[], shapes: boolean, waits: boolean): Step {
  const [only] = steps
  if (steps.length === 1 && only && !waits) return only
  if (!waits)
    return (subject, about) => {
      let current = subject
      for (const step of steps) {
        const given = step(current, about)
        if (shapes) current = given
      }
      return current
    }
  return async (subject, about) => {
    let current = subject
    for (const step of steps) {
      const given = await step(current, about)
      if (shapes) current = given
    }
    return current
  }
}

/** Marks what went wrong inside a plugin with the plugin's name; refusals are meant for the client and pass as they are. */
function named(plugin: string, stop: string, step: Step): Step {
  const mark = (error: unknown): never => {
    if (error instanceof Error && !('status' in error) && !('plugin' in error))
      Object.assign(error, { plugin, message: `plugin ${plugin}, ${stop}: ${error.message}` })
    throw error
  }
  return (subject, about) => {
    try {
      const given = step(subject, about)
      return given instanceof Promise ? given.catch(mark) : given
    } catch (error) {
      return mark(error)
    }
  }
}
