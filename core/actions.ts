import { appliesTo, type EnabledPlugin } from './arrange.js'
import { crud } from './http/gate.js'
import type { Registry } from './schema/registry.js'

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
  const own = plugins.flatMap(({ spec }) =>
    (spec.routes ?? []).flatMap(({ uid = `plugin::${spec.name}`, action }) =>
      action === null ? [] : [{ uid, action }],
    ),
  )
  const once = new Map([...known, ...own].map(one => [`${one.uid}.${one.action}`, one]))
  return [...once.values()]
}

const ofSingle = ['find', 'update', 'delete']
