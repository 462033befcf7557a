import { ofQueries, ofTransactions, stops, waiting } from '../../content/hooks/hooks.js'
import { BootError } from '../../errors.js'
import type { EnabledPlugin } from '../enabled.js'
import { mustBeFunction, mustNotWait, nameOf } from './kinds.js'

/** Refuses hooks at stops that do not exist, and those that are no functions. */
export function checkHooks({ spec: { name, hooks = {} } }: EnabledPlugin): void {
  for (const [stop, hook] of Object.entries(hooks)) {
    if (!stops.some(known => known === stop))
      throw new BootError(`plugin ${name}: "${stop}" is no hook; there are ${stops.join(', ')}`)
    checkHook(name, stop, hook)
  }
}

/** A hook in the form of an object, with what plugins without types may have put there. */
type DeclaredHook = Readonly<Partial<Record<'run' | 'before' | 'readsValues' | 'last', unknown>>>

function checkHook(plugin: string, stop: string, given: unknown): void {
  const isObject = typeof given === 'object' && given !== null
  const hook: DeclaredHook = isObject ? given : { run: given }
  const isOneOf = (stops: readonly string[]) => stops.includes(stop)
  if (!isOneOf(waiting)) mustNotWait(plugin, `the hook ${stop}`, hook.run)
  if (hook.last !== undefined && hook.last !== true)
    throw new BootError(
      `plugin ${plugin}: the hook ${stop} has ${nameOf(hook.last)} for "last", which can only be true`,
    )
  if (isOnlyLast(hook)) return
  if (isObject && isOneOf(ofQueries)) {
    if (hook.readsValues !== false || typeof hook.run !== 'function')
      throw new BootError(
        `plugin ${plugin}: the hook ${stop} is neither a function nor { readsValues: false, run }, which reads no value of filters and not which page is asked for`,
      )
  } else if (!isObject || !isOneOf(ofTransactions)) mustBeFunction(plugin, `the hook ${stop}`, given)
  else if (hook.before !== true || typeof hook.run !== 'function')
    throw new BootError(
      `plugin ${plugin}: the hook ${stop} is neither a function nor { before: true, run }, which has the row read as it was before the write`,
    )
}

/** A hook that is the last one need say nothing else. */
const isOnlyLast = ({ last, run, before, readsValues }: DeclaredHook): boolean =>
  last === true && typeof run === 'function' && [before, readsValues].every(given => given === undefined)
