import type { Context } from 'koa'
import type { Caller } from '../query/ask.js'
import { bearerOf } from './gate.js'

/** The plugins that knew the callers of requests. */
const knownBy = new WeakMap<Context, string>()

/** Notes which plugin knew the caller of a request. */
export function noteKnown(ctx: Context, plugin: string): void {
  knownBy.set(ctx, plugin)
}

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
