import type { Engine } from '../engines/engine.js'
import { BootError } from '../errors.js'
import { lock } from '../layout/marks.js'
import type { Log } from '../log.js'
import { countsIn } from './declared.js'
import type { EnabledPlugin, RawPlugin } from './enabled.js'
import type { AppOutline } from './outline.js'
import type { ReadyCheck, ServiceMethods, Starting } from './parts.js'
import type { Counts, CountsParts, CountsStore } from './processes/counts.js'

/** The services that plugins made at start, by their names. */
export type Services = ReadonlyMap<string, unknown>

type RawHost = Parameters<NonNullable<RawPlugin['register']>>[0]

/** The members of the host that show the app: its outline, and the most used parts of it. */
export const seenOf = (outline: AppOutline): Pick<RawHost, 'app' | 'types' | 'actions' | 'outline'> => {
  const { app, types, actions } = outline
  return { app, types, actions, outline }
}

/** Asks each plugin whether it can start at all. */
export async function checkStart(plugins: readonly EnabledPlugin[], app: Omit<Starting, 'config'>): Promise<void> {
  for (const { spec, config } of plugins)
    for (const check of spec.checks ?? [])
      if ('start' in check) await starting(spec, () => check.start({ ...app, config }))
}

export const register = (spec: RawPlugin, host: RawHost): Promise<unknown> =>
  starting(spec, () => spec.register?.(host))

/** A step of the start that belongs to a plugin: an error names it. */
export async function starting<Result>({ name }: RawPlugin, work: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (cause) {
    throw new BootError(`plugin ${name} could not start: ${(cause as Error).message}${placeOf(cause)}`, { cause })
  }
}

/** Lets a service do what needs the whole app. */
export const begin = (spec: RawPlugin, service: unknown): Promise<void> =>
  starting(spec, () => methodOf(service, 'begin')?.())

/** The line of code that an error comes from; a refusal says all there is to know. */
function placeOf(error: unknown): string {
  if (error instanceof BootError || !(error instanceof Error)) return ''
  const places = (error.stack ?? '').split('\n').map(line => {
    const call = line.trim()
    if (!call.startsWith('at ')) return ''
    return call
      .slice(Math.max(call.lastIndexOf(' '), call.lastIndexOf('(')) + 1)
      .replace('file://', '')
      .replace(')', '')
  })
  const place = places.find(one => one.startsWith('/'))
  return place === undefined ? '' : ` (${place})`
}

/** The locks that a plugin has declared: only for those is there certain to be a row. */
export function lockOf(
  engine: Engine,
  { name: plugin, shares: { locks = [] } = {} }: Pick<RawPlugin, 'name' | 'shares'>,
): RawHost['shares']['lock'] {
  return async (session, name) => {
    if (!locks.includes(name)) throw new Error(`plugin ${plugin} declares no lock "${name}"`)
    await lock(engine, session, `${plugin}/${name}`)
  }
}

/** The counts that a plugin has declared: only for those is there certain to be a table. */
export function countsOf(enabled: EnabledPlugin, store: CountsStore, parts: CountsParts): (name: string) => Counts {
  const names = countsIn(enabled)
  const { name: plugin } = enabled.spec
  return name => {
    if (!names.includes(name)) throw new Error(`plugin ${plugin} declares no counts "${name}"`)
    return store.open(`${plugin}/${name}`, parts)
  }
}

/** A method of a service that the server calls, if the service has it. */
export function methodOf<Name extends keyof ServiceMethods>(service: unknown, name: Name): ServiceMethods[Name] {
  const method = (service as Partial<ServiceMethods> | null | undefined)?.[name]
  return typeof method === 'function'
    ? (((...given: unknown[]) =>
        (method as (...given: unknown[]) => unknown).apply(service, given)) as ServiceMethods[Name])
    : undefined
}

/** The lines of all services for the person in front of the terminal. */
export async function linesOf(services: readonly unknown[]): Promise<string[]> {
  const lines: string[] = []
  for (const service of services) lines.push(...((await methodOf(service, 'tell')?.()) ?? []))
  return lines
}

/** Tells the services that keep a record of an action of a plugin, one after the other. */
export const recorderOf =
  (services: Services, plugin: string): RawHost['record'] =>
  async (action, session) => {
    for (const service of services.values()) await methodOf(service, 'keepRecord')?.({ ...action, plugin }, session)
  }

export async function stop(spec: RawPlugin, service: unknown): Promise<void> {
  try {
    await methodOf(service, 'close')?.()
  } catch (cause) {
    throw new Error(`plugin ${spec.name} could not stop: ${(cause as Error).message}`, { cause })
  }
}

/** Takes every step back in the reverse order of the start; a plugin that fails to stop keeps no other from it. */
export async function unwind(undo: readonly (() => unknown)[]): Promise<void> {
  const errors: unknown[] = []
  for (const step of [...undo].reverse())
    try {
      await step()
    } catch (error) {
      errors.push(error)
    }
  if (errors.length > 0) throw errors[0]
}

/** The parts of the server that its readiness depends on. */
export interface Vitals {
  readonly gate: { readonly open: boolean }
  readonly engine: Engine
  readonly plugins: readonly EnabledPlugin[]
  readonly services: Services
  readonly log: Log
}

/** The problems that keep the server from answering well; none if it is ready. */
export async function readiness({ gate, engine, plugins, services, log }: Vitals): Promise<string[]> {
  if (!gate.open) return ['the server is stopping']
  const problems: string[] = []
  await engine.ping().catch(() => problems.push('the database does not answer'))
  for (const { spec } of plugins) {
    for (const check of spec.checks ?? []) {
      const said = 'ready' in check ? await isReady(check, spec.name, services, log) : true
      if (said !== true) problems.push(`${spec.name}: ${said}`)
    }
  }
  return problems
}

/** Reports a problem that any client may know; an error of the check itself stays in the log. */
async function isReady({ ready }: ReadyCheck, plugin: string, services: Services, log: Log): Promise<true | string> {
  try {
    return await ready(services.get(plugin))
  } catch (error) {
    log.error({ err: error, plugin }, 'a health check failed')
    return 'its check failed'
  }
}
