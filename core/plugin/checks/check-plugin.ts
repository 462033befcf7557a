import { BootError } from '../../errors.js'
import type { Definition } from '../../schema/types.js'
import type { EnabledPlugin } from '../enabled.js'
import type { Job } from '../job.js'
import type { Hiding } from '../outline.js'
import { checkKind, mustBeFunction, mustNotWait, nameOf, type PartKind } from './kinds.js'

/** Refuses names and other values where plugins are expected. */
export function checkUses({ spec: { name: plugin, uses = [] } }: EnabledPlugin): void {
  for (const used of uses) {
    const { name, optional } = Object(used) as Partial<Record<'name' | 'optional', unknown>>
    if (typeof (Object(optional ?? used) as { name?: unknown }).name === 'string' && typeof used === 'object') continue
    throw new BootError(`plugin ${plugin}: uses has ${nameOf(name ?? used)}; expected plugins, or optional(plugin)`)
  }
}

const shared: PartKinds = { stored: ['object'], locks: ['list'], counts: ['list', 'function'] }
const worded: PartKinds = {
  ...{ options: ['object'], pluginOptions: ['object'] },
  ...{ relations: ['list'], headers: ['list', 'function'], parts: ['object'] },
}

export const checkShares = ({ spec: { name, shares = {} } }: EnabledPlugin): void =>
  checkWithin(name, 'shares', shares, shared)

export function checkWords({ spec: { name, words = {} } }: EnabledPlugin, headers: unknown): void {
  checkWithin(name, 'words', words, worded)
  checkHeaders(name, headers)
}

type PartKinds = Readonly<Record<string, readonly PartKind[]>>

/** Refuses names that a part made of smaller ones does not have. */
function checkWithin(plugin: string, part: string, given: object, known: PartKinds): void {
  for (const [name, value] of Object.entries(given)) {
    const kinds = Object.hasOwn(known, name) ? known[name] : undefined
    if (!kinds)
      throw new BootError(`plugin ${plugin}: ${part} has no "${name}"; there are ${Object.keys(known).join(', ')}`)
    checkKind(plugin, `${part}.${name}`, value, kinds)
  }
}

const observed = ['request', 'statement', 'job', 'outgoing', 'headers']

/** Refuses names that cannot be observed. */
export function checkObserve({ spec: { name, observe = {} } }: EnabledPlugin): void {
  for (const [kind, tell] of Object.entries(observe)) {
    if (!observed.includes(kind))
      throw new BootError(`plugin ${name}: "${kind}" cannot be observed; there are ${observed.join(', ')}`)
    mustBeFunction(name, `observe.${kind}`, tell)
  }
}

/** Refuses request headers that no client could send, and that would fail every preflight. */
function checkHeaders(plugin: string, given: unknown): void {
  if (!Array.isArray(given))
    throw new BootError(`plugin ${plugin}: words.headers gives ${nameOf(given)}; expected a list of names of headers`)
  for (const name of given)
    if (typeof name !== 'string' || !isHeader(name))
      throw new BootError(`plugin ${plugin}: ${JSON.stringify(name)} in words.headers is not the name of a header`)
}

