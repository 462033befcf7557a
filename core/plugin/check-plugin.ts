import type { Format } from '../content/format.js'
import { knowingBefore, ofQueries, waiting } from '../content/hooks.js'
import { BootError } from '../errors.js'
import type { MiddlewarePlace, Route } from '../http/parts.js'
import { isPromise } from '../query/ask.js'
import { operators } from '../query/filters.js'
import type { Measure } from '../schema/kinds.js'
import { representations } from '../schema/representation.js'
import type { Definition } from '../schema/types.js'
import type { EnabledPlugin, RawPlugin } from './arrange.js'
import { jobsIn, requestHeadersIn } from './running.js'

const functions = [
  'appliesTo',
  'verify',
  'register',
  'close',
  'refresh',
  'authenticate',
  'typeRoutes',
  'typeActions',
  'health',
  'responseHeaders',
  'caching',
  'adopt',
] as const

const observed = ['request', 'statement', 'job', 'outgoing']

/** Refuses hooks and other parts that are no functions, which only a request would find out. */
export function checkFunctions(spec: RawPlugin): void {
  for (const part of functions) mustBeFunction(spec.name, part, spec[part])
  for (const [kind, tell] of Object.entries(spec.observe ?? {})) {
    if (!observed.includes(kind))
      throw new BootError(`plugin ${spec.name}: "${kind}" cannot be observed; there are ${observed.join(', ')}`)
    mustBeFunction(spec.name, `observe.${kind}`, tell)
  }
  for (const [stop, hook] of Object.entries(spec.hooks ?? {})) checkHook(spec.name, stop, hook)
}

/** A hook in the form of an object, with what plugins without types may have put there. */
type DeclaredHook = Readonly<Partial<Record<'run' | 'before' | 'joins' | 'readsValues', unknown>>>

function checkHook(plugin: string, stop: string, given: unknown): void {
  const isObject = typeof given === 'object' && given !== null
  const hook: DeclaredHook = isObject ? given : { run: given }
  const isOneOf = (stops: readonly string[]) => stops.includes(stop)
  if (!isOneOf(waiting)) mustNotWait(plugin, `the hook ${stop}`, hook.run)
  if (isObject && isOneOf(ofQueries)) {
    if (hook.readsValues !== false || typeof hook.run !== 'function')
      throw new BootError(
        `plugin ${plugin}: the hook ${stop} is neither a function nor { readsValues: false, run }, which reads no value of filters and not which page is asked for`,
      )
  } else if (!isObject || !isOneOf(knowingBefore)) mustBeFunction(plugin, `the hook ${stop}`, given)
  else if (hook.before !== true || typeof hook.run !== 'function')
    throw new BootError(
      `plugin ${plugin}: the hook ${stop} is neither a function nor { before: true, run }, which has the row read as it was before the write`,
    )
  else if ('joins' in hook && (stop !== 'afterWrite' || hook.joins !== true))
    throw new BootError(
      `plugin ${plugin}: the hook ${stop} has "joins", which can only be true, and only in afterWrite`,
    )
}

const middlewarePlaces: readonly MiddlewarePlace[] = ['routing', 'authentication', 'handler']

/** Refuses middleware at a place that does not exist, where it would never run. */
export function checkMiddleware({ name, middleware = [] }: RawPlugin): void {
  for (const placed of middleware) {
    if (!middlewarePlaces.includes(placed?.before))
      throw new BootError(
        `plugin ${name}: its middleware stands before ${nameOf(placed?.before)}; expected one of ${middlewarePlaces.join(', ')}`,
      )
    mustBeFunction(name, `the "run" of its middleware before ${placed.before}`, placed.run ?? null)
  }
}

/** Refuses request headers that no client could send, and that would fail every preflight. */
export function checkHeaders(enabled: EnabledPlugin): void {
  const given: unknown = requestHeadersIn(enabled)
  const { name: plugin } = enabled.spec
  if (!Array.isArray(given))
    throw new BootError(`plugin ${plugin}: requestHeaders gives ${nameOf(given)}; expected a list of names of headers`)
  for (const name of given)
    if (typeof name !== 'string' || !isHeader(name))
      throw new BootError(`plugin ${plugin}: ${JSON.stringify(name)} in requestHeaders is not the name of a header`)
}

