import { crud } from '../http/gate.js'
import type { OfferedPlugin } from '../kernel.js'
import type { Registry } from '../schema/registry.js'
import { appliesTo, checkSettings, type EnabledPlugin, type RawPlugin, routesIn } from './arrange.js'

/** An action that some route asks for: what callers may be allowed to do. */
export interface KnownAction {
  readonly uid: string
  readonly action: string
}

/** All actions of the app, those of content types first; known before the routes exist. */
export function actionsOf(registry: Registry, plugins: readonly EnabledPlugin[]): readonly KnownAction[] {
  const routed = [...registry.types.values()].filter(type => type.routed)
  const known = routed.flatMap(type => {
    const generated = type.kind === 'singleType' ? crud.filter(action => ofSingle.includes(action)) : crud
    const added = plugins.flatMap(({ spec, config }) =>
      spec.typeRoutes && appliesTo(spec, config, type) ? [...spec.typeRoutes(type, config as never)] : [],
    )
    return [
      ...generated.map(action => ({ uid: type.uid, action })),
      ...added.flatMap(({ uid = type.uid, action }) => (action === null ? [] : [{ uid, action }])),
    ]
  })
  const own = plugins.flatMap(plugin =>
    routesIn(plugin).flatMap(({ uid = `plugin::${plugin.spec.name}`, action }) =>
      action === null ? [] : [{ uid, action }],
    ),
  )
  const once = new Map([...known, ...own].map(one => [`${one.uid}.${one.action}`, one]))
  return [...once.values()]
}

/** Actions of plugins that are off: who may do them can be said already, and counts when they are on. */
export function dormantActions(registry: Registry, offered: readonly OfferedPlugin[], known: readonly KnownAction[]) {
  const off = offered.flatMap(({ plugin, enabled, config }): EnabledPlugin[] => {
    if (enabled) return []
    const spec = plugin as unknown as RawPlugin
    try {
      return [{ spec, config: checkSettings(spec, config) }]
    } catch {
      // Settings of a plugin that is off may be wrong: nobody reads them.
      return []
    }
  })
  const names = new Set(known.map(({ uid, action }) => `${uid}.${action}`))
  return actionsOf(registry, off).filter(({ uid, action }) => !names.has(`${uid}.${action}`))
}

const ofSingle = ['find', 'update', 'delete']
