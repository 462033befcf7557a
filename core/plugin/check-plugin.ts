import type { Format, HeaderTest } from '../content/format.js'
import { ofQueries, ofTransactions, stops, waiting } from '../content/hooks.js'
import { BootError } from '../errors.js'
import type { MiddlewarePlace, RemovedRoute, Route } from '../http/parts.js'
import { isPromise } from '../query/ask.js'
import { operators } from '../query/filters.js'
import type { Measure } from '../schema/kinds.js'
import { representations } from '../schema/representation.js'
import type { Definition } from '../schema/types.js'
import type { EnabledPlugin } from './enabled.js'
import type { Job } from './job.js'
import type { Hiding } from './outline.js'

/** The kind of value of a part. */
export type PartKind = 'text' | 'list' | 'object' | 'function'

const tests: Readonly<Record<PartKind, (given: unknown) => boolean>> = {
  text: given => typeof given === 'string',
  list: Array.isArray,
  object: given => typeof given === 'object' && given !== null && !Array.isArray(given),
  function: given => typeof given === 'function',
}
const articles: Readonly<Record<PartKind, string>> = {
  text: 'text',
  list: 'a list',
  object: 'an object',
  function: 'a function',
}

/** Refuses a part of another kind, which only a request would find out. Undefined parts are left out. */
export function checkKind(plugin: string, part: string, given: unknown, kinds: readonly PartKind[]): void {
  if (given === undefined || kinds.some(kind => tests[kind](given))) return
  const expected = kinds.map(kind => articles[kind]).join(' or ')
  throw new BootError(`plugin ${plugin}: ${part} is ${nameOf(given)}; expected ${expected}`)
}

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
  ...{ relations: ['list'], headers: ['list', 'function'] },
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

/** The list that a function of the settings, or of a type, gives. */
export function mustBeList<Item>(plugin: string, part: string, given: readonly Item[]): readonly Item[] {
  if (Array.isArray(given)) return given
  throw new BootError(`plugin ${plugin}: ${part} gives ${nameOf(given)}; expected a list`)
}

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

const middlewarePlaces: readonly MiddlewarePlace[] = ['cors', 'routing', 'authentication', 'handler']

/** The places where middleware may be for one path. */
const pathPlaces: readonly MiddlewarePlace[] = ['cors', 'routing']

