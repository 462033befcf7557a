import { immediate, isPromise, type Write } from '../../query/ask.js'
import type { QueryNode } from '../../query/tree.js'
import type { ContentType } from '../../schema/types.js'
import type { Meta } from '../format.js'
import { inPlugin, type Leave } from './later-work.js'
import type { FoldedHooks } from './types.js'

export type * from './types.js'

type Stop = Exclude<keyof FoldedHooks, 'readsValues' | 'needsBefore'>
/** The subject goes through hand to hand at these; the others only look or change in place. */
const shaping: Partial<Record<Stop, string>> = {
  parseQuery: 'query',
  beforeFind: 'query',
  meta: 'object that is merged into the meta',
  beforeWrite: 'write',
  inTransaction: 'write',
}
export const waiting: readonly Stop[] = ['afterFind', 'meta', 'beforeWrite', 'inTransaction', 'afterWrite']
/** The stops that shape queries. */
export const ofQueries: readonly Stop[] = ['parseQuery', 'beforeFind']
/** The stops in the transaction of a write: they may ask for the row as it was, and leave work for after the commit. */
export const ofTransactions: readonly Stop[] = ['inTransaction', 'afterWrite']

type AnyHook = (...args: never[]) => unknown
interface DeclaredHook {
  readonly run: AnyHook
  readonly before?: true
  readonly readsValues?: false
  readonly last?: true
}

export interface BoundHooks {
  readonly plugin: string
  readonly hooks: Partial<Record<Stop, AnyHook | DeclaredHook>>
  readonly service: unknown
}

/** The names of all stops, in the order a request meets them. */
export const stops: readonly Stop[] = [
  'parseQuery',
  'beforeFind',
  'afterFind',
  'serialize',
  'meta',
  'beforeWrite',
  'inTransaction',
  'afterWrite',
]

/** Folds the hooks of all plugins that apply to a type, in their order, the last ones at the end. An error carries the plugin's name. */
export function foldHooks(bound: readonly BoundHooks[]): FoldedHooks {
  const folded: Record<string, unknown> = {}
  for (const stop of stops) {
    const steps = inOrder(bound, stop).flatMap(({ plugin, hooks, service }) => {
      const { run, before, readsValues } = declaredAs(hooks[stop])
      if (!run) return []
      const hook = ofTransactions.includes(stop) ? leaving(plugin, run as BareHook) : (run as BareHook)
      if (before) folded.needsBefore = true
      if (ofQueries.includes(stop) && readsValues !== false) folded.readsValues = true
      return [
        named(
          plugin,
          stop,
          checked(stop, (subject, about) => hook(subject, about, service)),
        ),
      ]
    })
    if (steps.length > 0) folded[stop] = fold(steps, stop in shaping, waiting.includes(stop))
  }
  return folded as FoldedHooks
}

function inOrder(bound: readonly BoundHooks[], stop: Stop): readonly BoundHooks[] {
  const isLast = ({ hooks }: BoundHooks) => declaredAs(hooks[stop]).last === true
  const last = bound.filter(isLast)
  return last.length === 0 ? bound : [...bound.filter(one => !isLast(one)), ...last]
}

const declaredAs = (hook: AnyHook | DeclaredHook | undefined): Partial<DeclaredHook> =>
  typeof hook === 'function' ? { run: hook } : (hook ?? {})

type BareHook = (subject: unknown, about: unknown, service: unknown) => unknown

/** A hook that leaves work for after the commit in the name of its plugin. */
const leaving =
  (plugin: string, hook: BareHook): BareHook =>
  (subject, about, service) => {
    const { afterCommit } = about as { readonly afterCommit: Leave }
    afterCommit.plugin = plugin
    return hook(subject, about, service)
  }

type Step = (subject: unknown, about: unknown) => unknown

