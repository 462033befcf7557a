import type { Context } from 'koa'
import { ForbiddenError, UnauthorizedError } from '../errors.js'
import { type Caller, immediate, mayDo, missingPermission } from '../query/ask.js'
import type { Endpoint } from './endpoint.js'

/** Asks one plugin whether it knows the credentials of a request. */
export type Authenticator = (ctx: Context) => Caller | undefined | Promise<Caller | undefined>

/** Finds out who is asking. Without an authentication plugin every request is that of the caller of `rest.public`, and credentials are rejected. */
export function callerOf(
  authenticators: readonly Authenticator[],
  anonymous: Caller,
): (ctx: Context) => Caller | Promise<Caller> {
  if (authenticators.length === 0) return () => anonymous
  // A caller who is known at once costs no event-loop turn.
  const ask = (ctx: Context, from: number): Caller | Promise<Caller> => {
    const found = authenticators[from]?.(ctx)
    if (found instanceof Promise) return found.then(caller => (caller ? checked(caller) : ask(ctx, from + 1)))
    if (found) return checked(found)
    if (from < authenticators.length) return ask(ctx, from + 1)
    if (bearerOf(ctx) !== undefined)
      throw new UnauthorizedError().because('no plugin knows the token of the Authorization header')
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

/** Refuses an action that the caller has no permission for. */
export function permit(caller: Caller, action: string, uid: string): void {
  if (mayDo(caller, action, uid)) return
  const refusal = caller.refusal === 401 ? new UnauthorizedError() : new ForbiddenError()
  throw refusal.because(missingPermission(caller, action, uid))
}

/** Refuses to give others permissions, such as `api::tag.tag.create`, that the caller says it may not give. */
export function assertMayGive({ gives }: Pick<Caller, 'gives'>, permissions: Iterable<string>): void {
  if (gives === undefined || gives === true) return
  const lacking = [...permissions].filter(permission => {
    const cut = permission.lastIndexOf('.')
    return !immediate(gives(permission.slice(cut + 1), permission.slice(0, cut)), "a caller's gives")
  })
  if (lacking.length === 0) return
  const more = lacking.length === 1 ? '' : ` and ${lacking.length - 1} more`
  throw new ForbiddenError(`Permissions are given by those who have them without limits; you lack ${lacking[0]}${more}`)
}

/** True if an endpoint needs no permission: always, or because the app is still being developed. */
export const isOpen = ({ action, open }: Pick<Endpoint, 'action' | 'open'>, environment: string): boolean =>
  action === undefined || (open === 'developing' && environment !== 'production')

/** The actions of a content type. */
export const crud = ['find', 'findOne', 'create', 'update', 'delete']

/** An action that some route requires: callers may have permission for it. */
export interface KnownAction {
  readonly uid: string
  readonly action: string
}

/** The plugins that knew the callers of requests, and the same by caller where its name in records has to tell. */
const knownBy = new WeakMap<Context, string>()
const plugins = new WeakMap<Caller, string>()

/** Notes which plugin knew the caller of a request. */
export function noteKnown(ctx: Context, plugin: string, caller?: Caller): void {
  knownBy.set(ctx, plugin)
  if (caller?.id !== undefined && caller.actor === undefined) plugins.set(caller, plugin)
}

/**
 * The name of a caller in records of its actions: the one that its plugin gives it, or else its id with the plugin, as each plugin
 * has ids of its own, or else the scope that it shares with others.
 */
export function actorOf(caller: Pick<Caller, 'actor' | 'id' | 'scope'>): string {
  const { actor, id, scope } = caller
  if (actor !== undefined) return actor
  if (id === undefined) return scope
  const plugin = plugins.get(caller as Caller)
  return plugin === undefined ? String(id) : `${plugin} ${id}`
}

/** A caller by its name in records alone: for writes of which a plugin has decided by itself whether it may do them. */
export const asRecorded = (caller: Caller): Caller => ({
  scope: caller.scope,
  actor: actorOf(caller),
  can: () => true,
  ...(caller.id !== undefined && { id: caller.id }),
})

/**
 * The identity of a caller among all others: the plugin that knew it, as each plugin has ids of its own, with an account's id
 * however it came in, with a program's credentials, or else with its name in records. Visitors have nothing.
 */
export function identityOf({ id, actor }: Caller, ctx: Context): string | undefined {
  const credentials = bearerOf(ctx)
  if (id !== undefined) return named(ctx, 'id', id)
  if (credentials !== undefined) return named(ctx, 'credentials', credentials)
  return actor === undefined ? undefined : named(ctx, 'actor', actor)
}

/** The same for visitors as well: those of one plugin and scope are taken for one, as nothing tells them apart. */
export const identityOrScope = (caller: Caller, ctx: Context): string =>
  identityOf(caller, ctx) ?? named(ctx, 'visitor', caller.scope)

const named = (ctx: Context, kind: string, value: string | number): string =>
  JSON.stringify([knownBy.get(ctx) ?? null, kind, value])