/** Refuses middleware at a place that does not exist, where it would never run. */
export function checkMiddleware({ spec: { name, middleware = [] } }: EnabledPlugin): void {
  for (const placed of middleware) {
    if (!middlewarePlaces.includes(placed?.before))
      throw new BootError(
        `plugin ${name}: its middleware stands before ${nameOf(placed?.before)}; expected one of ${middlewarePlaces.join(', ')}`,
      )
    const { before, below } = placed
    const isPath = typeof below === 'string' && /^(\/[^/A-Z%?#]+)+$/.test(below)
    if (below === undefined ? before === 'cors' : !isPath || !pathPlaces.includes(before))
      throw new BootError(
        `plugin ${name}: its middleware before ${before} is below ${nameOf(below)}; expected a path in small letters such as "/pages", which only those before cors and routing have`,
      )
    mustBeFunction(name, `the "run" of its middleware before ${placed.before}`, placed.run ?? null)
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

const turns = ['every', 'cron', 'at']

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

/** Refuses a value that is no function; undefined stands for a part that is left out. */
function mustBeFunction(plugin: string, what: string, given: unknown): void {
  if (given === undefined || typeof given === 'function') return
  throw new BootError(`plugin ${plugin}: ${what} is ${nameOf(given)}; expected a function`)
}

/** An async function where the result is needed at once would fail with every request. */
function mustNotWait(plugin: string, what: string, given: unknown): void {
  if (isAsync(given))
    throw new BootError(`plugin ${plugin}: ${what} is async; expected a function that returns its result at once`)
}
const isAsync = (given: unknown): boolean => Object.prototype.toString.call(given) === '[object AsyncFunction]'

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

/** Refuses a name that could not be told from the uid before it. */
export function checkAction(plugin: string, name: unknown): void {
  if (typeof name !== 'string' || !isAction(name))
    throw new BootError(`plugin ${plugin}: actions has the action ${nameOf(name)}; ${actionName}`)
}

const isAction = (name: string): boolean => /^[^\s.]+$/.test(name)
const actionName = 'expected a name without a dot, as what stands before the last dot of a permission is its uid'

/** Refuses formats that would fail with the first response, and those that no request could choose. */
export function checkFormats({ spec: { name, formats = {} } }: EnabledPlugin): void {
  for (const [key, format] of Object.entries(formats)) {
    const problem = formatProblem(format)
    if (problem !== undefined) throw new BootError(`plugin ${name}: the format "${key}" has ${problem}`)
  }
}

function formatProblem(format: Format | undefined): string | undefined {
  const { shape, entry, error, idText, mediaType } = format ?? ({} as Partial<Format>)
  for (const part of ['one', 'many'] as const)
    if (typeof format?.[part] !== 'function') return `${nameOf(format?.[part])} for "${part}"; expected a function`
  if (entry !== 'nested' && entry !== 'plain') return `${nameOf(entry)} for "entry"; expected "nested" or "plain"`
  if (error !== undefined && typeof error !== 'function') return `${nameOf(error)} for "error"; expected a function`
  if (idText !== undefined && typeof idText !== 'string')
    return `${nameOf(idText)} for "idText"; expected the name of a property`
  if (mediaType !== undefined && !/^[\w.+-]+\/[\w.+-]*json(; *[\w-]+=[\w.-]+)*$/.test(String(mediaType)))
    return `${nameOf(mediaType)} for "mediaType"; expected one of JSON, such as application/vnd.api+json`
  for (const part of ['one', 'many', 'error'] as const)
    if (isAsync(format?.[part])) return `an async function for "${part}"; expected one that returns its result at once`
    else if (
      shape !== undefined &&
      typeof shape?.[part] !== 'function' &&
      (part !== 'error' || shape?.error !== undefined)
    )
      return `${nameOf(shape?.[part])} for "shape.${part}"; expected a function`
  return headerProblem('wants', format?.wants) ?? servesProblem(format)
}

function servesProblem({ serves }: Partial<Format> = {}): string | undefined {
  if (serves === undefined) return undefined
  if (typeof serves?.test !== 'function') return `${nameOf(serves?.test)} for "serves.test"; expected a function`
  return headerProblem('serves.unless', serves.unless)
}

function headerProblem(part: string, said: HeaderTest | undefined): string | undefined {
  if (said === undefined) return undefined
  if (typeof said?.header !== 'string' || !/^[\w-]+$/.test(said.header))
    return `${nameOf(said?.header)} for "${part}.header"; expected the name of a header`
  return typeof said.test === 'function' ? undefined : `${nameOf(said.test)} for "${part}.test"; expected a function`
}

const families: readonly unknown[] = ['text', 'order', 'equality']

/** Refuses attribute types that no column or link could be made of. */
export function checkFieldTypes({ spec: { name, fieldTypes = [] } }: EnabledPlugin): void {
  for (const kind of fieldTypes) {
    const problem = kindProblem(kind as Partial<UncheckedType> | undefined)
    if (problem !== undefined)
      throw new BootError(`plugin ${name}: the attribute type ${nameOf(kind?.name)} has ${problem}`)
  }
}

function kindProblem({
  name,
  kind,
  as,
  operators: family,
  write,
  operand,
  link,
  measures,
}: Partial<UncheckedType> = {}): string | undefined {
  if (typeof name !== 'string' || name === '') return `${nameOf(name)} for "name"; expected its name`
  if (kind === 'link') return typeof link === 'function' ? undefined : `${nameOf(link)} for "link"; expected a function`
  if (kind !== 'value') return `${nameOf(kind)} for "kind"; expected "value" or "link"`
  if (!Object.hasOwn(representations, String(as)))
    return `${nameOf(as)} for "as"; expected one of ${Object.keys(representations).join(', ')}`
  if (!families.includes(family)) return `${nameOf(family)} for "operators"; expected one of ${families.join(', ')}`
  if (typeof write !== 'function') return `${nameOf(write)} for "write"; expected a function`
  if (typeof operand !== 'function') return `${nameOf(operand)} for "operand"; expected a function`
  return measuresProblem(measures)
}

function measuresProblem(measures: unknown = {}): string | undefined {
  for (const [name, measure] of Object.entries(measures as Readonly<Record<string, Partial<Measure>>>)) {
    if (!/^\$[a-z]\w*$/i.test(name)) return `the measure "${name}"; expected a name that begins with a dollar sign`
    if (Object.hasOwn(operators, name) || ['$and', '$or', '$not', '$none'].includes(name))
      return `the measure "${name}", which is an operator of every attribute; expected another name`
    for (const part of ['read', 'number', 'atMost'] as const)
      if (typeof measure?.[part] !== 'function')
        return `${nameOf(measure?.[part])} for "${part}" of its measure "${name}"; expected a function`
  }
  return undefined
}

/** An attribute type as JavaScript lets it be written. */
type UncheckedType = Readonly<
  Record<'name' | 'kind' | 'as' | 'operators' | 'write' | 'operand' | 'link' | 'measures', unknown>
>

const methods = ['GET', 'QUERY', 'POST', 'PUT', 'PATCH', 'DELETE', 'ALL']

/** Refuses routes that no request could reach, and routes that are open without saying so; returns the others. */
export function checkRoutes(
  plugin: string,
  given: readonly (Route | RemovedRoute)[],
): readonly (Route | RemovedRoute)[] {
  for (const route of given as readonly LooseRoute[]) {
    const problem = route?.removed === true ? removalProblem(route) : (problemOf(route) ?? standingProblem(route))
    if (problem !== undefined)
      throw new BootError(`plugin ${plugin}: the route ${route?.method} ${route?.path}: ${problem}`)
  }
  return given
}

/** A route, or one that is taken away, as JavaScript lets it be written. */
type LooseRoute = Partial<Record<keyof Route, unknown>>

const removalProblem = ({ uid, action, method, path }: LooseRoute): string | undefined =>
  isEndpoint({ uid, action }) || (methods.includes(method as string) && typeof path === 'string')
    ? undefined
    : 'it is removed; expected the uid and the action of a generated endpoint, or the method and the path of a route'

const isEndpoint = (given: unknown): boolean => {
  const { uid, action } = Object(given) as LooseRoute
  return typeof uid === 'string' && typeof action === 'string'
}

/** The complaint about how a route stands among others. */
function standingProblem({ matches, actsAs, first, replaces, credentials }: LooseRoute): string | undefined {
  for (const [name, pattern] of Object.entries(Object(matches)))
    if (!(pattern instanceof RegExp)) return `its "matches" has ${nameOf(pattern)} for "${name}"; expected a RegExp`
  if (actsAs !== undefined && !isEndpoint(actsAs))
    return `its "actsAs" is ${nameOf(actsAs)}; expected { uid, action } of a generated endpoint`
  for (const [name, given] of Object.entries({ first, replaces }))
    if (given !== undefined && given !== true) return `its "${name}" is ${nameOf(given)}; expected true`
  if (credentials !== undefined && credentials !== 'needed' && credentials !== 'ignored')
    return `its "credentials" is ${nameOf(credentials)}; expected "needed" or "ignored"`
  return undefined
}

function problemOf(route: LooseRoute | undefined): string | undefined {
  const { method, path, at, action, open, run } = route ?? {}
  if (!methods.includes(method as string))
    return `its method is ${nameOf(method)}; expected one of ${methods.join(', ')}, in capital letters`
  if (typeof path !== 'string' || !path.startsWith('/'))
    return `its path is ${nameOf(path)}; expected one that begins with a slash`
  if (at !== undefined && at !== 'api' && at !== 'root') return `its "at" is ${nameOf(at)}; expected "api" or "root"`
  if (action !== null && (typeof action !== 'string' || action === ''))
    return `its action is ${nameOf(action)}; expected action: '<name>', the permission that it requires, or action: null, which requires none`
  if (action !== null && !isAction(action)) return `its action is "${action}"; ${actionName}`
  if (open !== undefined && open !== 'developing') return `its "open" is ${nameOf(open)}; expected "developing"`
  if (typeof run !== 'function' && run !== 'generated')
    return `its "run" is ${nameOf(run)}; expected a function, or "generated"`
  return undefined
}

function nameOf(given: unknown): string {
  if (isPromise(given)) return 'a promise'
  if (given === undefined) return 'missing'
  return typeof given === 'string' || given === null ? JSON.stringify(given) : `of type ${typeof given}`
}
