import { BootError } from '../errors.js'
import type { KnownAction } from '../http/gate.js'
import type { RemovedRoute, Route } from '../http/parts.js'
import type { UidColumn } from '../layout/change/value-renames.js'
import { isPromise } from '../query/ask.js'
import type { TypeOutline } from '../schema/types.js'
import { mustBeList } from './checks/kinds.js'
import { checkAction, checkRoutes } from './checks/routes.js'
import type { EnabledPlugin, RawPlugin } from './enabled.js'
import type { Job } from './job.js'
import type { AppFile, Command, OnceStep, TypeStep } from './parts.js'

/** The declarations of plugins, as their settings and the types of the app decide. */

export function appliesTo(spec: RawPlugin, config: Readonly<Record<string, unknown>>, type: TypeOutline): boolean {
  const applies: unknown = spec.appliesTo ? spec.appliesTo(type, config) : true
  if (isPromise(applies)) throw new BootError(`plugin ${spec.name}: appliesTo gives a promise; expected true or false`)
  return Boolean(applies)
}

/** The names of the plugins that one needs, and of those that it does without. */
export function usesOf({ uses = [] }: RawPlugin): {
  readonly needs: readonly string[]
  readonly uses: readonly string[]
} {
  return {
    needs: uses.flatMap(used => ('optional' in used ? [] : [used.name])),
    uses: uses.flatMap(used => ('optional' in used ? [used.optional.name] : [])),
  }
}

/** The routes that a plugin has with its settings, and those that it takes away. */
export const routesIn = (plugin: EnabledPlugin): readonly (Route | RemovedRoute)[] =>
  checkRoutes(
    plugin.spec.name,
    allRoutes(plugin).filter(route => typeof route !== 'function'),
  )

/** The same for a type that has endpoints. */
export const typeRoutesIn = (plugin: EnabledPlugin, type: TypeOutline): readonly (Route | RemovedRoute)[] =>
  checkRoutes(plugin.spec.name, ofType(plugin, 'routes', allRoutes(plugin), type))

const allRoutes = ({ spec: { name, routes = [] }, config }: EnabledPlugin) =>
  mustBeList(name, 'routes', bySettings(routes, config))

/** The actions of its own that a plugin has besides those of its routes. */
export const actionsIn = ({ spec: { name, actions = [] } }: EnabledPlugin): readonly KnownAction[] => {
  const own = actions.filter(action => typeof action !== 'function')
  for (const { action } of own) checkAction(name, action)
  return own
}

/** The actions of its own on a type. */
export function typeActionsIn(plugin: EnabledPlugin, type: TypeOutline): readonly string[] {
  const { name, actions = [] } = plugin.spec
  const ofOne = ofType(plugin, 'actions', actions, type)
  for (const action of ofOne) checkAction(name, action)
  return ofOne
}

type OfType<Item> = (type: TypeOutline, config: EnabledPlugin['config']) => readonly Item[]

/** The results of the functions in a list, for a type to which the plugin applies. */
function ofType<Item>(
  { spec, config }: EnabledPlugin,
  part: string,
  list: readonly (object | OfType<Item>)[],
  type: TypeOutline,
): readonly Item[] {
  const functions = list.filter(one => typeof one === 'function') as OfType<Item>[]
  if (functions.length === 0 || !appliesTo(spec, config, type)) return []
  return functions.flatMap(one => mustBeList(spec.name, part, one(type, config)))
}

/** Columns that follow when a type is renamed, those of enabled plugins. */
export const uidColumnsOf = (plugins: readonly EnabledPlugin[]): readonly UidColumn[] =>
  plugins.flatMap(({ spec: { contentTypes = [] } }) =>
    contentTypes.flatMap(({ uid: type, uidColumns = [] }) => uidColumns.map(attribute => ({ type, attribute }))),
  )

export const jobsIn = ({ spec, config }: EnabledPlugin): readonly Job[] => bySettings(spec.jobs, config)

/** The request headers that a plugin says it reads. */
export const requestHeadersIn = ({ spec, config }: EnabledPlugin): readonly string[] =>
  bySettings(spec.words?.headers, config)

/** The names of its counts. */
export const countsIn = ({ spec, config }: EnabledPlugin): readonly string[] => bySettings(spec.shares?.counts, config)

export const hasCounts = (plugins: readonly EnabledPlugin[]): boolean =>
  plugins.some(plugin => countsIn(plugin).length > 0)

type BySettings<Item> = readonly Item[] | ((config: EnabledPlugin['config']) => readonly Item[])

const bySettings = <Item>(part: BySettings<Item> = [], config: EnabledPlugin['config']): readonly Item[] =>
  typeof part === 'function' ? part(config) : part

export const commandsIn = ({ commands = [] }: RawPlugin): readonly Command[] =>
  commands.filter(command => 'run' in command)

/** The files that `stele types` writes for it. */
export const filesIn = ({ commands = [] }: RawPlugin): readonly AppFile[] =>
  commands.filter(command => 'file' in command)

/** The steps that it does once in the life of a database. */
export const stepsIn = ({ spec: { once = [] } }: Pick<EnabledPlugin, 'spec'>): readonly OnceStep[] =>
  once.filter(step => step.forEach === undefined)

/** The steps that it does with each type that it begins to apply to. */
export const typeStepsIn = ({ spec: { once = [] } }: EnabledPlugin): readonly TypeStep[] =>
  once.filter(step => step.forEach !== undefined)
