import type { Context } from 'koa'
import type { KnownAction } from '../boot/actions.js'
import type { RestConfig } from '../config/types.js'
import { BootError, ForbiddenError, UnauthorizedError } from '../errors.js'
import type { Caller } from '../hooks.js'
import type { Registry } from '../schema/registry.js'

/** Asks one plugin whether it knows the credentials of a request. */
export type Authenticator = (ctx: Context) => Caller | undefined | Promise<Caller | undefined>

/** Finds out who is asking. Without a plugin that knows, everybody is the caller of `rest.public`, and nobody with credentials. */
export function callerOf(
  authenticators: readonly Authenticator[],
  anonymous: Caller,
): (ctx: Context) => Caller | Promise<Caller> {
  if (authenticators.length === 0) return () => anonymous
  // Who is known without waiting is not waited for.
  const ask = (ctx: Context, from: number): Caller | Promise<Caller> => {
    const found = authenticators[from]?.(ctx)
    if (found instanceof Promise) return found.then(caller => (caller ? checked(caller) : ask(ctx, from + 1)))
    if (found) return checked(found)
    if (from < authenticators.length) return ask(ctx, from + 1)
    if (bearerOf(ctx) !== undefined) throw new UnauthorizedError()
    return anonymous
  }
  return ctx => ask(ctx, 0)
}

function checked(caller: Caller): Caller {
  if (caller.scope.includes('\n')) throw new Error('the scope of a caller must not contain a line break')
  return caller
}

/** The word behind the scheme `Bearer`, in any case: anything else in the header is no credentials at all. */
export function bearerOf({ headers }: Pick<Context, 'headers'>): string | undefined {
  return headers.authorization === undefined ? undefined : bearer.exec(headers.authorization)?.[1]
}
const bearer = /^\s*bearer\s+(\S+)\s*$/i

/** Nobody may do what nobody allowed. */
export function permit(caller: Caller, action: string, uid: string): void {
  if (caller.can(action, uid)) return
  throw caller.refusal === 401 ? new UnauthorizedError() : new ForbiddenError()
}

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
  return { scope: 'public', can: (action, uid) => granted.has(`${uid}.${action}`) }
}

/** Types with endpoints that answer nobody: right while they are made, and puzzling to whoever made them. */
export function closedTypes(caller: Caller, registry: Registry): string[] {
  return [...registry.types.values()]
    .filter(({ routed, uid }) => routed && !crud.some(action => caller.can(action, uid)))
    .map(({ singularName }) => singularName)
}

/** The actions of a content type. */
export const crud = ['find', 'findOne', 'create', 'update', 'delete']

/** What routes of plugins ask for may be opened like what the generated ones ask for. */
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