const isHeader = (name: string): boolean => /^[\w!#$%&'*+.^`|~-]+$/.test(name)

/** Refuses entries that are hidden by nothing, or that messages could not name. */
export function checkHides({ spec: { name: plugin, hides } }: EnabledPlugin): void {
  if (!hides) return
  const { attribute, noun, when } = hides as Partial<Hiding>
  for (const [part, given] of Object.entries({ attribute, noun }))
    if (typeof given !== 'string' || given === '')
      throw new BootError(`plugin ${plugin}: hides has ${nameOf(given)} for "${part}"; expected text`)
  if (when !== undefined && when !== 'set' && when !== 'deleted')
    throw new BootError(`plugin ${plugin}: hides has ${nameOf(when)} for "when"; expected "set" or "deleted"`)
}

/** Refuses another place than the one before all others. */
export function checkAuthenticate({ spec: { name: plugin, authenticate } }: EnabledPlugin): void {
  if (typeof authenticate !== 'object') return
  const { before, run } = authenticate as { readonly before?: unknown; readonly run?: unknown }
  if (before !== 'others')
    throw new BootError(`plugin ${plugin}: authenticate has ${nameOf(before)} for "before"; expected "others"`)
  if (typeof run !== 'function')
    throw new BootError(`plugin ${plugin}: authenticate has ${nameOf(run)} for "run"; expected a function`)
}

/** Refuses steps of which no record could be kept, and two that would share one. */
export function checkOnce({ spec: { name: plugin, once = [] } }: EnabledPlugin): void {
  const names = new Set<unknown>()
  for (const step of once as readonly Partial<Record<'name' | 'forEach' | 'run', unknown>>[]) {
    const { name, forEach, run } = step ?? {}
    if (forEach !== undefined ? forEach !== 'type' : typeof name !== 'string' || name === '')
      throw new BootError(
        `plugin ${plugin}: a step of once has ${nameOf(forEach ?? name)}; expected a name, or forEach: 'type'`,
      )
    if (name !== undefined && names.has(name))
      throw new BootError(`plugin ${plugin}: two of its steps have the name "${name}"`)
    names.add(name)
    mustBeFunction(plugin, `"run" of the step ${forEach ? 'for each type' : `"${name}"`} of once`, run ?? null)
  }
}

/** Refuses checks that look at nothing. */
export function checkChecks({ spec: { name: plugin, checks = [] } }: EnabledPlugin): void {
  for (const check of checks as readonly Partial<Record<'name' | 'ready' | 'start' | 'run', unknown>>[]) {
    const part = 'ready' in check ? 'ready' : 'start' in check ? 'start' : 'run'
    const whose = part === 'run' ? `the check "${check.name}"` : 'a check'
    mustBeFunction(plugin, `"${part}" of ${whose}`, check[part] ?? null)
  }
}

const turns = ['every', 'cron', 'at']

/** Refuses jobs that would never run, or of which two would share a row. */
export function checkJobs(plugin: string, jobs: readonly Job[]): void {
  const names = new Set<unknown>()
  for (const job of jobs) {
    const { name, run } = job ?? {}
    if (typeof name !== 'string' || !/^[\w.-]{1,80}$/.test(name))
      throw new BootError(
        `plugin ${plugin}: a job has the name ${nameOf(name)}; expected up to 80 letters, digits, "-", "_" and "."`,
      )
    if (names.has(name)) throw new BootError(`plugin ${plugin}: two of its jobs have the name "${name}"`)
    names.add(name)
    mustBeFunction(plugin, `"run" of the job "${name}"`, run ?? null)
    if (turns.filter(key => Object.hasOwn(job, key)).length !== 1)
      throw new BootError(
        `plugin ${plugin}: the job "${name}" has to say when it runs, with one of ${turns.join(', ')}`,
      )
    if ('at' in job) mustBeFunction(plugin, `"at" of the job "${name}"`, job.at ?? null)
  }
}

/** Refuses parameters whose values could not be read, or only later. */
export function checkParams({ spec: { name, params = {} } }: EnabledPlugin): void {
  for (const [key, param] of Object.entries(params)) {
    mustBeFunction(name, `"read" of the parameter "${key}"`, param?.read ?? null)
    mustNotWait(name, `"read" of the parameter "${key}"`, param.read)
  }
}

/** Refuses types without what messages say of them, and types that others would take for those of another plugin or of the app. */
export function checkOwnTypes({ spec: { name, contentTypes = [], forApp } }: EnabledPlugin): void {
  for (const { uid, source, schema } of contentTypes as readonly Partial<Definition>[]) {
    if (typeof uid !== 'string') throw new BootError(`plugin ${name}: a content type has ${nameOf(uid)} for "uid"`)
    // The code of an app may bring types of plugins that are known to that app alone.
    const own = forApp ? 'plugin::' : `plugin::${name}.`
    if (/^(plugin|api)::/.test(uid) && !uid.startsWith(own))
      throw new BootError(
        `plugin ${name}: the content type "${uid}" belongs to others; expected a uid that begins with "${own}"`,
      )
    if (typeof source !== 'string' || source === '')
      throw new BootError(
        `plugin ${name}: the content type "${uid}" has ${nameOf(source)} for "source"; expected the file that declares it`,
      )
    if (typeof schema !== 'object' || schema === null)
      throw new BootError(
        `plugin ${name}: the content type "${uid}" has ${nameOf(schema)} for "schema"; expected an object`,
      )
  }
}