const isHeader = (name: string): boolean => /^[\w!#$%&'*+.^`|~-]+$/.test(name)

const turns = ['every', 'cron', 'at']

/** Refuses jobs that would never run, or of which two would share a row. */
export function checkJobs(enabled: EnabledPlugin): void {
  const plugin = enabled.spec.name
  const names = new Set<unknown>()
  for (const job of jobsIn(enabled)) {
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

/** What is undefined is left out. */
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
export function checkParams({ name, params = {} }: RawPlugin): void {
  for (const [key, param] of Object.entries(params)) {
    mustBeFunction(name, `"read" of the parameter "${key}"`, param?.read ?? null)
    mustNotWait(name, `"read" of the parameter "${key}"`, param.read)
  }
}

/** Refuses types without what messages say of them, and types that others would take for those of another plugin or of the app. */
export function checkOwnTypes({ name, contentTypes = [] }: RawPlugin): void {
  for (const { uid, source, schema } of contentTypes as readonly Partial<Definition>[]) {
    if (typeof uid !== 'string') throw new BootError(`plugin ${name}: a content type has ${nameOf(uid)} for "uid"`)
    const own = `plugin::${name}.`
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

/** Refuses names that would not be told from the uid in front of them. */
export function checkActions(plugin: string, part: string, names: readonly unknown[]): void {
  for (const name of names)
    if (typeof name !== 'string' || !isAction(name))
      throw new BootError(`plugin ${plugin}: ${part} has the action ${nameOf(name)}; ${actionName}`)
}

const isAction = (name: string): boolean => /^[^\s.]+$/.test(name)
const actionName = 'expected a name without a dot, as what stands before the last dot of a permission is its uid'

/** Refuses formats that would fail with the first response, and those that no request could choose. */
export function checkFormats({ name, formats = {} }: RawPlugin): void {
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
  return wantsProblem(format)
}

function wantsProblem({ wants }: Partial<Format> = {}): string | undefined {
  if (wants === undefined) return undefined
  if (typeof wants?.header !== 'string' || !/^[\w-]+$/.test(wants.header))
    return `${nameOf(wants?.header)} for "wants.header"; expected the name of a header`
  return typeof wants.test === 'function' ? undefined : `${nameOf(wants.test)} for "wants.test"; expected a function`
}

const families: readonly unknown[] = ['text', 'order', 'equality']

/** Refuses attribute types that no column or link could be made of. */
export function checkFieldTypes({ name, fieldTypes = [] }: RawPlugin): void {
  for (const kind of fieldTypes) {
    const problem = kindProblem(kind as Partial<Loose> | undefined)
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
}: Partial<Loose> = {}): string | undefined {
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
type Loose = Readonly<Record<'name' | 'kind' | 'as' | 'operators' | 'write' | 'operand' | 'link' | 'measures', unknown>>

const methods = ['GET', 'QUERY', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Refuses routes that no request could reach, and routes that are open without saying so; returns the others. */
export function checkRoutes(plugin: string, part: string, given: unknown): readonly Route[] {
  if (!Array.isArray(given)) throw new BootError(`plugin ${plugin}: ${part} gives ${nameOf(given)}; expected a list`)
  for (const route of given as readonly Route[]) {
    const problem = problemOf(route)
    if (problem !== undefined)
      throw new BootError(`plugin ${plugin}: the route ${route?.method} ${route?.path}: ${problem}`)
  }
  return given
}

function problemOf(route: Route | undefined): string | undefined {
  const { method, path, at, action, open, run } = route ?? ({} as Partial<Route>)
  if (!methods.includes(method as string))
    return `its method is ${nameOf(method)}; expected one of ${methods.join(', ')}, in capital letters`
  if (typeof path !== 'string' || !path.startsWith('/'))
    return `its path is ${nameOf(path)}; expected one that begins with a slash`
  if (at !== undefined && at !== 'api' && at !== 'root') return `its "at" is ${nameOf(at)}; expected "api" or "root"`
  if (action !== null && (typeof action !== 'string' || action === ''))
    return `its action is ${nameOf(action)}; expected action: '<name>', the permission that it requires, or action: null, which requires none`
  if (action !== null && !isAction(action)) return `its action is "${action}"; ${actionName}`
  if (open !== undefined && open !== 'developing') return `its "open" is ${nameOf(open)}; expected "developing"`
  if (typeof run !== 'function') return `its "run" is ${nameOf(run)}; expected a function`
  return undefined
}

function nameOf(given: unknown): string {
  if (isPromise(given)) return 'a promise'
  if (given === undefined) return 'missing'
  return typeof given === 'string' || given === null ? JSON.stringify(given) : `of type ${typeof given}`
}
