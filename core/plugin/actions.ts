import { BootError } from '../errors.js'
import { crud, type KnownAction } from '../http/gate.js'
import type { RemovedRoute, Route } from '../http/parts.js'
import type { Registry } from '../schema/registry.js'
import { checkSettings } from './arrange.js'
import { actionsIn, routesIn, typeActionsIn, typeRoutesIn } from './declared.js'
import type { EnabledPlugin, RawPlugin } from './enabled.js'
import type { OfferedPlugin } from './plugin.js'

/** All actions of the app, those of content types first; known before the routes exist. */
export function actionsOf(registry: Registry, plugins: readonly EnabledPlugin[]): readonly KnownAction[] {
  const routed = [...registry.types.values()].filter(type => type.routed)
  const known = routed.flatMap(type => {
    const generated = type.kind === 'singleType' ? crud.filter(action => ofSingle.includes(action)) : crud
    const added = plugins.flatMap(plugin => typeRoutesIn(plugin, type))
    return [
      ...generated.map(action => ({ uid: type.uid, action })),
      ...added.flatMap(route => asked(route, type.uid)),
      ...plugins.flatMap(plugin => typeActionsIn(plugin, type).map(action => ({ uid: type.uid, action }))),
    ]
  })
  const own = plugins.flatMap(plugin => routesIn(plugin).flatMap(route => asked(route, `plugin::${plugin.spec.name}`)))
  const others = plugins.flatMap(actionsIn)
  const once = new Map([...known, ...own, ...others].map(one => [`${one.uid}.${one.action}`, one]))
  return [...once.values()]
}

/** The permission that a route of the API requires. */
function asked(route: Route | RemovedRoute, usual: string): KnownAction[] {
  if (route.removed || route.usualOnly || route.action === null) return []
  const { uid = usual, action } = route
  return [{ uid, action }]
}

/** Actions of plugins that are disabled: who may do them can be said already, and counts when they are enabled. */
export function dormantActions(registry: Registry, offered: readonly OfferedPlugin[], known: readonly KnownAction[]) {
  const off = offered.flatMap(({ plugin, enabled, config }): EnabledPlugin[] => {
    if (enabled) return []
    const spec = plugin as RawPlugin
    try {
      const plugin = { spec, config: checkSettings(spec, config) }
      actionsOf(registry, [plugin])
      return [plugin]
    } catch {
      // Settings and routes of a plugin that is disabled may be wrong: they are not used.
      return []
    }
  })
  const names = new Set(known.map(({ uid, action }) => `${uid}.${action}`))
  return actionsOf(registry, off).filter(({ uid, action }) => !names.has(`${uid}.${action}`))
}

const ofSingle = ['find', 'update', 'delete']

/** Reads text that names actions. Plugins that are disabled are loaded only if it names one that the others do not have. */
export async function knowing<Read>(
  {
    actions,
    dormantActions,
  }: { readonly actions: readonly KnownAction[]; dormantActions(): Promise<readonly KnownAction[]> },
  read: (actions: readonly KnownAction[]) => Read,
): Promise<Read> {
  try {
    return read(actions)
  } catch (problem) {
    if (!(problem instanceof BootError)) throw problem
    return read([...actions, ...(await dormantActions())])
  }
}
