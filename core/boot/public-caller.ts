import type { RestConfig } from '../config/types.js'
import { BootError } from '../errors.js'
import { crud, type KnownAction } from '../http/gate.js'
import type { Caller } from '../query/ask.js'
import type { Registry } from '../schema/registry.js'

/** The caller without credentials: may do what `config/api: rest.public` opens, and that is nothing by default. */
export function publicCaller(
  open: RestConfig['public'],
  registry: Registry,
  known: readonly KnownAction[] = [],
): Caller {
  if (open === true) return { scope: 'public', can: () => true }
  const granted = new Set<string>()
  if (Array.isArray(open))
    for (const action of open as readonly string[]) granted.add(checkAction(action, registry, known))
  else
    for (const [name, actions] of Object.entries(open)) {
      const type = [...registry.types.values()].find(
        ({ uid, singularName, routed }) => uid === name || (routed && singularName === name),
      )
      if (!type) {
        const names = [...registry.types.values()].filter(({ routed }) => routed).map(other => other.singularName)
        throw new BootError(
          `config/api: rest.public.${name} is neither the singular name nor the uid of a content type; there are ${names.join(', ') || 'none'}`,
        )
      }
      for (const action of actions === true ? crud : actions)
        granted.add(checkAction(`${type.uid}.${action}`, registry, known))
    }
  return {
    scope: 'public',
    can: (action, uid) => granted.has(`${uid}.${action}`),
    granting: permission => `add "${permission}" to rest.public in config/api`,
  }
}

/** Types whose endpoints no caller may use: fine while they are being made, and puzzling when that is forgotten. */
export function closedTypes(caller: Caller, registry: Registry): string[] {
  return [...registry.types.values()]
    .filter(({ routed, uid }) => routed && !crud.some(action => caller.can(action, uid)))
    .map(({ singularName }) => singularName)
}

/** Permissions of plugins' routes may be opened like those of the generated ones. */
function checkAction(action: string, registry: Registry, known: readonly KnownAction[]): string {
  const cut = action.lastIndexOf('.')
  const [uid, name] = [action.slice(0, cut), action.slice(cut + 1)]
  const ofUid = known.filter(one => one.uid === uid).map(one => one.action)
  if (ofUid.includes(name)) return action
  if (!registry.types.has(uid))
    throw new BootError(`config/api: rest.public names "${action}", and there is no content type "${uid}"`)
  if (uid.startsWith('api::') && !crud.includes(name))
    throw new BootError(
      `config/api: rest.public names "${action}"; the actions of a content type are ${[...new Set([...crud, ...ofUid])].join(', ')}`,
    )
  return action
}