/** One hook after the other; most have nothing to wait for, and a write passes many. */
function fold(steps: readonly Step[], shapes: boolean, waits: boolean): Step {
  const [only] = steps
  if (steps.length === 1 && only && (shapes || !waits)) return only
  const from = (place: number, subject: unknown, about: unknown): unknown => {
    let current = subject
    for (let at = place; at < steps.length; at += 1) {
      const given = (steps[at] as Step)(current, about)
      if (isPromise(given)) return given.then(value => from(at + 1, shapes ? value : current, about))
      if (shapes) current = given
    }
    return shapes ? current : undefined
  }
  return (subject, about) => from(0, subject, about)
}

/** Rejects an invalid result of a hook: a promise from a synchronous hook, or nothing from a hook that returns its subject. */
function checked(stop: Stop, step: Step): Step {
  const subject = shaping[stop]
  const shaped = (given: unknown) => {
    if (typeof given === 'object' && given !== null) return given
    const what = given === undefined ? 'nothing' : `a value of type ${given === null ? 'null' : typeof given}`
    throw new Error(
      `it returned ${what}; expected the ${subject}${stop === 'meta' ? '' : ', changed or as it was'} (is a return missing?)`,
    )
  }
  if (waiting.includes(stop)) {
    if (subject === undefined) return step
    const taken = (given: unknown, result: unknown) => {
      shaped(result)
      if (stop === 'inTransaction') mustBeSameWrite(given as Write, result as Write)
      return stop === 'meta' ? merged(given as Meta, result as Meta) : result
    }
    return (given, about) => {
      const result = step(given, about)
      return isPromise(result) ? result.then(value => taken(given, value)) : taken(given, result)
    }
  }
  const atOnce: Step = (...both) => immediate(step(...both), 'it')
  if (subject !== undefined) return (...both) => shaped(atOnce(...both))
  return (given, about) => void mustBeChanged(given, atOnce(given, about))
}

/** An entry that is returned in place of the one that was given would not be sent. */
function mustBeChanged(entry: unknown, result: unknown): void {
  if (typeof result === 'object' && result !== null && result !== entry)
    throw new Error('it returned an object, which has no effect; expected that it changes the entry it is given')
}

function merged(meta: Meta, given: Meta): Meta {
  const taken = Object.keys(given).find(name => Object.hasOwn(meta, name))
  if (taken !== undefined) throw new Error(`it gives "${taken}", which the meta of the response has already`)
  return { ...meta, ...given }
}

/** The entry is locked already, and the action on it is settled. */
function mustBeSameWrite(write: Write, given: Write): void {
  if (given.action !== write.action || given.id !== write.id)
    throw new Error('it changed the action or the id of the write, which only beforeWrite can')
}

function named(plugin: string, stop: string, step: Step): Step {
  const mark = (reason: unknown): never => {
    throw inPlugin(plugin, stop, reason)
  }
  return (subject, about) => {
    try {
      const given = step(subject, about)
      return isPromise(given) ? given.then(undefined, mark) : given
    } catch (error) {
      return mark(error)
    }
  }
}

/** The entries of a response that `afterFind` hooks see: `root`, those of the root alone; `below`, populated ones, too. */
export type WatchDepth = 'none' | 'root' | 'below'

/** Tells which entries of a response `afterFind` hooks see. */
export function watchedIn(node: QueryNode, hooks: (type: ContentType) => FoldedHooks): WatchDepth {
  const isBelow = node.children.some(({ nodes }) => nodes.some(inner => watchedIn(inner, hooks) !== 'none'))
  return isBelow ? 'below' : hooks(node.type).afterFind ? 'root' : 'none'
}

/** No plugin wants to see the rows of any type in the response, and nothing is marked in them. */
export function untouched(node: QueryNode, hooks: (type: ContentType) => FoldedHooks): boolean {
  const { afterFind, serialize } = hooks(node.type)
  return (
    !afterFind &&
    !serialize &&
    !node.marks &&
    node.children.every(({ nodes }) => nodes.every(inner => untouched(inner, hooks)))
  )
}
